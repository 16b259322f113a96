import LarderKit

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

  static let command = Command(
    "import csv", arguments: [InputFile.argument],
    options: [kind, map, encoding, ReceiptOptions.new, ReceiptOptions.noNew]
  ) { invocation in
    let input = try InputFile(invocation[InputFile.argument], invocation)
    let map = try mapped(invocation)
    try input.importing {
      let file = try CSVFile(
        input.bytes, table: invocation[kind].flatMap { ExchangeTable(rawValue: $0) }, map: map,
        encoding: invocation[encoding].flatMap { TextEncodingName(rawValue: $0) })
      tellUnread(file, invocation)
      let (report, outcome) = try invocation.keepingNew { rules, checkNew in
        try invocation.withLarder { larder in
          try larder.commit { change in
            let report = try change.take(file, keepingNew: rules.makesItems || rules.keepsNewThings)
            {
              larder.survey(ofVersion: $0)
            } progress: { rows, percent in
              invocation.output.progress.update("🔄 \(counted(rows, "row")) read, \(percent) %")
            }
            invocation.output.progress.finish()
            try checkNew(report.newThings, change.survey)
            change.subject = "import \(counted(report.rows, "row")) of \(file.table.rawValue)"
            return report
          }
        }
      }
      invocation.reportImport(outcome, report)
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
  func reportImport(_ outcome: Outcome, _ report: ImportReport) {
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
    guard !outcome.isNothing else { return }
    if !report.unknownThings.isEmpty {
      output.note(
        "on the receipts only: \(inShort(report.unknownThings))"
          + (leavesNew ? "" : "; 'larder undo', and --new makes them items of the stock"))
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
