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
  /// product. Of what is counted one by one, `6x1,5L` is six and `10ER` ten, unless it is counted in packs.
  func quantity(of line: ReadLine, as item: Entity) -> Quantity? {
    if let unit = line.unit {
      return unit.converts(to: item.unit) ? Quantity(line.quantity, unit) : nil
    }
    let size = PrintedSize(in: line.name)
    if let size = size?.quantity, size.unit.converts(to: item.unit) {
      return size.times(line.quantity)
    }
    let count = TypedQuantity(value: line.quantity)
    let words = line.barcode ?? ""
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
  /// Returns it several times, as a file has it; nil if that is too large.
  func times(_ count: Number) -> Quantity? {
    value.multiplied(by: count).flatMap { Number($0.rounded.description) }.map {
      Quantity($0, unit)
    }
  }
}
