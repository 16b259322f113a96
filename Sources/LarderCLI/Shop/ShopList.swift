import LarderKit

/// `larder shop list`.
enum ShopList {
  private static let all = Option(
    "all", short: "a", help: "also show entries that were bought or taken off the list")
  private static let prices = Option(
    "prices", help: "estimate what it will cost, by shop, at the last prices paid there")

  static let list = Command.list(
    "shop list", of: ShopRow.self, [], [all, prices],
    records: ShopRow.forms(EstimateRow.columns.form("with \(prices.spelling)"))
  ) { invocation in
    let survey = try invocation.survey()
    let all = ShopRow.all(in: survey, isWhole: invocation.wantsDeleted(all))
    let rows = try invocation.choose(all, in: survey)
    guard invocation.has(prices) else { return invocation.list(rows, in: survey) }
    invocation.list(rows, with: prices, in: survey)
  }
}

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
  static func all(in survey: Survey, isWhole: Bool) -> [ShopRow] {
    let rows = survey.household.all(.shoppingListEntry)
      .filter { isWhole || !$0.isTombstone }
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

/// `larder shop fill`.
enum ShopFill {
  static let command = Command("shop fill") { invocation in
    let change = try invocation.change { edit, writer, _ in
      edit.wantAllThatIsLow(by: writer)
      let filled = edit.changed.count
      return "fill the shopping list with \(counted(filled, "low item"))"
    }
    let lines = change.entities.map { change.wanted($0) }
    invocation.output.report(
      change, lines: lines, nothing: "nothing to add: all that is low is on the list already")
  }
}

/// `larder shop`: the shopping list.
enum ShopCommand {
  static let entry = Argument(
    "ENTRY", values: .named(.all(.shoppingListEntry)),
    help: "an entry's name or a part of it, its file or id")
  static let entries = Argument(
    "ENTRY", .oneOrMore, values: .named(.all(.shoppingListEntry)),
    help: "entries' names or parts of them, files or ids")
  static let amount = Argument("AMOUNT", .zeroOrMore, help: "how much to buy: 2, 1.5l, 2 packs")
  static let note = Option(
    "note", value: "TEXT", takesEmpty: true, help: "what to look for; empty removes it")

  static let command = Command(
    "shop", group: "Household",
    parts: [
      .init("list") { ShopList.list },
      .init("buy") { ShopAdd.command.withDryRun },
      .init("got") { ShopMark.done.withDryRun },
      .init("undone") { ShopMark.undone.withDryRun },
      .init("edit") { ShopEdit.command.withDryRun },
      .init("remove") { ShopMark.remove.withDryRun },
      .init("restore") { ShopMark.restore.withDryRun },
      .init("fill") { ShopFill.command.withDryRun },
    ], defaultSubcommand: "list")
}
