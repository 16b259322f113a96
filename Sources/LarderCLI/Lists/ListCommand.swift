import LarderKit

/// A row of a list with its columns.
protocol ListedRow: ListRow {
  /// The columns of the list, in the order of tables and of `show`.
  static var columns: [Column<Self>] { get }
  /// Whether the number stands at the end of the line at a terminal, and not at its beginning.
  static var isNumberedLast: Bool { get }
}

extension ListedRow {
  static var isNumberedLast: Bool { false }
}

extension Array where Element: ListedRow {
  /// The list that these rows are.
  fileprivate func shown(in survey: Survey) -> ShownList {
    ShownList(
      of: Element.kind,
      compactMap(\.entities.first).map { entity in
        .init(id: entity.id, title: survey.naming.title(of: entity), isDeleted: entity.isTombstone)
      })
  }
}

extension Command {
  /// A command that lists rows, with the argument and the options that all lists share between its
  /// own ones.
  ///
  /// `word` is the place in its help of what is said of the filters.
  static func list<Row: ListedRow>(
    _ title: String, of row: Row.Type, _ first: [Option] = [], _ last: [Option] = [],
    records: [RecordForm] = Row.forms, explaining word: String = "{fields}", run: @escaping Run
  ) -> Command {
    Command(
      title, arguments: [ListOptions.filters.choosing(Row.self)],
      options: first + ListOptions.all + last, records: records, isPaged: true, run: run
    )
    .explained(word, Row.listing.discussion)
  }

  /// A command that lists all things of a kind, with those that are archived if an option says so;
  /// `first` is the note if there are none yet.
  static func list<Row: ListedRow>(
    _ title: String, of row: Row.Type, all: Option, first: String
  ) -> Command {
    list(title, of: row, [], [all]) { invocation in
      let survey = try await invocation.survey()
      let rows = Row.all(in: survey, isWhole: invocation.wantsDeleted(all))
      let isFirst = survey.household.all(Row.kind).isEmpty
      await invocation.list(
        try invocation.choose(rows, in: survey), in: survey, none: isFirst ? first : nil)
    }
  }
}

extension Listing {
  /// The help's text about filters, with the fields and states of this list.
  var discussion: String {
    """
    Words match \(searchedNames), without regard to case and accents. \
    'field:value' compares a field, named as in the files; 'field>value' compares a number or a day, \
    also with >=, < and <=, in quotes for the shell. 'field:' matches if there is no value, and '-field:value' if it is anything else. \
    A row must match all filters. If none has all of several words, those with one of them are listed.

    \(fieldsText())
    """
  }

  /// Returns the help's text about the fields and the states; `rows` says which rows have them.
  func fieldsText(of rows: String? = nil) -> String {
    let rows = rows.map { " of \($0)" } ?? ""
    let fields = fields.map { field in
      field.names.joined(separator: " or ") + (field.remark.map { " (\($0))" } ?? "")
    }
    let states = states.map { "is:\($0.name)" + ($0.remark.map { " (\($0))" } ?? "") }
    return """
      Fields\(rows): \(fields.joined(separator: ", ")), and any other field of your files.

      States\(rows): \(states.joined(separator: ", ")).
      """
  }
}

extension ListValue {
  /// Whether it is a number or a time, of which a part would be misread.
  var isMeasure: Bool {
    switch self {
    case .number, .quantity, .day, .instant: true
    case .none, .text, .texts, .flag: false
    }
  }

  /// The value in a record, where a quantity has no unit.
  var recordText: String {
    if case .quantity(let quantity) = self { quantity.value.description } else { text }
  }

  /// The value in JSON, where a quantity has no unit; nil for none.
  var json: JSON? {
    switch self {
    case .none: nil
    case .number(let number): number.json
    case .quantity(let quantity): quantity.value.json
    case .flag(let flag): .bool(flag)
    case .texts(let texts): .array(texts.map { .string($0) })
    case .text, .day, .instant: .string(text)
    }
  }
}

extension UsageProblem {
  init(_ mistake: ListMistake) {
    let name = mistake.word ?? ListOptions.sort.spelling
    self =
      if case .unknown(let known, let suggestions) = mistake.reason {
        .notAmong(value: mistake.value, name: name, choices: known, suggestions: suggestions)
      } else {
        .unreadable(value: mistake.value, name: name, reason: mistake.reasonWords)
      }
  }
}

extension Invocation {
  /// Prints a list; `none` is the text for people if it is empty.
  ///
  /// `columns` are other columns than the list's own, and `members` follow the items in JSON. If the
  /// words match nothing but name a state or a location, a hint suggests the filter for it.
  /// The filter may need one of the `options`.
  func list<Row: ListedRow>(
    _ rows: [Row], by words: [String]? = nil, with options: [Option] = [], in survey: Survey,
    none: String? = nil, columns: [Column<Row>] = Row.columns, members: JSON = [:]
  ) async {
    let columns = columns + survey.cloudColumns()
    switch output.mode {
    case .json:
      let items = rows.flatMap { row in
        let computed = columns.object(of: row)
        return row.entities.map { survey.listed($0, computed) }
      }
      output.json(["items": .array(items)] + members)
    case .plain: output.records(rows, columns)
    case .human:
      if rows.isEmpty { output.note(none ?? "no \(Row.kind.pluralNoun) to show") }
      let table = Table(rows, columns.shown(on: output.terminal))
      output.table(await numbered(table, of: rows, in: survey))
      if rows.isEmpty { suggestFilters(insteadOf: words, with: options, Row.self, survey) }
    }
  }

  /// Returns the table with numbers for a terminal, and keeps what they stand for.
  ///
  /// A list that can't have numbers makes those of the list before it mean nothing.
  private func numbered<Row: ListedRow>(
    _ table: Table, of rows: [Row], in survey: Survey
  ) async -> Table {
    guard output.terminal.outputIsTerminal else { return table }
    let numbered = table.numbered(isLast: Row.isNumberedLast)
    guard table.hasRoom(for: numbered, width: output.terminal.width) else {
      _ = await keep(ShownList(of: Row.kind, []))
      return table
    }
    return await keep(rows.shown(in: survey)) ? numbered : table
  }

  private func suggestFilters<Row: ListedRow>(
    insteadOf words: [String]?, with options: [Option], _ row: Row.Type, _ survey: Survey
  ) {
    let typed = words ?? all(ListOptions.filters)
    let meant = typed.map { Row.listing.filter(meantBy: $0, in: survey) ?? $0 }
    guard meant != typed else { return }
    let line = path + options.map(\.spelling) + meant.map(shellWord)
    output.hint("did you mean '\(line.joined(separator: " "))'?")
  }
}
