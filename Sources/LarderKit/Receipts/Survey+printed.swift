public import LarderModel

extension Survey {
  /// Returns the item of a printed line; nil if there is none, or several.
  ///
  /// It is found by its barcode, or by its full name or alias, with or without the size of the
  /// package.
  func item(printedAs line: ReceiptLine, barcode: String? = nil) -> Entity? {
    let name = line.itemName
    let names = [barcode, name, PrintedSize(in: name)?.rest, PrintedSize.withoutShares(name)]
    for name in names.compactMap(\.self) where !name.isEmpty {
      do throws(NamingError) {
        if let item = try naming.itemInFull(name) { return item }
      } catch {
        // Several items have the name, so it is not clear which one is meant.
        return nil
      }
    }
    return nil
  }

  /// Returns the quantity of a printed line in a unit that converts to its item's; nil if there is
  /// none.
  ///
  /// A printed weight is the quantity. A package counts by the size in its name, or by the pack
  /// size of the item's product. For an item that is counted in pieces, `6x1,5L` is six and `10ER`
  /// is ten; for one in packs, each is one.
  public func quantity(of line: ReceiptLine, as item: Entity, barcode: String? = nil) -> Quantity? {
    if let unit = line.unit {
      let quantity = household.counted(Quantity(line.quantity, unit), in: item.unit)
      return quantity.unit.converts(to: item.unit) ? quantity : nil
    }
    let size = PrintedSize(in: line.itemName)
    if let all = size?.quantity.times(line.quantity) {
      let quantity = household.counted(all, in: item.unit)
      if quantity.unit.converts(to: item.unit) { return quantity }
    }
    let count = TypedQuantity(value: line.quantity)
    let words = barcode ?? ""
    do throws(RuleError) {
      if let packs = try packs(count, of: item, named: words) { return packs }
      guard item.unit.isMeasured else {
        let pieces = item.unit == .pack ? nil : size?.pieces
        return Quantity(line.quantity, item.unit).times(pieces ?? Number(1))
      }
      return try packs(TypedQuantity(value: line.quantity, unit: .pack), of: item, named: words)
    } catch {
      return nil
    }
  }
}

extension Quantity {
  /// Returns the quantity several times, rounded as files store it; nil if that is too large.
  func times(_ count: Number) -> Quantity? {
    value.multiplied(by: count).flatMap { Number($0.rounded.description) }.map {
      Quantity($0, unit)
    }
  }
}
