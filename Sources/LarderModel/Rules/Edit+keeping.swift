internal import LarderJSON

/// The rule for how long things keep where nobody said until when (FORMAT.md, section 18).
extension Edit {
  /// Returns the date until which an item that came on a day keeps as a rule; nil if nobody knows.
  ///
  /// Its confidence is a half: people see that it is not from the package.
  func usualExpiry(of item: Entity, since day: Day) -> ExpiryInfo? {
    item.keepsDays.map {
      ExpiryInfo(.expiry, day.adding(days: $0), confidence: Number(1, over: 2))
    }
  }

  /// Returns the day of a moment in the household.
  func day(of moment: Instant) -> Day { Day(moment, in: after.own?.timeZone ?? "UTC") }

  /// Gives lines without a date the one until which their items keep as a rule, and returns their ids.
  func keepAsUsual(_ lines: inout [ReceiptLine], since moment: Instant) -> Set<String> {
    var ids: Set<String> = []
    for index in lines.indices where lines[index].expiry == nil {
      guard let item = lines[index].itemID.flatMap({ after[.stockItem, $0] }),
        let usual = usualExpiry(of: item, since: day(of: moment))
      else { continue }
      lines[index].expiry = usual.date
      ids.insert(lines[index].id)
    }
    return ids
  }

  /// Marks the dates of the batches of some lines as those until which their items keep as a rule.
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
