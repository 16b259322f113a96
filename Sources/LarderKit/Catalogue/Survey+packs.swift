public import LarderModel

extension Survey {
  /// Returns the quantity of an item for a typed amount; without a unit, it is in the item's.
  ///
  /// Customary units such as the pound are converted. Packs count as in ``packs(_:of:named:)``,
  /// which also lists its errors. Throws the error of ``refuseUnclear(_:of:)``.
  public func quantity(
    _ typed: TypedQuantity, of item: Entity, named words: String
  ) throws(RuleError) -> Quantity {
    if let packs = try packs(typed, of: item, named: words) { return packs }
    try refuseUnclear(typed, of: item)
    return household.counted(typed.quantity(in: item.unit), in: item.unit)
  }

  /// Throws `amountNeeded` for a part of a gram or a millilitre without a unit, and for `half` and
  /// other fractions of a weight or a volume.
  public func refuseUnclear(_ typed: TypedQuantity, of item: Entity) throws(RuleError) {
    guard typed.unit == nil, typed.isPart || item.unit.isTiny, item.unit.isMeasured,
      typed.value > .zero, typed.value < Number(1)
    else { return }
    throw .amountNeeded(item: item.title, unit: item.unit)
  }

  /// Returns the quantity that is meant by an item's name without an amount.
  ///
  /// It is one pack if the words are the barcode of a product with a pack size, or if the item is
  /// a weight or a volume: no kilogram is anybody's amount. Otherwise it is one of the item's unit.
  /// Throws `amountNeeded` if the size of such a pack is not known.
  public func one(of item: Entity, named words: String) throws(RuleError) -> Quantity {
    if let product = product(withNumber: words, of: item),
      let size = packSize(of: product, in: item.unit)
    {
      return size
    }
    try refuseUnknownSize(of: product(withNumber: words, of: item), item)
    guard item.unit.isMeasured else { return Quantity(Number(1), item.unit) }
    do throws(RuleError) {
      return try packSize(among: item.productIDs, of: item)
    } catch {
      throw .amountNeeded(item: item.title, unit: item.unit)
    }
  }

  /// Returns the quantity that an entry on the list has already, if nobody says one and nothing is
  /// missing; nil for what is missing or was bought last.
  public func keptWish(for item: Entity) -> Quantity? {
    guard missing(of: item) <= .zero, let entry = household.entry(of: item), !entry.isTombstone
    else { return nil }
    return entry.desired
  }

  /// Returns the content of a typed number of packs, in a unit that converts to the item's.
  ///
  /// Nil if the amount is not in packs, or if the item itself is counted in packs. An amount is in
  /// packs if its unit says so, or if it has no unit and the words are the barcode of a product
  /// with a pack size. Throws `noPackSize`, `severalPackSizes` and `tooManyDigits`.
  public func packs(
    _ typed: TypedQuantity, of item: Entity, named words: String
  ) throws(RuleError) -> Quantity? {
    // An item may be counted in `packungen`, or in `dosen` where `Dose` was typed.
    if let unit = typed.unit, unit != item.unit, TypedUnit.isSame(item.unit, unit) {
      return Quantity(typed.value, item.unit)
    }
    guard typed.unit == nil || typed.unit == .pack, item.unit != .pack else { return nil }
    let scanned = product(withNumber: words, of: item)
    var size = scanned.flatMap { packSize(of: $0, in: item.unit) }
    if typed.unit == .pack, size == nil {
      size = try packSize(among: scanned.map { [$0] } ?? item.productIDs, of: item)
    }
    if size == nil { try refuseUnknownSize(of: scanned, item) }
    if let scanned, size == nil, item.unit.isTiny {
      throw .noPackSize(item: item.title, unit: item.unit, product: scanned)
    }
    guard let size else { return nil }
    guard let value = typed.value.multiplied(by: size.value),
      let kept = Number(value.rounded.description)
    else { throw .tooManyDigits(typed.quantity(in: .pack)) }
    return Quantity(kept, size.unit)
  }

  /// Throws `noPackSize` for a product that is a pack or a box of something counted otherwise: nobody
  /// knows how much is in it.
  private func refuseUnknownSize(of product: String?, _ item: Entity) throws(RuleError) {
    guard let product, isUnknown(household[.product, product]?.packSize, of: item) else { return }
    throw .noPackSize(item: item.title, unit: item.unit, product: product)
  }

  /// Whether the size of a product is a pack or a box of an item that is counted otherwise.
  public func isUnknown(_ size: Quantity?, of item: Entity) -> Bool {
    guard let unit = size?.unit else { return false }
    return unit != item.unit && unit != .piece && !unit.isMeasured && !CustomaryUnit.measures(unit)
  }

  /// Returns the id of an item's product that is named by its barcode or id.
  public func product(withNumber words: String, of item: Entity) -> String? {
    let barcodes = Barcode.readings(of: words)
    return item.productIDs.first { id in
      id == words || id == "ean_" + words || barcodes.contains { $0.isMeant(by: id) }
        || household[.product, id].map { naming.isNamed($0, by: words) } ?? false
    }
  }

  /// Returns the one pack size of some products.
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
    guard let size = household[.product, product]?.packSize else { return nil }
    let counted = household.counted(size, in: unit)
    guard let value = counted.converted(to: unit), value.rounded > .zero else { return nil }
    return value.rounded == value ? Quantity(value, unit) : counted
  }
}

extension Unit {
  /// Whether the unit is so small that nobody means one of it, or a part of one.
  var isTiny: Bool { self == .gram || self == .milliliter }
}
