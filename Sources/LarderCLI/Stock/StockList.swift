import LarderKit

/// `larder stock list` and `larder stock low`.
enum StockList {
  private static let all = Option(
    "all", short: "a", help: "show archived items too, and with --batches what is gone")

  private static let batches = Option(
    "batches", short: "b", help: "list batches rather than items, by item and date")

  static let list = Command.list(
    "stock list", of: StockRow.self, [batches], [all],
    records: StockRow.forms(LotRow.columns.form("with --batches")), explaining: "{items}"
  ) { invocation in
    let survey = try await invocation.survey()
    if invocation.has(batches) {
      let lots = try invocation.choose(
        LotRow.all(in: survey, isWhole: invocation.has(all)), in: survey)
      return await invocation.list(lots, with: [batches], in: survey)
    }
    let rows = StockRow.all(in: survey, isWhole: invocation.wantsDeleted(all))
    let chosen = try invocation.choose(rows, in: survey)
    let words = invocation.all(ListOptions.filters)
    await invocation.show(StockRow.lying(chosen, at: words, among: rows, in: survey), in: survey)
  }
  .explained("{batches}", LotRow.listing.fieldsText(of: "batches, with --batches"))

  static let low = Command.list("stock low", of: StockRow.self, explaining: "{items}") {
    invocation in
    let survey = try await invocation.survey()
    let rows = StockRow.all(in: survey, isWhole: false).filter(\.isLow)
    await invocation.show(
      try invocation.choose(rows, in: survey), in: survey,
      none: rows.isEmpty ? "nothing is low" : nil)
  }
}

extension Invocation {
  /// Prints items with their stock, or `none` if there are no items.
  fileprivate func show(_ rows: [StockRow], in survey: Survey, none: String? = nil) async {
    let hasItems = !survey.household.all(.stockItem).isEmpty
    let first = "no items yet: 'larder stock new NAME' adds one"
    await list(rows, in: survey, none: hasItems ? none : first)
  }
}

extension StockRow {
  /// The colour of the quantity.
  var style: Style? {
    if total.value < .zero { return .boldRed }
    guard isLow else { return nil }
    return total.value == .zero ? .red : .yellow
  }

  private var fullText: String? { full.value > .zero ? full.description : nil }

  /// The stock compared with the full stock.
  private var bar: String {
    total.value.fraction(of: full.value).map { LarderCLI.bar($0, width: 8) } ?? ""
  }
}

extension StockRow: ListedRow {
  static let isNumberedLast = true

  static let columns: [Column<StockRow>] = [
    Column("name")
      .inTable("Item", minimumWidth: 12) { .archivable($0.item, $0.title) }
      .inRecord(1).inShow(),
    Column(.init("There", .right, need: .most)) { .init($0.there?.description ?? "") }
      .inJSON(3, as: "there") { ListValue($0.there).json },
    Column("total")
      .inTable("Stock", .right, need: .most) { .init($0.total.description, $0.style) }
      .inRecord(2).inJSON(1).inShow(),
    Column("expired")
      .inTable("Expired", .right, need: .little) { .init($0.expired?.description ?? "", .red) }
      .inRecord(9).inJSON(5).inShow(),
    Column(.init("", isOnlyForTerminals: true)) { .init($0.bar, $0.style ?? .green) },
    Column("quantityLoose")
      .inShow(as: "loose") { $0.batches.isEmpty ? nil : $0.item.quantity.description },
    Column("quantityFullStock")
      .inTable("Full", .right) { .init($0.fullText ?? "") }
      .inRecord(4).inShow(as: "full", text: \.fullText),
    Column("quantityMinimum").inShow(as: "minimum"),
    Column("missing")
      .inJSON(2).inShow { $0.missing.value > .zero ? $0.missing.description : nil },
    Column("unit").inRecord(3, text: \.item.unit.rawValue).inShow(text: \.item.unit.rawValue),
    Column("category").inTable("Category", need: .little).inRecord(5).inShow(),
    Column("location").inTable("Place").inRecord(6),
    Column("expiry")
      .inTable("Keeps until", need: .most) {
        .init($0.expiry?.description ?? "", $0.passed?.style)
      }
      .inRecord(7).inJSON(4),
    Column("products")
      .inShow { row, survey in
        let products = row.item.productIDs.map { id in
          survey.household[.product, id].map { "\($0.title) (\(id))" } ?? id
        }
        return products.isEmpty ? nil : products.joined(separator: ", ")
      },
    Column("aliases").inShow(as: "also called"),
    Column("keepsDays").inShow(as: "keeps") { row in row.item.keepsDays.map { counted($0, "day") }
    },
    Column("storageLocationId").inShow(as: "usual location"),
    Column("note").inShow(),
    Column("id").inRecord(8),
  ]
}

extension Table.Cell {
  /// Creates the cell of an entity's title, which says whether it is archived.
  static func archivable(_ entity: Entity, _ title: String) -> Table.Cell {
    entity.isTombstone ? .init(title + " (archived)", .dim) : .init(title)
  }
}
