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
    let survey = try invocation.survey()
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
    let operands =
      invocation.all(ListOptions.filters).map(Filter.init).compactMap { filter in
        guard case .field(let name, .equal, let operand) = filter.condition else { return nil }
        let isPlace = StockRow.places.names.contains(fold(name))
        return isPlace && !filter.isNegated && !operand.isEmpty ? operand : nil
      } as [String]
    guard !operands.isEmpty else { return nil }
    let used = Set(rows.flatMap(\.places)).sorted()
    let title = Column<String>("location") { .text($0) }
    return Set(
      try operands.flatMap { operand in
        let isMeant = title.test(.equal, operand, used, survey, typed: operand)
        return used.filter(try isMeant.get())
      })
  }

  static let low = Command.list("stock low", of: StockRow.self, explaining: "{items}") {
    invocation in
    let survey = try invocation.survey()
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
