public import LarderModel

extension Survey {
  /// Returns how much of an item a typed amount is; without a unit, it is in the item's.
  ///
  /// Packs count as ``packs(_:of:named:)`` says, and throw as it does. Throws `amountNeeded` for a part
  /// of a gram or a millilitre, which nobody means: half of what?
  public func quantity(
    _ typed: TypedQuantity, of item: Entity, named words: String
  ) throws(RuleError) -> Quantity {
    if let packs = try packs(typed, of: item, named: words) { return packs }
    if typed.unit == nil, item.unit.isTiny, typed.value > .zero, typed.value < Number(1) {
      throw .amountNeeded(item: item.title, unit: item.unit)
    }
    return typed.quantity(in: item.unit)
  }

  /// Returns what somebody means who names an item without an amount: one pack if the words are the
  /// barcode of a product whose pack has a size, or if the item is counted in grams or millilitres;
  /// otherwise one of its unit.
  ///
  /// Throws `amountNeeded` if the size of such a pack is not known.
  public func one(of item: Entity, named words: String) throws(RuleError) -> Quantity {
    if let product = product(withNumber: words, of: item),
      let size = packSize(of: product, in: item.unit)
    {
      return size
    }
    guard item.unit.isTiny else { return Quantity(Number(1), item.unit) }
    do throws(RuleError) {
      return try packSize(among: item.productIDs, of: item)
    } catch {
      throw .amountNeeded(item: item.title, unit: item.unit)
    }
  }

  /// Returns how much of an item to buy if nobody says it: nil for what is missing to its full stock.
  ///
  /// If nothing is missing, what is on the list already stays. Otherwise, of what is counted in grams or
  /// millilitres it is a pack, what came the last time, the full stock, or what there was at first.
  /// Throws `amountNeeded` if none of these is known.
  public func usualPurchase(of item: Entity) throws(RuleError) -> Quantity? {
    guard missing(of: item) <= .zero else { return nil }
    if let entry = household.entry(of: item), !entry.isTombstone { return entry.desired }
    guard item.unit.isTiny else { return nil }
    do throws(RuleError) {
      return try one(of: item, named: item.title)
    } catch {
      let entries = ([item] + stock.batches(of: item)).flatMap(\.ledger.counting)
        .filter { $0.quantity.map { $0.value > .zero } ?? false }
      let arrivals = entries.filter { $0.why == .add || $0.why == .receipt }
      let full = item.fullStock > .zero ? Quantity(item.fullStock, item.unit) : nil
      let usual =
        arrivals.max { $0.at < $1.at }?.quantity ?? full
        ?? entries.min { $0.at < $1.at }?.quantity
      guard let usual else { throw error }
      return usual
    }
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
    if let scanned, size == nil, item.unit.isTiny {
      throw .noPackSize(item: item.title, unit: item.unit, product: scanned)
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

extension Unit {
  /// Whether one of it is too little to be meant, and a part of one too little to be told.
  var isTiny: Bool { self == .gram || self == .milliliter }
}
