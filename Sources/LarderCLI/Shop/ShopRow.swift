import LarderJSON
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
}

extension ShopRow: ListRow {
  var entities: [Entity] { [entry] }
  static var kind: Kind { .shoppingListEntry }

  static var listing: Listing<ShopRow> {
    Listing(
      columns: columns,
      searched: (
        "the names, the note, the category, and the products' titles and barcodes",
        {
          [$0.title, $0.entry.note, $0.category] + ($0.item?.aliases ?? [])
            + $1.words(ofProducts: $0.item?.productIDs ?? [])
        }
      ),
      states: [
        .init("open") { !$0.entry.isCompleted && !$0.entry.isTombstone },
        .init("done", remark: "in the basket") { $0.entry.isCompleted && !$0.entry.isTombstone },
        .init("archived", remark: "off the list", holds: \.entry.isTombstone),
      ])
  }

  private static var columns: [Column<ShopRow>] {
    [
      Column(.init("", minimumWidth: 3)) { $0.cell($0.mark) }.inRecord(
        1, as: "state", text: \.state),
      Column("desiredQuantity", "quantity") { .quantity($0.entry.desired) }
        .inTable("Quantity", .right) { $0.cell($0.entry.desired.description) }
        .inRecord(3),
      Column("unit") { .texts([$0.entry.unit.rawValue, $0.entry.unit.shortName]) }
        .inRecord(4, text: \.entry.unit.rawValue),
      Column("name") { .text($0.title) }
        .inTable("Entry", minimumWidth: 12, need: .most) { $0.cell($0.title) }
        .inRecord(2).inJSON(1) { $0.entry.name == nil ? .string($0.title) : nil },
      Column("category", remark: "the item's") { FilterValue($0.category) }
        .inTable("Category", need: .little) { $0.cell($0.category ?? "") }
        .inRecord(5).inJSON(2) { $0.entry.category == nil ? FilterValue($0.category).json : nil },
      Column("note") { FilterValue($0.entry.note) }
        .inTable("Note") { $0.cell($0.entry.note ?? "") }
        .inRecord(6),
      Column("itemId", "item") { FilterValue($0.entry.itemID) },
    ] + Column.identity(record: 7)
  }

  private func cell(_ text: String) -> Table.Cell {
    .init(text, entry.isTombstone || entry.isCompleted ? .dim : nil)
  }

  private var state: String { entry.isTombstone ? "off" : entry.isCompleted ? "done" : "open" }

  private var mark: String { entry.isTombstone ? "off" : entry.isCompleted ? "[x]" : "[ ]" }
}
