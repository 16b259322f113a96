import LarderKit
import LarderModel

/// A location as a row of the list.
struct LocationRow {
  let location: Entity
  /// The batches there with something left, the first to expire first.
  let batches: [Entity]
  let isExpired: Bool

  private init(_ location: Entity, _ batches: [Entity], today: Day) {
    self.location = location
    self.batches = batches
    isExpired = batches.first?.expiryDay.map { $0 < today } ?? false
  }

  var isCold: Bool { location.flag(.isColdStorage) }

  /// The first expiry day of the batches there.
  var expiry: Day? { batches.first?.expiryDay }

  /// Returns the rows of the household's locations by name.
  static func all(in survey: Survey, withArchived: Bool) -> [LocationRow] {
    let batches = Dictionary(grouping: survey.activeBatches) { $0.locationID ?? "" }
    return survey.naming.all(.storageLocation)
      .filter { withArchived || !$0.isTombstone }
      .map { (key: (fold($0.title), $0.id), location: $0) }
      .sorted { $0.key < $1.key }
      .map { place in
        LocationRow(
          place.location, batches[place.location.id] ?? [], today: survey.calendar.today)
      }
  }

  /// Returns the fields and states for filters and sorting.
  static func listing(_ calendar: HouseholdCalendar) -> Listing<LocationRow> {
    Listing(
      entity: \.location,
      words: { [$0.location.title, $0.location.note].compactMap { $0 } },
      fields: [
        .init("name") { .text($0.location.title) },
        .init("isColdStorage", "cold") { .flag($0.isCold) },
        .init("batchCount", "batches") { .number(Number($0.batches.count)) },
        .init("expiry") { FilterValue($0.expiry) },
        .init("note") { FilterValue($0.location.note) },
        .init("id") { .text($0.location.id) },
        .init("createdAt", "created") { .instant($0.location.createdAt) },
        .init("updatedAt", "updated") { .instant($0.location.updatedAt) },
      ],
      states: [
        .init(name: "cold") { $0.isCold },
        .init(name: "archived") { $0.location.isTombstone },
        .init(name: "expired") { $0.isExpired },
      ], calendar: calendar)
  }
}
