import LarderKit

/// `larder export`: writes the household's data for other programs.
enum ExportCommand {
  static let command = Command(
    "export", group: "Household",
    parts: [
      .init("csv") { ExportCSV.command },
      .init("json") { JSONCopy.export },
      .init("hledger") { HledgerExport.command },
      .init("todo.txt") { TodoCommand.export },
      .init("ics") { CalendarExport.command },
    ])
}

/// The result of an export: a text for another program, on standard output or in a file.
struct ExportedText {
  static let file = Option(
    "output", short: "o", value: "FILE", values: .file,
    help: "write to FILE instead of standard output")

  let bytes: [UInt8]
  /// The number of things in the text, in words.
  let told: String
  /// Whether the text is one JSON object already, so `--json` changes nothing.
  var isJSON = false

  /// Writes the text to the place that the options name.
  ///
  /// A file is replaced completely or not at all. A file with another text is replaced only if an
  /// option says so.
  func write(_ invocation: Invocation) throws {
    let output = invocation.output
    guard let path = invocation[ExportedText.file] else {
      if output.mode == .json, !isJSON {
        let text = String(decoding: bytes, as: UTF8.self)
        return output.json(["text": .string(text)])
      }
      return output.terminal.outputIsTerminal ? show(output) : output.write(bytes)
    }
    try checkIsFree(path, invocation)
    try FileBytes.write(bytes, to: path)
    if output.mode == .json {
      output.json(["file": .string(path), "bytes": .number(bytes.count)])
    } else {
      output.note("wrote \(told) to \(path)")
    }
  }

  /// Throws if the file has another content, which may be a table that somebody edited.
  private func checkIsFree(_ path: String, _ invocation: Invocation) throws {
    guard let there = try FileBytes.already(at: path), there != bytes,
      invocation.prompt.confirm("\(path) is there already; replace it?") != true
    else { return }
    throw ErrorWords(
      .failed, "\(path) is there already, with something else in it, so it stays as it is",
      "--yes replaces it")
  }

  /// Prints the text line by line and sanitised, so no name can control the terminal.
  private func show(_ output: Output) {
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    for line in lines.last?.isEmpty ?? false ? lines.dropLast() : lines[...] {
      output.line(String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self))
    }
  }
}

/// `larder export csv`.
enum ExportCSV {
  private static let table = Argument(
    "TABLE", .optional(standard: ExchangeTable.stock.rawValue),
    values: .suggested(ExchangeTable.allCases.map(\.rawValue)),
    help: "stock, batches, shopping, receipts, locations or products")
  private static let all = Option(
    "all", short: "a", help: "write what is archived, off the list, void or used up too")

  static let command = Command(
    "export csv", arguments: [table, ListOptions.filters.choosing(StockRow.self)],
    options: [ExportedText.file, ListOptions.sort, all]
  ) { invocation in
    let (table, filters) = try chosen(invocation)
    let (survey, version) = try await invocation.surveyWithVersion()
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
      throw invocation.usage(
        .notAmong(
          value: word, name: table.name, choices: choices,
          suggestions: near.isEmpty ? ["\(ExchangeTable.stock.rawValue) \(word)"] : near))
    }
    return (.stock, [word] + filters)
  }

  private static func entities(
    _ table: ExchangeTable, _ filters: [String], _ survey: Survey, _ invocation: Invocation
  ) throws -> [Entity] {
    let isWhole = invocation.has(all) || Filter.wantsArchived(filters)
    func chosen<Row: ListRow>(_ rows: (Survey, Bool) -> [Row]) throws -> [Entity] {
      try invocation.choose(rows(survey, isWhole), by: filters, in: survey).flatMap(\.entities)
        .filter(survey.stock.isOurs)
    }
    switch table {
    case .stock: return try chosen(StockRow.all)
    case .batches: return try chosen(LotRow.all)
    case .shopping: return try chosen(ShopRow.all)
    // A sheet has the oldest first.
    case .receipts: return try chosen { ReceiptRow.all(in: $0, isWhole: $1).reversed() }
    case .locations: return try chosen(LocationRow.all)
    case .products: return try chosen(ProductRow.all)
    }
  }
}

/// `larder export ics`.
enum CalendarExport {
  private static let only = Option(
    "only", value: "PART", values: .oneOf(["due", "list"]),
    help: "only what is due, or only the shopping list")

  static let command = Command(
    "export ics", arguments: [ListOptions.filters.choosing(LotRow.self)],
    options: [ExportedText.file, only]
  ) { invocation in
    let survey = try await invocation.survey()
    let part = invocation[only]
    let lots = try invocation.choose(LotRow.all(in: survey), in: survey)
    let batches = lots.flatMap(\.entities).filter(\.hasSomethingLeft).map { Batch(entity: $0) }
    let entries = ShopRow.all(in: survey).map {
      ShoppingListEntry(entity: $0.entry)
    }
    let events = HouseholdEvents(
      part == "list" ? [] : batches, part == "due" ? [] : entries, in: survey)
    let told =
      "\(counted(events.count.events, "event")) and \(counted(events.count.todos, "to-do"))"
    try ExportedText(bytes: Array(events.text.utf8), told: told).write(invocation)
  }
}

/// `larder export hledger`.
enum HledgerExport {
  static let command = Command(
    "export hledger", arguments: [ListOptions.filters.choosing(ReceiptRow.self)],
    options: [ExportedText.file]
  ) { invocation in
    let survey = try await invocation.survey()
    let accounts = try await invocation.withLarder { try $0.accounts(in: survey) }
    let chosen = try invocation.choose(ReceiptRow.all(in: survey), in: survey)
    let journal = HledgerJournal(
      of: chosen.flatMap(\.entities).map { Receipt(entity: $0) }, accounts, in: survey)
    try ExportedText(bytes: Array(journal.text.utf8), told: counted(journal.count, "transaction"))
      .write(invocation)
    if journal.left > 0 {
      invocation.output.note(
        "left out: \(counted(journal.left, "receipt")) without an amount and without a price")
    }
  }
}

/// `larder config account.NAME`: the accounts of the journal.
enum AccountConfig {
  static let prefix = "account."

  static func run(_ invocation: Invocation, _ key: String, _ value: String?) async throws {
    let word = String(key.dropFirst(prefix.count))
    guard !word.isEmpty else {
      throw invocation.unreadable(
        key, for: ConfigCommand.key.name,
        "account.expenses, account.payment or account.CATEGORY is needed")
    }
    try await invocation.withLarder { larder in
      let account = ExpenseAccount(word)
      guard let value else {
        let standard = HledgerJournal.Accounts()
        let name = try larder.name(of: account)
        return UserConfig.show(key, name ?? standard.standard(account), invocation.output)
      }
      guard value.isEmpty || HledgerJournal.Accounts.isName(value) else {
        throw invocation.unreadable(
          value, for: ConfigCommand.value.name,
          "an account's name is needed, such as expenses:household")
      }
      guard try larder.set(account, value.isEmpty ? nil : value) else {
        throw invocation.unreadable(
          word, for: ConfigCommand.key.name, "a category on one line is needed")
      }
      let name = value.isEmpty ? HledgerJournal.Accounts().standard(account) ?? "" : value
      invocation.output.report(
        setting: key, value,
        name.isEmpty ? "\(key) is a standard account again" : "\(key) is now \(name)")
    }
  }
}

extension HledgerJournal.Accounts {
  /// The default name of an account; nil for a category.
  fileprivate func standard(_ account: ExpenseAccount) -> String? {
    switch account {
    case .expenses: expenses
    case .payment: payment
    case .category: nil
    }
  }
}
