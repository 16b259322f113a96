internal import LarderModel

extension Survey {
  /// Returns the item that a printed line is, by its barcode, name or alias in full, with or without the
  /// size of the package; nil if there is none, or several.
  func item(printedAs line: ReadLine) -> Entity? {
    let name = spaced(line.name)
    let names = [line.barcode, name, PrintedSize(in: name)?.rest, PrintedSize.withoutShares(name)]
    for name in names.compactMap(\.self) where !name.isEmpty {
      do throws(NamingError) {
        if let item = try naming.itemInFull(name) { return item }
      } catch {
        // Several have the name, so nobody knows which is meant.
        return nil
      }
    }
    return nil
  }

  /// Returns how much of an item a printed line is, in a unit that converts to the item's; nil if it
  /// can't be counted as it.
  ///
  /// A weight is one. Of a package, the size counts that is in its name, or the one of the item's
  /// product.
  func quantity(of line: ReadLine, as item: Entity) -> Quantity? {
    if let unit = line.unit {
      return unit.converts(to: item.unit) ? Quantity(line.quantity, unit) : nil
    }
    if let size = PrintedSize(in: line.name)?.quantity, size.unit.converts(to: item.unit) {
      guard let value = size.value.multiplied(by: line.quantity),
        let kept = Number(value.rounded.description)
      else { return nil }
      return Quantity(kept, size.unit)
    }
    let count = TypedQuantity(value: line.quantity)
    let words = line.barcode ?? ""
    do throws(RuleError) {
      if let packs = try packs(count, of: item, named: words) { return packs }
      guard item.unit.isMeasured else { return Quantity(line.quantity, item.unit) }
      return try packs(TypedQuantity(value: line.quantity, unit: .pack), of: item, named: words)
    } catch {
      return nil
    }
  }
}
