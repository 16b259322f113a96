internal import LarderJSON
public import LarderModel

/// What must stay so that people can tell things by their names: one name an item, one item a product,
/// one product a number.
extension Survey {
  /// Throws `nameIsTaken` where an entity of the kind has the name already, but for the entity itself.
  public func refuseTakenName(
    _ name: String, _ kind: Kind, except own: Entity? = nil
  ) throws(RuleError) {
    guard let other = naming.named(name, kind), other.id != own?.id else { return }
    throw .nameIsTaken(kind, name: other.title, isNew: own == nil)
  }

  /// The id of a product that was named and that no other item counts.
  ///
  /// Throws `RuleError` with `productIsClaimed` or `badBarcode`, or ``NamingError``.
  public func freeProduct(_ words: String, for own: Entity?) throws -> String {
    let id = try productID(words)
    try refuseClaimed(id, called: words, for: own)
    return id
  }

  /// Throws `productIsClaimed` where an item counts a product already, in whatever form, but for the
  /// item itself.
  public func refuseClaimed(
    _ product: String, called words: String, for own: Entity?
  ) throws(RuleError) {
    let forms = Barcode(product).map { naming.usedIDs(of: $0) } ?? []
    let holders = ([product] + forms).compactMap { stock.item(ofProduct: $0) }
    guard let holder = holders.first(where: { $0.id != own?.id }) else { return }
    throw .productIsClaimed(words, item: holder.title, isArchived: holder.isTombstone)
  }

  /// A product's id by its name, id or barcode; a barcode that the catalogue doesn't know makes one.
  ///
  /// A number that can't be a barcode is refused; anything else is some catalogue's id.
  private func productID(_ words: String) throws -> String {
    if let product = try naming.exactly(words, .product) { return product.id }
    guard let barcode = Barcode(words) else { return words }
    guard barcode.isSound else { throw RuleError.badBarcode(words) }
    return newID(of: barcode, typed: words)
  }

  /// The id for a product with a barcode: as it is in use, the one typed first, else made of the
  /// number.
  public func newID(of barcode: Barcode, typed words: String) -> String {
    let used = naming.usedIDs(of: barcode)
    return used.contains(words) ? words : used.min() ?? barcode.productID
  }

  /// Lets a product count as an item that was named.
  ///
  /// Throws `RuleError` with `productIsClaimed`, or ``NamingError``.
  public func claim(
    _ product: Entity, for words: String, in edit: inout Edit, by writer: Writer
  ) throws {
    let item = try naming.find(words, .stockItem)
    try refuseClaimed(product.id, called: product.title, for: item)
    // Another product may have been added just now.
    let listed = (edit.after[item.key] ?? item).productIDs
    guard !listed.contains(product.id) else { return }
    let all = (listed + [product.id]).map { JSON.string($0) }
    edit.write([(.products, .array(all))], to: item.key, now: writer.now)
  }

  /// Throws `badBarcode` for a number that can't be one, and `numberIsTaken` for one that another
  /// product has.
  public func refuseTaken(_ number: String, except own: Entity? = nil) throws(RuleError) {
    if let barcode = Barcode(number), !barcode.isSound { throw .badBarcode(number) }
    try refuseTwin(number, except: own)
  }

  /// Throws `numberIsTaken` for a number that a product has already, but for the product itself.
  public func refuseTwin(_ number: String, except own: Entity? = nil) throws(RuleError) {
    let live = naming.all(.product).filter { !$0.isTombstone && $0.id != own?.id }
    let twins = naming.matches(ofBarcode: number, .product, among: live)
    guard let twin = twins.min(by: { $0.id < $1.id }) else { return }
    throw .numberIsTaken(number, product: twin.title, isArchived: false)
  }

  /// A product that is not in the household yet, with its id and the barcode that was typed.
  ///
  /// Throws `badBarcode`, and `numberIsTaken` for a number that another product has, also one that is
  /// archived: a second product of the same thing would come of it.
  public func newProduct(_ number: String, at now: Instant) throws(RuleError) -> Entity {
    try refuseTaken(number)
    let twins = naming.matches(ofBarcode: number, .product, among: naming.all(.product))
    if let twin = twins.min(by: { $0.id < $1.id }) {
      throw .numberIsTaken(number, product: twin.title, isArchived: true)
    }
    guard let barcode = Barcode(number) else { return Entity(.product, id: number, createdAt: now) }
    var product = Entity(.product, id: newID(of: barcode, typed: number), createdAt: now)
    let digits = number.hasPrefix("ean_") ? barcode.description : number
    product.write(.barcodes, .array([.string(digits)]), at: now)
    return product
  }

  /// Throws `otherHousehold` for an entity that says it belongs to another household.
  public func refuseOthers(_ entity: Entity) throws(RuleError) {
    guard !stock.isOurs(entity) else { return }
    throw .otherHousehold(entity.title, household: entity.householdID ?? "")
  }
}
