public import LarderModel

extension Survey {
  /// Returns the prices of the thing with a name: an item, otherwise a thing that is only on
  /// receipts.
  ///
  /// Throws `NamingError` if nothing has the name, or several have. For an item without purchases,
  /// the history is empty.
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

  /// Returns the prices of an item.
  public func prices(of item: Entity, in purchases: Purchases) -> PriceHistory {
    var things = PaidThings(self)
    let thing = things.thing(itemID: item.id, named: item.title)
    return purchases.prices(of: thing.key) ?? PriceHistory(of: thing, [], unpriced: 0)
  }
}

extension Survey {
  /// Returns the thing that words name, and the period at their end; nil for a missing part.
  ///
  /// If all words together are the name of a thing, there is no period.
  public func thingAndPeriod(_ words: [String]) -> (thing: String?, period: ClosedRange<Day>?) {
    let whole = words.joined(separator: " ")
    guard !words.isEmpty else { return (nil, nil) }
    if (try? naming.find(whole, .stockItem, .any)) != nil { return (whole, nil) }
    for count in (1...min(words.count, 3)).reversed() {
      let days = try? calendar.period(reading: words.suffix(count).joined(separator: " "))
      guard let days else { continue }
      // A thing that is only on receipts may have such a name.
      if Purchases(in: self).nameless(named: whole) != nil { return (whole, nil) }
      let thing = words.dropLast(count).joined(separator: " ")
      return (thing.isEmpty ? nil : thing, days)
    }
    return (whole, nil)
  }
}

extension Purchases {
  /// Returns the thing without an item that has this name; otherwise the only one whose name
  /// contains it.
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
