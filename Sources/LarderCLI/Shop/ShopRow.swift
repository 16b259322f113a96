import LarderKit
import LarderModel

/// An entry as a row of the shopping list.
struct ShopRow {
  let entry: Entity
  let title: String
  let item: Entity?

  init(_ entry: Entity, in survey: Survey) {
    self.entry = entry
    title = survey.naming.title(of: entry)
    item = entry.itemID.flatMap { survey.household[.stockItem, $0] }
  }

  var category: String? { item?.category ?? entry.category }

  /// Returns the rows of entries: open ones first, then the basket, each by category and name.
  static func all(in survey: Survey, withDeleted: Bool) -> [ShopRow] {
    let rows = survey.household.all(.shoppingListEntry)
      .filter { withDeleted || !$0.isTombstone }
      .map { ShopRow($0, in: survey) }
    let keyed = rows.map { row in
      let place = (row.entry.isTombstone ? 2 : 0) + (row.entry.isCompleted ? 1 : 0)
      return (key: (place, fold(row.category ?? "\u{10FFFF}"), fold(row.title), row.entry.id), row)
    }
    return keyed.sorted { $0.key < $1.key }.map(\.1)
  }

  /// Returns the fields and states for filters and sorting.
  static func listing(_ calendar: HouseholdCalendar) -> Listing<ShopRow> {
    Listing(
      entity: \.entry,
      words: { [$0.title, $0.category, $0.entry.note].compactMap { $0 } },
      fields: [
        .init("name") { .text($0.title) },
        .init("category") { FilterValue($0.category) },
        .init("desiredQuantity", "quantity") { .quantity($0.entry.desired) },
        .init("unit") { .texts([$0.entry.unit.rawValue, $0.entry.unit.shortName]) },
        .init("note") { FilterValue($0.entry.note) },
        .init("itemId", "item") { FilterValue($0.entry.itemID) },
        .init("id") { .text($0.entry.id) },
        .init("createdAt", "created") { .instant($0.entry.createdAt) },
        .init("updatedAt", "updated") { .instant($0.entry.updatedAt) },
      ],
      states: [
        .init(name: "open") { !$0.entry.isCompleted && !$0.entry.isTombstone },
        .init(name: "done") { $0.entry.isCompleted && !$0.entry.isTombstone },
        .init(name: "archived") { $0.entry.isTombstone },
      ], calendar: calendar)
  }
}
