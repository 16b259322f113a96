public import LarderModel

extension Survey {
  /// Returns how much of an item a typed amount is; without a unit, it is in the item's.
  ///
  /// Packs count as ``packs(_:of:named:)`` says, and throw as it does.
  public func quantity(
    _ typed: TypedQuantity, of item: Entity, named words: String
  ) throws(RuleError) -> Quantity {
    try packs(typed, of: item, named: words) ?? typed.quantity(in: item.unit)
  }

  /// Returns what somebody means who names an item without an amount: one of its unit, or one pack if
  /// the words are the barcode of a product whose pack has a size.
  public func one(of item: Entity, named words: String) -> Quantity {
    product(withNumber: words, of: item).flatMap { packSize(of: $0, in: item.unit) }
      ?? Quantity(Number(1), item.unit)
  }

  /// Returns the content of a typed number of packs in the item's unit; nil if the amount is in no
  /// packs, or if the item itself is counted in packs.
  ///
  /// Packs are meant by the unit, or by the barcode of a product whose pack has a size and no unit.
  /// Throws `noPackSize`, `severalPackSizes` and `tooManyDigits`.
  public func packs(
    _ typed: TypedQuantity, of item: Entity, named words: String
  ) throws(RuleError) -> Quantity? {
    guard typed.unit == nil || typed.unit == .pack, item.unit != .pack else { return nil }
    let scanned = product(withNumber: words, of: item)
    var size = scanned.flatMap { packSize(of: $0, in: item.unit) }
    if typed.unit == .pack, size == nil {
      size = try packSize(among: scanned.map { [$0] } ?? item.productIDs, of: item)
    }
    guard let size else { return nil }
    guard let value = typed.value.multiplied(by: size.value),
      let kept = Number(value.rounded.description)
    else { throw .tooManyDigits(typed.quantity(in: .pack)) }
    return Quantity(kept, item.unit)
  }

  /// Returns the id of an item's product that is named by its barcode or id.
  public func product(withNumber words: String, of item: Entity) -> String? {
    let barcode = Barcode(words)
    return item.productIDs.first { id in
      id == words || id == "ean_" + words || barcode.map { Barcode(id) == $0 } ?? false
        || household[.product, id].map { naming.isNamed($0, by: words) } ?? false
    }
  }

  /// Returns the one size that packs of some products have.
  private func packSize(
    among products: [String], of item: Entity
  ) throws(RuleError) -> Quantity {
    let sizes = Set(products.compactMap { packSize(of: $0, in: item.unit) })
      .sorted { $0.value < $1.value }
    guard let size = sizes.first else {
      throw .noPackSize(item: item.title, unit: item.unit, product: products.first)
    }
    guard sizes.count == 1 else { throw .severalPackSizes(item: item.title, sizes) }
    return size
  }

  /// Returns the content of a product's pack in a unit; nil if it is not known or does not convert.
  private func packSize(of product: String, in unit: Unit) -> Quantity? {
    household[.product, product]?.packSize?.converted(to: unit)
      .flatMap { $0.rounded > .zero ? Quantity($0.rounded, unit) : nil }
  }
}
