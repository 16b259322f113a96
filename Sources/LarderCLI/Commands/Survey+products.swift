import LarderJSON
import LarderModel

extension Survey {
  /// The id of a product that was named and that no other item counts.
  func freeProduct(_ words: String, for own: Entity?) throws(CommandError) -> String {
    let id = try productID(words)
    try refuseClaimed(id, called: words, for: own)
    return id
  }

  /// Refuses a product that an item counts already, in whatever form, but for the item itself.
  func refuseClaimed(
    _ product: String, called words: String, for own: Entity?
  ) throws(CommandError) {
    let forms = Barcode(product).map { naming.usedIDs(of: $0) } ?? []
    let holders = ([product] + forms).compactMap { stock.item(ofProduct: $0) }
    guard let holder = holders.first(where: { $0.id != own?.id }) else { return }
    let word = shellWord(holder.title)
    let release =
      "a product belongs to one item; 'larder stock edit \(word) --set products=' takes "
      + "all off it"
    guard holder.isTombstone else {
      throw CommandError(
        .failed, "the product \(words) counts as \(holder.title) already", hints: [release])
    }
    throw CommandError(
      .failed, "the product \(words) counts as \(holder.title), which is archived",
      hints: ["'larder stock restore \(word)' brings it back", release + ", once it is back"])
  }

  /// A product's id by its name, id or barcode; a barcode that the catalogue doesn't know makes one.
  ///
  /// Refuses a number that can't be a barcode; anything else is some catalogue's id.
  private func productID(_ words: String) throws(CommandError) -> String {
    do throws(NamingError) {
      if let product = try naming.exactly(words, .product) { return product.id }
    } catch {
      throw error.commandError
    }
    guard let barcode = Barcode(words) else { return words }
    guard barcode.isSound else { throw barcode.refusal(of: words) }
    return newID(of: barcode, typed: words)
  }

  /// The id for a product with a barcode: as it is in use, the one typed first, else made of the
  /// number.
  func newID(of barcode: Barcode, typed words: String) -> String {
    let used = naming.usedIDs(of: barcode)
    return used.contains(words) ? words : used.min() ?? barcode.productID
  }

  /// Lets a product count as an item that was named.
  func claim(
    _ product: Entity, for words: String, in edit: inout Edit, by writer: Writer
  ) throws {
    let item = try naming.find(words, .stockItem)
    try refuseClaimed(product.id, called: product.title, for: item)
    // Another product may have been added just now.
    let listed = (edit.after[item.key] ?? item).productIDs
    guard !listed.contains(product.id) else { return }
    let all = (listed + [product.id]).map { JSON.string($0) }
    edit.write([("products", .array(all))], to: item.key, now: writer.now)
  }
}

extension Survey {
  /// Refuses a number that can't be a barcode, or that another product has.
  func refuseTaken(_ number: String, except own: Entity? = nil) throws(CommandError) {
    if let barcode = Barcode(number), !barcode.isSound { throw barcode.refusal(of: number) }
    try refuseTwin(number, except: own)
  }

  /// Refuses a number that a product has already, but for the product itself.
  func refuseTwin(_ number: String, except own: Entity? = nil) throws(CommandError) {
    let live = naming.all(.product).filter { !$0.isTombstone && $0.id != own?.id }
    let twins = naming.matches(ofBarcode: number, .product, among: live)
    guard let twin = twins.min(by: { $0.id < $1.id }) else { return }
    let word = shellWord(number)
    throw CommandError(
      .failed, "\(number) is \(twin.title) already",
      hints: ["'larder product show \(word)' shows it, 'larder product edit \(word)' changes it"])
  }
}
