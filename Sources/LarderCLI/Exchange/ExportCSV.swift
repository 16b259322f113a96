import LarderKit

/// `larder export csv`.
enum ExportCSV {
  private static let table = Argument(
    "TABLE", .optional(standard: ExchangeTable.stock.rawValue),
    values: .suggested(ExchangeTable.allCases.map(\.rawValue)),
    help: "stock, batches, shopping, receipts, locations or products")
  private static let all = Option(
    "all", short: "a", help: "write what is archived, off the list, void or used up too")

  static let command = Command(
    "export csv", arguments: [table, ListOptions.filters.choosing(from: StockRow.listing)],
    options: [ExportedText.file, ListOptions.sort, all]
  ) { invocation in
    let (table, filters) = try chosen(invocation)
    let (survey, version) = try invocation.surveyWithVersion()
    let entities = try entities(table, filters, survey, invocation)
    let told = entities.count == 1 ? table.kind.noun : table.kind.pluralNoun
    try ExportedText(
      bytes: survey.table(table, of: entities, version: version), told: "\(entities.count) \(told)"
    ).write(invocation)
  }

  /// Returns the table and the filters.
  ///
  /// If the first word is a filter, the table is the stock.
  private static func chosen(
    _ invocation: Invocation
  ) throws -> (table: ExchangeTable, filters: [String]) {
    let filters = invocation.all(ListOptions.filters)
    let word = invocation[table]
    if let table = ExchangeTable(rawValue: word) { return (table, filters) }
    guard Filter.isFilter(word) else {
      let choices = ExchangeTable.allCases.map(\.rawValue)
      let near = suggestions(for: word, among: choices)
      throw UsageError(
        [
          .notAmong(
            value: word, name: table.name, choices: choices,
            suggestions: near.isEmpty ? ["\(ExchangeTable.stock.rawValue) \(word)"] : near)
        ], in: invocation.path)
    }
    return (.stock, [word] + filters)
  }

  private static func entities(
    _ table: ExchangeTable, _ filters: [String], _ survey: Survey, _ invocation: Invocation
  ) throws -> [Entity] {
    let isWhole =
      invocation.has(all)
      || filters.map(Filter.init).contains { $0.condition == .state("archived") }
    func chosen<Row: ListRow>(_ rows: [Row]) throws -> [Entity] {
      try invocation.choose(rows, by: filters, in: survey).flatMap(\.entities)
        .filter(survey.stock.isOurs)
    }
    switch table {
    case .stock: return try chosen(StockRow.all(in: survey, withArchived: isWhole))
    case .batches: return try chosen(LotRow.all(in: survey, isWhole: isWhole))
    case .shopping: return try chosen(ShopRow.all(in: survey, withDeleted: isWhole))
    case .receipts:
      let receipts = survey.household.all(.receipt).filter { isWhole || !$0.isTombstone }
      let ordered = receipts.sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
      return try chosen(ReceiptRow.all(ordered, in: survey))
    case .locations: return try chosen(LocationRow.all(in: survey, withArchived: isWhole))
    case .products: return try chosen(ProductRow.all(in: survey, withArchived: isWhole))
    }
  }
}
