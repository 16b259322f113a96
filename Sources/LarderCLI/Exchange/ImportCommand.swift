import LarderKit
import Libc

/// `larder import`: takes over the data of another program.
enum ImportCommand {
  static let command = Command(
    "import", group: "Household",
    parts: [
      .init("csv") { ImportCSV.command.withDryRun },
      .init("json") { JSONCopy.take.withDryRun },
      .init("todo.txt") { TodoCommand.take.withDryRun },
      .init("grocy") { GrocyImport.command.withDryRun },
    ])
}

/// The imported file, or standard input.
struct InputFile {
  static let argument = Argument("FILE", values: .file, help: "the file; - reads standard input")

  let bytes: [UInt8]
  /// The name for messages.
  let name: String

  /// Reads the whole file that an argument names; throws if it has more than `most` bytes.
  init(_ path: String, atMost most: Int = CSVFile.mostBytes, _ invocation: Invocation) throws {
    name = path == "-" ? "standard input" : path
    bytes =
      path == "-"
      ? Self.standardInput(invocation, atMost: most + 1)
      : try FileBytes.read(path, atMost: most + 1)
    guard bytes.count <= most else {
      throw ErrorWords(
        .invalidData, "\(name) has more than \(most >> 20) MiB, and nothing of it was imported",
        "import it in several parts")
    }
  }

  private static func standardInput(_ invocation: Invocation, atMost most: Int) -> [UInt8] {
    let input = invocation.prompt.input
    if let bytes = input.readBytes?(most) { return bytes }
    var text = ""
    while let line = input.readLine() { text += line + "\n" }
    return Array(text.utf8)
  }

  /// Runs an import of the file; its mistakes get the file's name.
  func importing<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch {
      var failure = MessageWords().errorWords(for: error)
      for index in failure.problems.indices where failure.problems[index].line != nil {
        failure.problems[index].path = failure.problems[index].path ?? name
      }
      throw failure
    }
  }
}

/// `larder import grocy`.
enum GrocyImport {
  private static let files = Argument(
    "FILE-or-DIR", .oneOrMore, values: .file,
    help: "files with answers of Grocy, or a folder of them; - reads standard input")

  static let command = Command("import grocy", arguments: [files]) { invocation in
    let paths = try invocation.all(files).flatMap { try FileBytes.files(at: $0, named: ".json") }
    let inputs = try paths.map { try InputFile($0, invocation) }
    let answers = try GrocyAnswers(inputs.map { ($0.name, $0.bytes) })
    let (report, outcome) = try await invocation.withLarder { larder in
      try larder.commit("import from Grocy") { try $0.take(answers) }
    }
    tell(report, outcome, invocation)
  }

  private static func tell(_ report: GrocyReport, _ outcome: Outcome, _ invocation: Invocation) {
    let numbers = [
      ("items", report.items), ("locations", report.locations), ("stock", report.stock),
      ("listed", report.listed),
    ]
    let told = [
      counted(report.items, "new item"), counted(report.locations, "new location"),
      counted(report.stock, "stock entry", "stock entries"),
      "\(report.listed) on the shopping list",
    ]
    invocation.reportImport(outcome, of: told.joined(separator: ", "), numbers)
    guard invocation.output.mode == .human else { return }
    if !report.known.isEmpty {
      invocation.output.note(
        "here already, with their own stock: \(inShort(report.known)); 'larder count' says what there is"
      )
    }
    tellLeftOut(report, invocation.output)
    if !report.unknownUnits.isEmpty {
      invocation.output.note(
        "counted in pieces, as their unit is not known here: \(inShort(report.unknownUnits)); "
          + "/api/objects/quantity_units has Grocy's units, 'larder stock edit ITEM --unit U' sets one"
      )
    }
  }

  private static func tellLeftOut(_ report: GrocyReport, _ output: Output) {
    for part in report.leftOut { output.note(part.sentence) }
    if !report.others.isEmpty {
      output.note(
        "left out, as nothing here is like them: \(report.others.joined(separator: ", "))")
    }
    if !report.empty.isEmpty {
      let told = report.empty.map { "\($0.sort.rawValue) \($0.id), whose \($0.key) is empty" }
      output.note("left out: \(told.joined(separator: ", "))")
    }
    if !report.oddBarcodes.isEmpty {
      output.note(
        "left out, as these are no barcodes of products: \(report.oddBarcodes.joined(separator: ", "))"
      )
    }
    for pack in report.unknownPacks {
      output.note(
        "\(pack.barcode) stands for \(pack.unit) of \(pack.product), and no answer says how much that "
          + "is: 'larder product edit \(shellWord(pack.barcode)) --pack-size N' does, as "
          + "/api/objects/quantity_unit_conversions would have")
    }
  }
}

/// `larder export todo.txt` and `larder import todo.txt`.
enum TodoCommand {
  static let export = Command(
    "export todo.txt", arguments: [ListOptions.filters.choosing(ShopRow.self)],
    options: [ExportedText.file]
  ) { invocation in
    let survey = try await invocation.survey()
    let rows = try invocation.choose(ShopRow.all(in: survey), in: survey)
    let list = TodoList(of: rows.map { ShoppingListEntry(entity: $0.entry) }, in: survey)
    try ExportedText(bytes: Array(list.text.utf8), told: counted(list.count, "entry", "entries"))
      .write(invocation)
  }

  static let take = Command("import todo.txt", arguments: [InputFile.argument]) { invocation in
    let input = try InputFile(invocation[InputFile.argument], invocation)
    try await input.importing {
      let (report, outcome) = try await invocation.withLarder { larder in
        try larder.commit { change in
          let report = try change.take(todo: input.bytes)
          let keys = report.ticked + report.added
          let titles = keys.compactMap { key in
            change.edit.after[key].map { change.edit.title(of: $0) }
          }
          change.subject = "import a todo.txt file: \(inShort(titles))"
          return report
        }
      }
      tell(report, outcome, invocation)
    }
  }

  private static func tell(_ report: TodoReport, _ outcome: Outcome, _ invocation: Invocation) {
    invocation.tellRehearsal()
    let ticked = report.ticked.compactMap { key in
      outcome[key].map { "\(outcome.after.naming.title(of: $0)) is in the basket" }
    }
    let added = report.added.compactMap { key in outcome[key].map { outcome.wanted($0) } }
    invocation.output.report(outcome, lines: ticked + added)
    guard invocation.output.mode == .human else { return }
    if outcome.isNothing { invocation.output.note("nothing changed: no tick and no line is new") }
    if report.gone > 0 {
      let count = counted(report.gone, "ticked entry is", "ticked entries are")
      invocation.output.note("\(count) off the list already")
    }
    if !report.headings.isEmpty {
      let isOne = report.headings.count == 1
      invocation.output.note(
        "read as \(isOne ? "a heading, which is no thing" : "headings, which are no things"): "
          + inShort(report.headings))
    }
  }
}

/// `larder export json` and `larder import json`.
enum JSONCopy {
  static let export = Command("export json", options: [ExportedText.file]) { invocation in
    try await invocation.withLarder { larder in
      let copy = try HouseholdCopy(of: try larder.read().household)
      try ExportedText(bytes: copy.bytes, told: counted(copy.count, "file"), isJSON: true)
        .write(invocation)
    }
  }

  static let take = Command("import json", arguments: [InputFile.argument]) { invocation in
    let input = try InputFile(
      invocation[InputFile.argument], atMost: HouseholdCopy.mostBytes, invocation)
    try await input.importing {
      let copy = try HouseholdCopy(input.bytes)
      let outcome = try await invocation.withLarder { try $0.take(copy) }
      invocation.reportImport(outcome, of: counted(copy.count, "file"))
    }
  }
}

/// `larder import csv`.
enum ImportCSV {
  private static let kind = Option(
    "kind", value: "TABLE", values: .oneOf(ExchangeTable.allCases.map(\.rawValue)),
    help: "what the rows are, if the headings don't say it")
  private static let map = Option(
    "map", value: "COLUMN=FIELD", isRepeatable: true,
    help: "read a column with this heading as a field; without a field, leave it out")
  private static let encoding = Option(
    "encoding", value: "NAME", values: .oneOf(TextEncodingName.allCases.map(\.rawValue)),
    help: "the encoding of a file that is not UTF-8")
  private static let days = Option(
    "days", value: "ORDER", values: .oneOf(DayOrder.allCases.map(\.rawValue)),
    help: "whether dates such as 05/04/2026 begin with the day, if no row says it")

  static let command = Command(
    "import csv", arguments: [InputFile.argument],
    options: [kind, map, encoding, days, ReceiptOptions.new, ReceiptOptions.noNew]
  ) { invocation in
    let input = try InputFile(invocation[InputFile.argument], invocation)
    let map = try mapped(invocation)
    try await input.importing {
      let file = try CSVFile(
        input.bytes, table: invocation[kind].flatMap { ExchangeTable(rawValue: $0) }, map: map,
        encoding: invocation[encoding].flatMap { TextEncodingName(rawValue: $0) })
      tellUnread(file, invocation)
      let (report, outcome) = try await invocation.keepingNew { change, rules in
        let keepsNew = rules.makesItems || rules.keepsNewThings
        let order = invocation[days].flatMap { DayOrder(rawValue: $0) }
        let report = try change.take(file, keepingNew: keepsNew, order: order) { rows, percent in
          invocation.output.progress.update("🔄 \(counted(rows, "row")) read, \(percent) %")
        }
        invocation.output.progress.finish()
        change.subject = "import \(counted(report.rows, "row")) of \(file.table.rawValue)"
        return (report, report.newThings)
      }
      await invocation.reportImport(outcome, report)
    }
  }

  private static func mapped(_ invocation: Invocation) throws -> [String: String] {
    var map: [String: String] = [:]
    for text in invocation.all(Self.map) {
      guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
        throw invocation.unreadable(text, for: Self.map.spelling, "COLUMN=FIELD is needed")
      }
      let field = String(text[text.index(after: equals)...])
      let tables = invocation[kind].flatMap { ExchangeTable(rawValue: $0) }.map { [$0] }
      let known = (tables ?? ExchangeTable.allCases).flatMap { $0.fields.map(\.text) }
      let isKnown = ExchangeTable.allCases.contains { $0.field(headed: field) != nil }
      guard field.isEmpty || isKnown else {
        throw invocation.usage(.notAmong(field, name: Self.map.spelling, known.unique))
      }
      map[String(text[..<equals])] = field
    }
    return map
  }

  private static func tellUnread(_ file: CSVFile, _ invocation: Invocation) {
    let unread = file.unreadHeadings
    guard !unread.isEmpty else { return }
    invocation.output.note(
      "not read: \(unread.count == 1 ? "the column" : "the columns") "
        + unread.map { "'\($0)'" }.joined(separator: ", ")
        + "; --map 'COLUMN=FIELD' says what one is")
  }
}

extension Invocation {
  /// Reports the changes of an import of rows.
  func reportImport(_ outcome: Outcome, _ report: ImportReport) async {
    for warning in warnings(about: report, outcome.before) { output.warn(Problem(warning)) }
    let counts = report.counted > 0 ? ", \(report.counted) counted" : ""
    reportImport(
      outcome,
      of: "\(counted(report.rows, "row")): \(report.made) new, \(report.changed) changed\(counts)",
      [
        ("rows", report.rows), ("made", report.made), ("edited", report.changed),
        ("counted", report.counted),
      ])
    if report.stood > 0 {
      output.note(
        "\(counted(report.stood, "row")) \(report.stood == 1 ? "was" : "were") changed here since the export; these changes are kept"
      )
    }
    if let decided = report.dayOrder, output.mode == .human {
      let order = decided.order.rawValue.replacing("-", with: " and ")
      output.note(
        "dates are read with \(order) in this order, as \(decided.witness) says; --days says otherwise"
      )
    }
    guard !outcome.isNothing else { return }
    if !report.unknownThings.isEmpty {
      let hint = "; 'larder undo', and --new makes them items of the stock"
      let leavesNew = await leavesNew()
      output.note(
        "on the receipts only: \(inShort(report.unknownThings))" + (leavesNew ? "" : hint))
    }
    if report.known > 0 { output.note("\(counted(report.known, "receipt")) had been saved before") }
    if report.inCounts > 0 {
      output.note(
        "\(counted(report.inCounts, "line")) changed no stock: paid before the item was last counted"
      )
    }
  }

  /// Returns sentences about what people should check; at most twenty of each sort.
  private func warnings(about report: ImportReport, _ before: Survey) -> [String] {
    var warnings = report.overwritten.prefix(20).map { value in
      "\(value.title): \(value.field == .quantity ? "quantity" : EntityWords.label(value.field)) is now '\(value.imported)' as in the table; "
        + "since the export somebody had changed '\(value.then)' to '\(value.now)'"
    }
    if report.overwritten.count > 20 {
      let rest = report.overwritten.count - 20
      warnings.append("and \(rest) more values that were changed since the export")
    }
    warnings += report.completedDays.map(\.words).sorted().prefix(20)
    warnings += report.newLocations.prefix(20).compactMap { location in
      location.near.map { near in
        "the location \(location.name) is new; if \(near) was meant, 'larder undo' takes the import back"
      }
    }
    warnings += report.twins.prefix(20).map { twin in
      "a receipt of the same shop, day and amount was here with other lines: \(before.reference(to: twin))"
    }
    if let item = report.besideLoose.first {
      let rest = report.besideLoose.count - 1
      warnings.append(
        "the loose stock of \(item)"
          + (rest > 0 ? ", and of \(counted(rest, "other thing")), " : " ")
          + "is kept beside the new batches; if it is the same stock, 'larder stock count "
          + "\(shellWord(item)) AMOUNT' says how much there is")
    }
    return warnings
  }

  /// Reports the changes of an import, and then `told` as a summary.
  ///
  /// It has sentences about up to twenty things, or about all of them in a rehearsal.
  func reportImport(
    _ outcome: Outcome, of told: String, _ numbers: [(name: String, count: Int)] = []
  ) {
    tellRehearsal()
    guard output.mode == .human else {
      let members = numbers.map { JSONMember($0.name, .number($0.count)) }
      return output.report(outcome, .object(members), lines: [])
    }
    output.changes(
      outcome.writing.changed, from: outcome.before.household, to: outcome.after.household,
      most: has(Rehearsal.option) ? .max : 20)
    output.note(outcome.isNothing ? "nothing changed: there is nothing new in it" : told)
  }
}
