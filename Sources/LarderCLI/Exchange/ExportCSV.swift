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
    func chosen<Row: ListRow>(_ row: Row.Type) throws -> [Entity] {
      let rows = Row.all(in: survey, isWhole: isWhole)
      return try invocation.choose(rows, by: filters, in: survey).flatMap(\.entities)
        .filter(survey.stock.isOurs)
    }
    switch table {
    case .stock: return try chosen(StockRow.self)
    case .batches: return try chosen(LotRow.self)
    case .shopping: return try chosen(ShopRow.self)
    // A sheet has the oldest first.
    case .receipts: return try chosen(ReceiptRow.self).reversed()
    case .locations: return try chosen(LocationRow.self)
    case .products: return try chosen(ProductRow.self)
    }
  }
}
