import LarderJSON
import LarderKit
import LarderModel

/// `larder stock list` and `larder stock low`.
enum StockList {
  private static let all = Option("all", short: "a", help: "show archived items too")

  private static let batches = Option(
    "batches", short: "b", help: "list batches rather than items, by item and date")

  static let list = Command(
    "list", summary: "List what is in stock",
    discussion: ListOptions.discussion + """


      Fields: name, category, total (loose and in batches), quantityInStock (loose), \
      quantityFullStock or full, missing, unit, location, expiry, products, createdAt, updatedAt, \
      and any other field of your files.
      States: is:low, is:archived, is:batched, is:expired. With --batches: name, category, quantity, \
      unit, location, expiry, opened, lot, product, notes; is:expired, is:open.

      With location:PLACE, items also show the quantity in that place.

      The bar compares the stock with the full stock; low items are coloured.
      """,
    examples: [
      Example("larder stock", "everything"),
      Example("larder stock list is:low category:dairy", "what is low in dairy"),
      Example("larder stock list 'total:<500g' --sort total"),
      Example("larder stock list location:freezer -category:meat --json"),
      Example("larder stock list --batches 'expiry:<+1m'", "batches that expire within a month"),
    ],
    arguments: [ListOptions.filters],
    options: [batches, ListOptions.sort, ListOptions.limit, ListOptions.sync, all]
  ) { invocation in
    let survey = try invocation.survey()
    if invocation.has(batches) {
      let lots = try invocation.choose(
        LotRow.all(in: survey), with: LotRow.listing(survey.calendar))
      return invocation.output.show(lots, in: survey) { LotRow.table($0, in: survey) }
    }
    let rows = StockRow.all(in: survey, withArchived: invocation.wantsDeleted(all))
    let chosen = try invocation.choose(rows, with: StockRow.listing(survey.calendar))
    let places = try places(of: rows, survey, invocation)
    invocation.output.show(
      places.map { places in chosen.map { $0.lying(in: places, survey) } } ?? chosen, in: survey)
  }

  /// Returns the locations that the filters name; nil if they name none.
  private static func places(
    of rows: [StockRow], _ survey: Survey, _ invocation: Invocation
  ) throws -> Set<String>? {
    let words = invocation.all(ListOptions.filters).filter { word in
      let filter = Filter(word)
      guard case .field(let name, .equal, let operand) = filter.condition else { return false }
      return !filter.isNegated && !operand.isEmpty && StockRow.placeNames.contains(fold(name))
    }
    guard !words.isEmpty else { return nil }
    let used = Set(rows.flatMap(\.places))
    let listing = Listing<Entity>(
      entity: { $0 }, words: { [$0.title] },
      fields: [.init(StockRow.placeNames[0], StockRow.placeNames[1]) { .text($0.title) }],
      states: [], calendar: survey.calendar)
    let places = survey.household.all(.storageLocation).filter { used.contains($0.title) }
    return Set(
      try words.flatMap { try listing.choose([$0], from: places, for: invocation.path) }
        .map(\.title))
  }

  static let low = Command(
    "low", summary: "List items below their full stock",
    discussion: ListOptions.discussion
      + "\n\n'larder shop fill' puts all of them on the shopping list.",
    examples: [
      Example("larder stock low"), Example("larder stock low category:drinks"),
    ],
    arguments: [ListOptions.filters],
    options: [ListOptions.sort, ListOptions.limit, ListOptions.sync]
  ) { invocation in
    let survey = try invocation.survey()
    let rows = StockRow.all(in: survey, withArchived: false).filter(\.isLow)
    invocation.output.show(
      try invocation.choose(rows, with: StockRow.listing(survey.calendar)), in: survey)
  }
}

extension Output {
  /// Prints items with their stock.
  fileprivate func show(_ rows: [StockRow], in survey: Survey) {
    let hasItems = !survey.household.all(.stockItem).isEmpty
    let none = hasItems ? "nothing to show" : "no items yet: 'larder stock new NAME' adds one"
    list(rows, in: survey, none: none, StockRow.table)
  }

  /// Prints batches: each one in JSON, and one line for a lot otherwise.
  func show(_ rows: [LotRow], in survey: Survey, _ table: ([LotRow]) -> Table) {
    list(rows, in: survey, none: "no batches to show", table)
  }
}

extension StockRow: ListRow {
  var entities: [Entity] { [item] }

  fileprivate static func table(_ rows: [StockRow]) -> Table {
    Table(
      columns: [
        .init("Item", minimumWidth: 12), .init("There", .right), .init("Stock", .right),
        .init("", isOnlyForTerminals: true),
        .init("Full", .right), .init("Category"), .init("Place"), .init("Keeps until"),
      ],
      rows: rows.map(\.cells))
  }

  private var cells: [Table.Cell] {
    let full = item.fullStock
    let drawn = total.value.fraction(of: full).map { bar($0, width: 8) } ?? ""
    return [
      .init(item.title + (item.isTombstone ? " (archived)" : ""), item.isTombstone ? .dim : nil),
      .init(there?.description ?? ""), .init(total.description, style),
      .init(drawn, style ?? .green),
      .init(full > .zero ? Quantity(full, item.unit).description : ""),
      .init(item.category ?? ""), .init(places.joined(separator: ", ")),
      .init(expiry?.description ?? "", isExpired ? .red : nil),
    ]
  }

  /// Returns the record: name, total, unit, full stock, category, locations, first expiry day, id.
  func fields(in survey: Survey) -> [String] {
    [
      item.title, total.value.description, item.unit.rawValue, item.fullStock.description,
      item.category ?? "", places.joined(separator: ", "), expiry?.description ?? "", item.id,
    ]
  }

  func json(in survey: Survey) -> [JSON] {
    var computed = [JSONMember("total", total.value.json), JSONMember("missing", missing.json)]
    if let there { computed.append(JSONMember("there", there.value.json)) }
    if let expiry { computed.append(JSONMember("expiry", .string(expiry.description))) }
    return [survey.listed(item, computed)]
  }
}
