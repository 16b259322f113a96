public import LarderModel

extension Survey {
  /// Returns what was paid for the thing that words name: an item or, if none is named, what stands on
  /// receipts.
  ///
  /// Throws `NamingError` if nothing has the name, or several have. Without purchases, the history of an item is empty.
  public func prices(
    of words: String, in purchases: Purchases
  ) throws(NamingError) -> PriceHistory {
    do throws(NamingError) {
      return prices(of: try naming.find(words, .stockItem, .any), in: purchases)
    } catch {
      guard case .notFound = error, let thing = purchases.nameless(named: words) else {
        throw error
      }
      return purchases.prices(of: thing.key) ?? PriceHistory(of: thing, [], unpriced: 0)
    }
  }

  /// Returns what was paid for an item.
  public func prices(of item: Entity, in purchases: Purchases) -> PriceHistory {
    var things = PaidThings(self)
    let thing = things.thing(itemID: item.id, named: item.title)
    return purchases.prices(of: thing.key) ?? PriceHistory(of: thing, [], unpriced: 0)
  }
}

extension Survey {
  /// Returns the thing that words name, and the period that its last words name; nil for what they leave
  /// out.
  ///
  /// Words that name a thing as a whole name no period.
  public func thingAndPeriod(_ words: [String]) -> (thing: String?, period: ClosedRange<Day>?) {
    let whole = words.joined(separator: " ")
    guard !words.isEmpty else { return (nil, nil) }
    if (try? naming.find(whole, .stockItem, .any)) != nil { return (whole, nil) }
    for count in (1...min(words.count, 3)).reversed() {
      let days = try? calendar.period(reading: words.suffix(count).joined(separator: " "))
      guard let days else { continue }
      // What is no item may have such a name on receipts.
      if Purchases(in: self).nameless(named: whole) != nil { return (whole, nil) }
      let thing = words.dropLast(count).joined(separator: " ")
      return (thing.isEmpty ? nil : thing, days)
    }
    return (whole, nil)
  }
}

extension Purchases {
  /// Returns the one thing that is no item and has a name or, if none has, the one whose name has the
  /// words in it.
  fileprivate func nameless(named words: String) -> PaidThing? {
    let wanted = fold(words)
    var found: [PaidThing.Key: PaidThing] = [:]
    for receipt in receipts {
      for line in receipt.lines where line.thing.itemID == nil {
        found[line.thing.key] = line.thing
      }
    }
    if let thing = found[.name(wanted)] { return thing }
    let parts = found.values.filter { !wanted.isEmpty && fold($0.name).contains(wanted) }
    return parts.count == 1 ? parts[0] : nil
  }
}
