internal import LarderCloud
public import LarderModel

/// The rules that keep names unique: one item for a name, one item for a product, one product for a
/// number.
extension Survey {
  /// Throws `nameIsTaken` if a change gives an item or a location the name of another one.
  func refuseTakenNames(in edit: Edit) throws(RuleError) {
    if let first = takenNames(in: edit).first { throw first.error }
  }

  /// Returns `nameIsTaken` for each item or location to which a change gives the name of another
  /// one.
  ///
  /// Equal names that people wrote into files stay until somebody changes one of them.
  func takenNames(in edit: Edit) -> [(key: EntityKey, error: RuleError)] {
    let claims = edit.changed.flatMap { newNames(of: $0, in: edit) }
    guard !claims.isEmpty else { return [] }
    var holders: [Claim: [Entity]] = [:]
    for claim in claims { holders[claim] = [] }
    for kind in Set(claims.map(\.kind)) {
      for entity in edit.after.all(kind) where !entity.isTombstone && stock.isOurs(entity) {
        for name in Set(entity.ownNames.map(fold)) {
          holders[Claim(kind: kind, name: name)]?.append(entity)
        }
      }
    }
    return edit.changed.compactMap { key in
      for claim in newNames(of: key, in: edit) {
        let others = (holders[claim] ?? []).filter { $0.key != key }
        guard let other = others.min(by: { $0.id < $1.id }) else { continue }
        let taken = other.ownNames.first { fold($0) == claim.name } ?? other.title
        let new = edit.after[key]?.title ?? taken
        let meant: NameClaim =
          if let old = edit.before[key] {
            fold(new) == claim.name
              ? .rename(of: old.title, mayBeSame: other.unit.converts(to: old.unit))
              : .alias(of: new, mayBeSame: other.unit.converts(to: old.unit))
          } else { .new(new) }
        return (key, .nameIsTaken(key.kind, name: taken, holder: other.title, for: meant))
      }
      return nil
    }
  }

  /// A name that only one entity of the kind may have, folded.
  private struct Claim: Hashable {
    let kind: Kind
    let name: String
  }

  /// Returns the names that a change gives to an item or a location.
  private func newNames(of key: EntityKey, in edit: Edit) -> [Claim] {
    guard Schema.of(key.kind).namesAreUnique, let new = edit.after[key],
      !new.isTombstone, stock.isOurs(new)
    else { return [] }
    let old = edit.before[key]
    let known = old.flatMap { $0.isTombstone ? nil : Set($0.ownNames.map(fold)) } ?? []
    return new.ownNames.map(fold).filter { !known.contains($0) }
      .map { Claim(kind: key.kind, name: $0) }
  }

  /// Returns the id of a named product that no other item claims.
  ///
  /// Throws `RuleError` with `productIsClaimed` or `badBarcode`, or ``NamingError``.
  public func freeProduct(_ words: String, for own: Entity?) throws -> String {
    let id = try productID(words)
    try refuseClaimed(id, called: words, for: own)
    return id
  }

  /// Throws `productIsClaimed` if another item claims the product, with any number of leading
  /// zeros.
  public func refuseClaimed(
    _ product: String, called words: String, for own: Entity?
  ) throws(RuleError) {
    let forms = Barcode(written: product).map { naming.usedIDs(of: $0) } ?? []
    let holders = ([product] + forms).compactMap { stock.item(ofProduct: $0) }
    guard let holder = holders.first(where: { $0.id != own?.id }) else { return }
    throw .productIsClaimed(words, item: holder.title, isArchived: holder.isTombstone)
  }

  /// Returns a product's id by its name, id or barcode; an unknown barcode makes a new id.
  ///
  /// Throws `badBarcode` for a number that is not a valid barcode. Any other text is taken as an id
  /// of a catalogue.
  private func productID(_ words: String) throws -> String {
    if let product = try naming.exactly(words, .product) { return product.id }
    guard let barcode = Barcode(written: words) else { return words }
    guard barcode.isSound else { throw RuleError.badBarcode(words) }
    return newID(of: barcode, typed: words)
  }

  /// Returns the id for a product with a barcode: an id in use (first the typed one), or a new one
  /// made from the number.
  public func newID(of barcode: Barcode, typed words: String) -> String {
    let used = naming.usedIDs(of: barcode)
    return used.contains(words) ? words : used.min() ?? barcode.productID
  }

  /// Adds a product to the products of a named item.
  ///
  /// Throws `RuleError` with `productIsClaimed`, or ``NamingError``.
  public func claim(
    _ product: Entity, for words: String, in edit: inout Edit, by writer: Writer
  ) throws {
    try claim(product, for: try naming.find(words, .stockItem), in: &edit, by: writer)
  }

  /// Adds a product to the products of an item; throws `productIsClaimed`.
  func claim(
    _ product: Entity, for item: Entity, in edit: inout Edit, by writer: Writer
  ) throws(RuleError) {
    try refuseClaimed(product.id, called: product.title, for: item)
    // This edit may already have added another product.
    let listed = (edit.after[item.key] ?? item).productIDs
    guard !listed.contains(product.id) else { return }
    let all = (listed + [product.id]).map { JSON.string($0) }
    edit.write([(.products, .array(all))], to: item.key, now: writer.now)
  }

  /// Throws `badBarcode` for a number that is not a valid barcode, and `numberIsTaken` if another
  /// product has it.
  public func refuseTaken(_ number: String, except own: Entity? = nil) throws(RuleError) {
    if let barcode = Barcode(written: number), !barcode.isSound { throw .badBarcode(number) }
    try refuseTwin(number, except: own)
  }

  /// Throws `numberIsTaken` if another live product has the number.
  public func refuseTwin(_ number: String, except own: Entity? = nil) throws(RuleError) {
    let live = naming.all(.product).filter { !$0.isTombstone && $0.id != own?.id }
    let twins = naming.matches(ofBarcode: number, .product, among: live)
    guard let twin = twins.min(by: { $0.id < $1.id }) else { return }
    throw .numberIsTaken(number, product: twin.title, isArchived: false)
  }

  /// Returns the product with a number, even an archived one; nil if there is none.
  func product(ofNumber number: String) -> Entity? {
    let twins = naming.matches(ofBarcode: number, .product, among: naming.all(.product))
    return twins.filter { !$0.isTombstone }.min { $0.id < $1.id } ?? twins.min { $0.id < $1.id }
  }

  /// Returns a new product with its id and the typed barcode.
  ///
  /// Throws `badBarcode`, and `numberIsTaken` if another product has the number, even an archived
  /// one; otherwise there would be two products for one thing.
  public func newProduct(_ number: String, at now: Instant) throws(RuleError) -> Entity {
    try refuseTaken(number)
    if let twin = product(ofNumber: number) {
      throw .numberIsTaken(number, product: twin.title, isArchived: true)
    }
    guard let barcode = Barcode(written: number) else {
      return Entity(.product, id: number, createdAt: now)
    }
    var product = Entity(.product, id: newID(of: barcode, typed: number), createdAt: now)
    product.write(.barcodes, .array([.string(Barcode.digits(of: number))]), at: now)
    return product
  }

  /// Throws `otherHousehold` for an entity of another household.
  public func refuseOthers(_ entity: Entity) throws(RuleError) {
    guard !stock.isOurs(entity) else { return }
    throw .otherHousehold(entity.title, household: entity.householdID ?? "")
  }
}
