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
    guard invocation.has(prices) else { return await invocation.list(rows, in: survey) }
    await invocation.list(rows, with: prices, in: survey)
  }
}

extension ShopRow: ListedRow {
  static let columns: [Column<ShopRow>] = [
    Column(.init("", minimumWidth: 3)) { $0.cell($0.mark) }
      .inRecord(1, as: "state", text: \.state.rawValue),
    Column("desiredQuantity")
      .inTable("Quantity", .right) { $0.cell($0.entry.desired.description) }
      .inRecord(3),
    Column("unit").inRecord(4, text: \.entry.unit.rawValue),
    Column("name")
      .inTable("Entry", minimumWidth: 12, need: .most) { $0.cell($0.title) }
      .inRecord(2).inJSON(1) { $0.entry.name == nil ? .string($0.title) : nil },
    Column("category")
      .inTable("Category", need: .little) { $0.cell($0.category ?? "") }
      .inRecord(5).inJSON(2) { $0.entry.category == nil ? ListValue($0.category).json : nil },
    Column("note").inTable("Note") { $0.cell($0.entry.note ?? "") }.inRecord(6),
    Column("id").inRecord(7),
  ]

  private func cell(_ text: String) -> Table.Cell { .init(text, state == .open ? nil : .dim) }

  private var mark: String {
    switch state {
    case .open: "[ ]"
    case .done: "[x]"
    case .off: "off"
    }
  }
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
  func list(_ rows: [ShopRow], with prices: Option, in survey: Survey) async {
    let wanted = rows.map(\.entry).filter { !$0.isTombstone }
    let estimate = ShoppingEstimate(of: wanted, in: survey)
    let shops = EstimateRow.all(of: estimate)
    switch output.mode {
    case .plain: output.records(shops, EstimateRow.columns)
    case .json, .human:
      await list(
        rows, with: [prices], in: survey, columns: ShopRow.columns + [estimate.column],
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
      Column("shop") { ListValue($0.shop) }
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
      Column("currency") { ListValue($0.sum.currency) }.inRecord(3),
    ]
  }
}
