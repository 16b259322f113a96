import LarderJSON
import LarderKit
import LarderModel

/// `larder shop list`.
enum ShopList {
  private static let all = Option(
    "all", short: "a", help: "also show entries that were bought or taken off the list")

  static let list = Command(
    "list", summary: "List what to buy",
    discussion: ListOptions.discussion + """


      Fields: name, category (the item's), desiredQuantity or quantity, unit, note, itemId, \
      createdAt, updatedAt.
      States: is:open, is:done (in the basket), is:archived (off the list).
      """,
    examples: [
      Example("larder shop", "what to buy, and what is in the basket"),
      Example("larder shop list is:open category:dairy"),
      Example("larder shop list is:open --plain", "for a script"),
    ],
    arguments: [ListOptions.filters],
    options: [ListOptions.sort, ListOptions.limit, ListOptions.sync, all]
  ) { invocation in
    let survey = try invocation.survey()
    let all = ShopRow.all(in: survey, withDeleted: invocation.wantsDeleted(all))
    let rows = try invocation.choose(all, with: ShopRow.listing(survey.calendar))
    invocation.output.list(rows, in: survey, ShopRow.table)
  }
}

extension ShopRow: ListRow {
  var entities: [Entity] { [entry] }

  fileprivate static func table(_ rows: [ShopRow]) -> Table {
    Table(
      columns: [
        .init("", minimumWidth: 3), .init("Quantity", .right), .init("Entry", minimumWidth: 12),
        .init("Category"), .init("Note"),
      ],
      rows: rows.map { row in
        let style: Style? = row.entry.isTombstone || row.entry.isCompleted ? .dim : nil
        return [
          .init(row.mark, style), .init(row.entry.desired.description, style),
          .init(row.title, style), .init(row.category ?? "", style),
          .init(row.entry.note ?? "", style),
        ]
      })
  }

  private var mark: String {
    if entry.isTombstone { return "off" }
    return entry.isCompleted ? "[x]" : "[ ]"
  }

  /// Returns the record: state, name, quantity, unit, category, note, id.
  func fields(in survey: Survey) -> [String] {
    [
      entry.isTombstone ? "off" : entry.isCompleted ? "done" : "open", title,
      entry.desired.value.description, entry.unit.rawValue, category ?? "", entry.note ?? "",
      entry.id,
    ]
  }

  /// Returns the entry with the name and category of its item, if it has none of its own.
  func json(in survey: Survey) -> [JSON] {
    var computed: [JSONMember] = []
    if entry.name == nil { computed.append(JSONMember("name", .string(title))) }
    if entry.category == nil, let category {
      computed.append(JSONMember("category", .string(category)))
    }
    return [survey.listed(entry, computed)]
  }
}
