public import LarderModel

extension Naming {
  /// The entities that a barcode names: products by their own, what belongs to an item by its.
  public func matches(ofBarcode words: String, _ kind: Kind, among entities: [Entity]) -> [Entity] {
    guard kind != .product else { return entities.filter { isNamed($0, by: words) } }
    let items = Set(productIDs(of: words).compactMap { stock.item(ofProduct: $0)?.id })
    guard !items.isEmpty else { return [] }
    return entities.filter { items.contains($0.kind == .stockItem ? $0.id : $0.itemID ?? "") }
  }

  /// The ids of the products that a barcode, or a product's id, stands for.
  ///
  /// An id need not be in the catalogue, nor written with as many zeros as the barcode.
  private func productIDs(of words: String) -> Set<String> {
    let listed = household.all(.product).filter { isNamed($0, by: words) }.map(\.id)
    return Set([words, "ean_" + words] + listed + (Barcode(words).map { usedIDs(of: $0) } ?? []))
  }

  /// The ids made of a barcode that items and batches use already.
  public func usedIDs(of barcode: Barcode) -> [String] {
    let claimed = household.all(.stockItem).flatMap(\.productIDs)
    let batches = household.all(.inventoryItem).map(\.productID)
    return (claimed + batches).filter { Barcode($0) == barcode }
  }

  private func isNamed(_ product: Entity, by words: String) -> Bool {
    product.numbers.contains(words) || Barcode(words).map { product.has($0) } ?? false
  }
}
