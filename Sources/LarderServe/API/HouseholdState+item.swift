internal import LarderJSON
internal import LarderKit

/// What the sheet of one item shows.
extension HouseholdState {
  /// Returns an item with its pace and its last changes.
  func details(of item: Entity, changes: [JSON]) -> JSON {
    let held = survey.held(item)
    let history = survey.prices(of: item, in: Purchases(in: survey))
    let pace = survey.pace(of: held).map { pace -> JSON in
      let total = held.holding.usableTotal(on: survey.calendar.today)
      return [
        "perWeek": pace.perWeek.value.rounded(decimals: 1).json,
        "lastsDays": pace.days(for: total).map { .number("\($0)") },
      ]
    }
    return [
      "item": self.item(held, price: history.courses.first?.last), "pace": pace,
      "changes": .array(changes),
    ]
  }
}
