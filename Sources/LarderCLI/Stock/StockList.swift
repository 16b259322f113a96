import LarderKit

/// `larder stock list` and `larder stock low`.
enum StockList {
  private static let all = Option(
    "all", short: "a", help: "show archived items too, and with --batches what is gone")

  private static let batches = Option(
    "batches", short: "b", help: "list batches rather than items, by item and date")

  static let list = Command.list(
    "stock list", of: StockRow.self, [batches], [all],
    records: StockRow.forms(LotRow.listing.columns.form("with --batches")), explaining: "{items}"
  ) { invocation in
    let survey = try await invocation.survey()
    if invocation.has(batches) {
      let lots = try invocation.choose(
        LotRow.all(in: survey, isWhole: invocation.has(all)), in: survey)
      return invocation.list(lots, with: [batches], in: survey)
    }
    let rows = StockRow.all(in: survey, isWhole: invocation.wantsDeleted(all))
    let chosen = try invocation.choose(rows, in: survey)
    let places = try places(of: rows, survey, invocation)
    invocation.show(
      places.map { places in chosen.map { $0.lying(in: places, survey) } } ?? chosen, in: survey)
  }
  .explained("{batches}", LotRow.listing.fieldsText(of: "batches, with --batches"))

  /// Returns the locations that the filters name; nil if they name none.
  private static func places(
    of rows: [StockRow], _ survey: Survey, _ invocation: Invocation
  ) throws -> Set<String>? {
    let operands = invocation.all(ListOptions.filters).map(Filter.init).compactMap(\.place)
    guard !operands.isEmpty else { return nil }
    let used = Set(rows.flatMap(\.places)).sorted()
    let title = Column<String>("location") { .text($0) }
    return Set(
      try operands.flatMap { operand in
        used.filter(try title.test(.equal, operand, used, survey, typed: operand))
      })
  }

  static let low = Command.list("stock low", of: StockRow.self, explaining: "{items}") {
    invocation in
    let survey = try await invocation.survey()
    let rows = StockRow.all(in: survey, isWhole: false).filter(\.isLow)
    invocation.show(
      try invocation.choose(rows, in: survey), in: survey,
      none: rows.isEmpty ? "nothing is low" : nil)
  }
}

extension Invocation {
  /// Prints items with their stock, or `none` if there are no items.
  fileprivate func show(_ rows: [StockRow], in survey: Survey, none: String? = nil) {
    let hasItems = !survey.household.all(.stockItem).isEmpty
    let first = "no items yet: 'larder stock new NAME' adds one"
    list(rows, in: survey, none: hasItems ? none : first)
  }

}

/// An item as a row of the stock's lists.
struct StockRow {
  private let holding: Holding
  let title: String
  /// Whether there is too little that can still be used.
  let isLow: Bool
  /// What has expired of the total; nil if nothing has.
  private let expired: Quantity?
  private let missing: Quantity
  /// Its batches with something left, in the order in which they are used: the first to expire
  /// comes first.
  private(set) var batches: [Entity]
  private(set) var places: [String]
  /// The location where it is put if nobody says another.
  private let usualPlace: String?
  /// The first expiry day.
  private(set) var expiry: BatchDay?
  /// What it means that this day has passed; nil if it has not.
  private(set) var passed: PassedDay?
  /// The titles and ids of its products; only `show` prints them.
  private let products: [String]
  /// The number in the locations of a filter; nil if no filter names a location.
  private var numberThere: Number?

  init(_ item: Entity, in survey: Survey) {
    let products = item.productIDs.map { id in
      survey.household[.product, id].map { "\($0.title) (\(id))" } ?? id
    }
    self.init(survey.stock.holding(of: item), title: item.title, products: products, in: survey)
  }

  private init(
    _ holding: Holding, title: String, products: [String] = [], in survey: borrowing Survey
  ) {
    self.holding = holding
    self.title = title
    let today = survey.calendar.today
    isLow = holding.isLow(on: today)
    missing = Quantity(holding.missing(on: today), holding.item.unit)
    let expired = holding.expired(on: today)
    self.expired = expired > .zero ? Quantity(expired, holding.item.unit) : nil
    batches = holding.usable
    places = batches.isEmpty ? [] : Set(batches.compactMap { survey.place(of: $0) }).sorted()
    expiry = batches.firstDay
    usualPlace = survey.place(of: holding.item)
    passed = batches.first?.passedDay(on: today)
    self.products = products
  }

  var item: Entity { holding.item }
  /// The total, loose and in batches.
  var total: Quantity { inUnit(holding.total) }
  private var full: Quantity { inUnit(holding.fullStock) }
  private var minimum: Quantity? { holding.minimum.map(inUnit) }
  private var there: Quantity? { numberThere.map(inUnit) }

  private func inUnit(_ number: Number) -> Quantity { Quantity(number, item.unit) }

  /// The colour of the quantity.
  var style: Style? {
    if total.value < .zero { return .boldRed }
    guard isLow else { return nil }
    return total.value == .zero ? .red : .yellow
  }

  /// Returns the rows of items by name.
  static func all(in survey: Survey, isWhole: Bool) -> [StockRow] {
    let items = survey.household.all(.stockItem).filter { isWhole || !$0.isTombstone }
      .map { (title: $0.title, item: $0) }.sorted(byText: \.title, thenID: \.item.id)
    let holdings = survey.stock.holdings(of: items.map(\.item))
    return zip(items, holdings).map { StockRow($1, title: $0.title, in: survey) }
  }

  /// Returns the row with only the batches in some locations.
  func lying(in places: Set<String>, _ survey: Survey) -> StockRow {
    var row = self
    row.batches = batches.filter { survey.place(of: $0).map(places.contains) ?? false }
    row.expiry = row.batches.firstDay
    row.passed = row.batches.first?.passedDay(on: survey.calendar.today)
    row.places = self.places.filter(places.contains)
    let sum = row.batches.reduce(Number.zero) { sum, batch in
      sum + (batch.quantity.converted(to: item.unit) ?? .zero)
    }
    row.numberThere = sum.rounded
    return row
  }
}

extension StockRow: ListRow {
  var entities: [Entity] { [item] }
  static var kind: Kind { .stockItem }

  static var listing: Listing<StockRow> {
    Listing(
      columns: columns,
      searched: (
        "the names, the note, the category, and the products' titles and barcodes",
        {
          [$0.title, $0.item.note, $0.item.category] + $0.item.aliases
            + $1.words(ofProducts: $0.item.productIDs)
        }
      ),
      states: [
        .init("low", holds: \.isLow), .init("archived", holds: \.item.isTombstone),
        .init("batched") { !$0.batches.isEmpty }, .init("expired") { $0.expired != nil },
      ])
  }

  /// The column of the locations; as a filter, it also limits the column `There`.
  static var places: Column<StockRow> { Column("location", "place") { .texts($0.places) } }

  private static var columns: [Column<StockRow>] {
    [
      Column("name") { .text($0.title) }
        .inTable("Item", minimumWidth: 12) { .archivable($0.item, $0.title) }
        .inRecord(1).inShow(),
      Column(.init("There", .right, need: .most)) { .init($0.there?.description ?? "") }
        .inJSON(3, as: "there") { FilterValue($0.there).json },
      Column("total", "stock", "quantityInStock", remark: "loose and in batches") {
        .quantity($0.total)
      }
      .inTable("Stock", .right, need: .most) { .init($0.total.description, $0.style) }
      .inRecord(2).inJSON(1).inShow(),
      Column("expired", remark: "what is left of it, and not to be used") {
        FilterValue($0.expired)
      }
      .inTable("Expired", .right, need: .little) { .init($0.expired?.description ?? "", .red) }
      .inRecord(9).inJSON(5).inShow(),
      Column(.init("", isOnlyForTerminals: true)) { .init($0.bar, $0.style ?? .green) },
      Column("quantityLoose", "loose") { .quantity($0.item.quantity) }
        .inShow(as: "loose") { $0.batches.isEmpty ? nil : $0.item.quantity.description },
      Column("quantityFullStock", "full") { .quantity($0.full) }
        .inTable("Full", .right) { .init($0.fullText ?? "") }
        .inRecord(4).inShow(as: "full", text: \.fullText),
      Column("quantityMinimum", "minimum") { row in FilterValue(row.minimum) }
        .inShow(as: "minimum"),
      Column("missing") { .quantity($0.missing) }
        .inJSON(2).inShow { $0.missing.value > .zero ? $0.missing.description : nil },
      Column("unit") { .texts([$0.item.unit.rawValue, $0.item.unit.shortName]) }
        .inRecord(3, text: \.item.unit.rawValue).inShow(text: \.item.unit.rawValue),
      Column("category") { FilterValue($0.item.category) }
        .inTable("Category", need: .little).inRecord(5).inShow(),
      places.inTable("Place").inRecord(6),
      Column("expiry") { FilterValue($0.expiry?.day) }
        .inTable("Keeps until", need: .most) {
          .init($0.expiry?.description ?? "", $0.passed?.style)
        }
        .inRecord(7).inJSON(4),
      Column("products", "product") { .texts($0.item.productIDs) }
        .inShow { $0.products.isEmpty ? nil : $0.products.joined(separator: ", ") },
      Column("aliases", "alias") { .texts($0.item.aliases) }
        .inShow(as: "also called") { row in
          row.item.aliases.isEmpty ? nil : row.item.aliases.joined(separator: ", ")
        },
      Column("keepsDays", "keeps", remark: "days") { row in
        FilterValue(row.item.keepsDays.map { Number($0) })
      }.inShow(as: "keeps") { row in row.item.keepsDays.map { counted($0, "day") } },
      Column("storageLocationId", "usualLocation") { FilterValue($0.usualPlace) }
        .inShow(as: "usual location"),
      Column("note") { FilterValue($0.item.note) }.inShow(),
    ] + Column.identity(record: 8)
  }

  private var fullText: String? { full.value > .zero ? full.description : nil }

  /// The stock compared with the full stock.
  private var bar: String {
    total.value.fraction(of: full.value).map { LarderCLI.bar($0, width: 8) } ?? ""
  }
}

extension Table.Cell {
  /// Creates the cell of an entity's title, which says whether it is archived.
  static func archivable(_ entity: Entity, _ title: String) -> Table.Cell {
    entity.isTombstone ? .init(title + " (archived)", .dim) : .init(title)
  }
}

extension Survey {
  /// Returns the titles and numbers of products, so words find their item or batch.
  func words(ofProducts ids: [String]) -> [String] {
    ids.flatMap { id in
      household[.product, id].map { [$0.title] + $0.numbers } ?? (Identifier.isUUID(id) ? [] : [id])
    }
  }
}
