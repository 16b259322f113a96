internal import LarderJSON

/// The rules for how long things keep and where they are put if nobody says it
/// (docs/adoption.md, section 18).
extension Edit {
  /// Returns the usual expiry of an item that came on a day; nil if the item does not say how long
  /// it keeps.
  ///
  /// Its confidence is a half, so people see that the date is not from the package.
  func usualExpiry(of item: Entity, since day: Day) -> ExpiryInfo? {
    item.keepsDays.map {
      ExpiryInfo(.expiry, day.adding(days: $0), confidence: Number(1, over: 2))
    }
  }

  /// Returns the id of the location where an item is put; nil if the item names none that is there.
  func usualPlace(of item: Entity) -> String? {
    item.locationID.flatMap { id in
      after[.storageLocation, id].flatMap { $0.isTombstone || !Stock(after).isOurs($0) ? nil : id }
    }
  }

  /// Returns the day of a moment in the household.
  func day(of moment: Instant) -> Day { Day(moment, in: after.own?.timeZone ?? "UTC") }

  /// Gives lines the usual location and expiry of their items, and returns the ids of the lines that
  /// had no date.
  ///
  /// A line that counted as its item among the `earlier` ones already stays as it is.
  func keepAsUsual(
    _ lines: inout [ReceiptLine], since moment: Instant, after earlier: [ReceiptLine] = []
  ) -> Set<String> {
    let known = Dictionary(earlier.map { ($0.id, $0.itemID) }) { first, _ in first }
    var ids: Set<String> = []
    for index in lines.indices {
      if let item = known[lines[index].id], item == lines[index].itemID { continue }
      guard let item = lines[index].itemID.flatMap({ after[.stockItem, $0] }) else { continue }
      if lines[index].locationID == nil { lines[index].locationID = usualPlace(of: item) }
      guard lines[index].expiry == nil, let usual = usualExpiry(of: item, since: day(of: moment))
      else { continue }
      lines[index].expiry = usual.date
      ids.insert(lines[index].id)
    }
    return ids
  }

  /// Marks the dates of the batches of some lines as usual expiries, with a confidence of a half.
  mutating func doubtDates(of lines: [ReceiptLine], by writer: Writer) {
    for line in lines {
      guard let place = place(of: line), place.isBatch, var info = after[place.key]?.expiry else {
        continue
      }
      info.confidence = Number(1, over: 2)
      write([(.expiryInfo, info.json)], to: place.key, now: writer.now)
    }
  }
}
