public import LarderModel

/// A count that a filled-in sheet made.
public struct CountedLine: Sendable {
  public let item: EntityKey
  /// The counted batch; nil if the item was counted as a whole.
  public let batch: EntityKey?
  public let quantity: Quantity
  public let change: QuantityChange
}

extension Change {
  /// Makes the counts of a filled-in sheet.
  ///
  /// A line is counted if its amount was changed, if its box has an x, or if somebody added the
  /// line. Below the heading of a place, only the lots in that place are counted; if none is known
  /// there, a lot is added. With `makesItems`, a thing that nobody knows becomes an item. Throws all
  /// mistakes at once as ``SheetMistakes``; then nothing may be committed.
  public mutating func count(
    _ sheet: FilledSheet, makesItems: Bool = false
  ) throws(SheetMistakes) -> [CountedLine] {
    var reader = SheetReader(sheet, in: survey)
    if makesItems, !reader.unknown.isEmpty {
      for (item, line) in reader.unknown {
        do throws(RuleError) {
          _ = try edit.add(item, by: writer)
        } catch {
          throw SheetMistakes(all: [reader.mistake(line, .rule(error))])
        }
      }
      reader = SheetReader(sheet, in: Survey(edit.after, now: writer.now))
    }
    var mistakes = reader.mistakes
    var lines: [EntityKey: Int] = [:]
    var counted: [CountedLine] = []
    for count in reader.counts {
      let (number, column) = (count.line.number, count.line.column)
      if let line = lines[count.key] {
        let reason = SheetMistake.Reason.twice(thing: count.item.title, line: line)
        mistakes.append(SheetMistake(line: number, column: column, reason))
        continue
      }
      lines[count.key] = number
      do throws(RuleError) {
        if let line = try self.count(count) { counted.append(line) }
      } catch {
        mistakes.append(SheetMistake(line: number, column: column, .rule(error)))
      }
    }
    guard mistakes.isEmpty else {
      throw SheetMistakes(all: mistakes.sorted { $0.line < $1.line })
    }
    return counted
  }

  private mutating func count(_ count: SheetCount) throws(RuleError) -> CountedLine? {
    let item = edit.after[count.item.key] ?? count.item
    switch count.target {
    case .item:
      return counted(count, try edit.count(count.quantity, of: item, by: writer))
    case .lot(let known):
      let batches = known.batches.map { Stock(edit.after).withoutLack(edit.after[$0.key] ?? $0) }
      guard let lot = Lot.grouped(batches).first else { return nil }
      let change = try edit.count(count.quantity, of: item, lot: lot, by: writer)
      return counted(count, change, lot.first.key)
    case .newLot(let place):
      guard count.quantity.value != .zero else { return nil }
      var details = BatchDetails(productID: item.id)
      details.locationID = place.id
      let change = try edit.add(count.quantity, details, by: writer)
      guard let batch = change.parts.first.flatMap({ edit.after[$0.key] }) else { return nil }
      // The count records in the new lot when it was counted.
      try edit.count(batch.quantity, ofBatch: batch, by: writer)
      return counted(count, change, batch.key)
    }
  }

  private func counted(
    _ count: SheetCount, _ change: QuantityChange, _ batch: EntityKey? = nil
  ) -> CountedLine {
    CountedLine(item: count.item.key, batch: batch, quantity: count.quantity, change: change)
  }
}
