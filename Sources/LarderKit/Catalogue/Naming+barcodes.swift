public import LarderModel

extension Naming {
  /// Returns the entities that a barcode names: a product by its own barcodes, anything of an item
  /// by the item's products.
  public func matches(ofBarcode words: String, _ kind: Kind, among entities: [Entity]) -> [Entity] {
    guard kind != .product else { return entities.filter { isNamed($0, by: words) } }
    let items = Set(productIDs(of: words).compactMap { stock.item(ofProduct: $0)?.id })
    guard !items.isEmpty else { return [] }
    return entities.filter { items.contains($0.kind == .stockItem ? $0.id : $0.itemID ?? "") }
  }

  /// Returns the ids of the products that a barcode or a product's id names.
  ///
  /// An id may be missing in the catalogue, and may be written with fewer or more leading zeros.
  private func productIDs(of words: String) -> Set<String> {
    let listed = household.all(.product).filter { isNamed($0, by: words) }.map(\.id)
    return Set(
      [words, "ean_" + words] + listed + Barcode.readings(of: words).flatMap { usedIDs(of: $0) })
  }

  /// Returns the ids for a barcode that items and batches already use.
  public func usedIDs(of barcode: Barcode) -> [String] {
    let claimed = household.all(.stockItem).flatMap(\.productIDs)
    let batches = household.all(.inventoryItem).map(\.productID)
    return (claimed + batches).filter(barcode.isMeant)
  }

  func isNamed(_ product: Entity, by words: String) -> Bool {
    product.numbers.contains(words) || Barcode.readings(of: words).contains { product.has($0) }
  }
}
