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
    let survey = try await invocation.survey()
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
    let change = try await invocation.change { edit, writer, _ in
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

extension Invocation {
  /// Prints the shopping list with the estimated costs.
  func list(_ rows: [ShopRow], with prices: Option, in survey: Survey) {
    let wanted = rows.map(\.entry).filter { !$0.isTombstone }
    let estimate = ShoppingEstimate(of: wanted, in: survey)
    let shops = EstimateRow.all(of: estimate)
    switch output.mode {
    case .plain: output.records(shops, EstimateRow.columns)
    case .json, .human:
      list(
        rows, with: [prices], in: survey, columns: ShopRow.listing.columns + [estimate.column],
        members: ["estimate": estimate.json])
    }
    guard output.mode == .human, !wanted.isEmpty else { return }
    if !shops.isEmpty { output.write("\n") }
    output.table(Table(shops, EstimateRow.columns))
    if !estimate.unknown.isEmpty {
      let names = estimate.unknown.map { survey.naming.title(of: $0) }
      output.note("no price is known of \(inShort(names))")
    }
  }
}

extension ShoppingEstimate {
  /// The column with the cost of each entry at its last price.
  fileprivate var column: Column<ShopRow> {
    Column("estimate") { row in .init(prices[row.entry.id]?.first?.cost) }
      .inTable("About", .right) { row in
        .init(
          prices[row.entry.id]?.first.map {
            TypedMoney($0.cost, $0.purchase.currency).description
          } ?? "")
      }
      .inJSON(.max, as: "prices") { row in .array((prices[row.entry.id] ?? []).map(\.json)) }
  }

  fileprivate var json: JSON {
    [
      "together": .array(together.map(\.json)),
      "shops": .array(shops.map { ["shop": .string($0.shop)] + $0.sum.json }),
      "unknown": .texts(unknown.map(\.id)),
    ]
  }
}

extension ShoppingEstimate.Sum {
  fileprivate var json: JSON {
    [
      "amount": cost.json, "currency": currency.map { .string($0) }, "entries": .number(entries),
    ]
  }
}

extension ShoppingEstimate.Price {
  fileprivate var json: JSON {
    [
      "shop": .string(purchase.shop), "amount": cost.json,
      "currency": purchase.currency.map { .string($0) }, "day": .string(purchase.day.description),
    ]
  }
}

/// A shop with the cost of the list there.
///
/// Without a shop, the cost at the last prices anywhere.
struct EstimateRow {
  let shop: String?
  let sum: ShoppingEstimate.Sum
  /// The number of entries on the list.
  let count: Int

  static func all(of estimate: ShoppingEstimate) -> [EstimateRow] {
    estimate.together.map { EstimateRow(shop: nil, sum: $0, count: estimate.count) }
      + estimate.shops.map { EstimateRow(shop: $0.shop, sum: $0.sum, count: estimate.count) }
  }

  static var columns: [Column<EstimateRow>] {
    [
      Column("shop") { FilterValue($0.shop) }
        .inTable("At the last prices in", minimumWidth: 16, need: .most) {
          .init($0.shop ?? "any shop", $0.shop == nil ? .bold : nil)
        }
        .inRecord(1),
      Column("entries") { .number(Number($0.sum.entries)) }
        .inTable("Known", .right) { .init("\($0.sum.entries) of \($0.count)") }.inRecord(4),
      Column("count") { .number(Number($0.count)) }.inRecord(5),
      Column("amount") { .number($0.sum.cost) }
        .inTable("About", .right, need: .most) {
          .init(TypedMoney($0.sum.cost, $0.sum.currency).description)
        }
        .inRecord(2),
      Column("currency") { FilterValue($0.sum.currency) }.inRecord(3),
    ]
  }
}
