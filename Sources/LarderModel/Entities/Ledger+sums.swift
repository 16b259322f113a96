/// The quantity of a ledger (FORMAT.md, section 7).
extension Ledger {
  /// A count from which a quantity goes, with its numbers in the unit that was asked for, exact.
  struct Start {
    let at: Instant
    let number: Number
    /// All there was of the item; nil for a count that says what lay loose, or was in a batch.
    var total: Number?
  }

  /// Returns the quantity: the latest `set` plus the deltas after it, rounded once at the sixth
  /// decimal.
  ///
  /// At the same instant, sets come before deltas, and of two sets the larger id wins. Entries that
  /// don't convert to the unit are left out.
  public func total(in unit: Unit) -> Number { sum(in: unit) }

  /// Returns the entries that count but don't convert to a unit, so the total leaves them out.
  public func unconvertible(to unit: Unit) -> [LedgerEntry] {
    let odd = entries.filter { $0.quantity != nil && !$0.unit.converts(to: unit) }
    guard !odd.isEmpty else { return [] }
    let undone = undone
    return odd.filter { !undone.contains($0.id) }
  }

  /// Returns the time when the quantity came to zero or below and stayed there: the `at` of the
  /// entry after which no sum is above zero.
  ///
  /// Nil if no entry counts, or if the sum is above zero.
  func emptied(in unit: Unit) -> Instant? {
    var emptied: Instant?
    for step in steps(in: unit) {
      emptied = step.total > .zero ? nil : emptied ?? step.at
    }
    return emptied
  }

  /// Returns the sums after each entry, from the latest `set` on, or from the first entry.
  public func steps(in unit: Unit) -> [(at: Instant, total: Number)] {
    steps(in: unit, goneAt: nil, before: nil)
  }

  /// Returns the quantity, or what it was at a moment: before the deltas of that moment, and after
  /// its sets.
  ///
  /// With `goneAt` it reads as if there were a last `set` at that time, of 0 or of what there was then,
  /// if that is less. Of the time before a page nothing is known, so then it is what the page began
  /// with. Entries that are taken back by now don't count.
  func sum(in unit: Unit, goneAt gone: Instant? = nil, before moment: Instant? = nil) -> Number {
    let moment = moment.map { max($0, pageFrom ?? $0) }
    return steps(in: unit, goneAt: gone, before: moment).last?.total ?? .zero
  }

  /// Returns the last count that counts, up to a moment; nil if there is none.
  func start(in unit: Unit, upTo moment: Instant? = nil) -> Start? {
    let undone = undone
    let last = entries.last { entry in
      guard case .set = entry.event else { return false }
      return entry.at <= moment ?? entry.at && entry.unit.converts(to: unit)
        && !undone.contains(entry.id)
    }
    guard let last, let number = last.quantity?.converted(to: unit) else { return nil }
    let total = last.total.flatMap { Quantity($0, last.unit).converted(to: unit) }
    return Start(at: last.at, number: number, total: total)
  }

  private func steps(
    in unit: Unit, goneAt gone: Instant?, before moment: Instant?
  ) -> [(at: Instant, total: Number)] {
    var start = start(in: unit, upTo: moment)
    if let gone, gone <= moment ?? gone, gone >= start?.at ?? gone {
      // As the ledger gives there, also if a page began later: what came since then is added below.
      let given = steps(in: unit, goneAt: nil, before: gone).last?.total ?? .zero
      start = Start(at: gone, number: min(.zero, given))
    }
    var exact = start?.number ?? .zero
    var steps = start.map { [(at: $0.at, total: exact.rounded)] } ?? []
    let undone = undone
    for entry in entries where entry.at >= start?.at ?? entry.at {
      if let moment, entry.at >= moment { break }
      guard case .delta(let number) = entry.event, !undone.contains(entry.id),
        let change = Quantity(number, entry.unit).converted(to: unit)
      else { continue }
      exact = exact + change
      steps.append((entry.at, exact.rounded))
    }
    return steps
  }
}
