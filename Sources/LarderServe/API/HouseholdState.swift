internal import LarderJSON
internal import LarderKit

/// What the screens of a phone need of a household, as `GET state` answers it (docs/protocol.md).
struct HouseholdState {
  /// The number of the form of this answer.
  static let format = 1
  /// How long back the state has receipts, in days.
  static let days = 365

  let survey: Survey

  init(_ survey: Survey) { self.survey = survey }

  /// The facts for a phone that are not in the household's files.
  struct Told {
    var version: String?
    var phone = ""
    /// Why nothing can be written now.
    var trouble: String?
    /// Why the household does not sync.
    var notSynced: JSON?
    /// How the syncs with each remote stand.
    var syncs: [JSON] = []
    /// The receipts of which nobody is asked where their things lie.
    var settled: Set<String> = []
  }

  /// Returns the whole answer for a phone.
  func json(_ told: Told) -> JSON {
    let own = survey.household.own
    let purchases = Purchases(in: survey)
    let items = survey.heldItems
    let open = survey.openReceipts(settled: told.settled)
    let usual = UsualKeeping(of: items, in: survey, open: Set(open.map(\.id)))
    let first = survey.calendar.today.adding(days: -Self.days)
    return [
      "format": .number("\(Self.format)"), "version": told.version.map { .string($0) },
      "now": .string(survey.calendar.now.description),
      "today": .string(survey.calendar.today.description),
      "phone": ["name": .string(told.phone)],
      "household": [
        "id": own.map { .string($0.id) }, "name": .string(own?.title ?? ""),
        "timeZone": .string(own?.timeZone ?? "UTC"), "currency": own?[.currency],
        "expiringWithinDays": .number("\(own?.expiringWithinDays ?? 14)"),
        "trouble": told.trouble.map { .string($0) }, "notSynced": told.notSynced,
        "syncs": told.syncs.isEmpty ? nil : .array(told.syncs),
      ],
      "items": .array(self.items(items, purchases, usual)), "archived": archived,
      "entries": .array(entries(purchases)), "locations": .array(locations(items)),
      "receipts": .array(
        receipts(since: first, noting: notes(on: open, of: items, since: first, usual))),
      "shops": .array(shops.map { .string($0) }),
      "categories": .array(categories.map { .string($0) }),
    ]
  }
}
