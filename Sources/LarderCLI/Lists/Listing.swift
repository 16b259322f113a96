import LarderKit

/// A row of a list.
protocol ListRow: Sendable {
  /// The entities of the row: one, or several for a lot with several files.
  var entities: [Entity] { get }
  static var kind: Kind { get }
  static var listing: Listing<Self> { get }
  /// Returns the rows of a household in the list's own order; `isWhole` includes what is archived,
  /// void, off the list or used up.
  static func all(in survey: Survey, isWhole: Bool) -> [Self]
}

extension Command {
  /// A command that lists rows, with the argument and the options that all lists share between its
  /// own ones.
  ///
  /// `word` is the place in its help of what is said of the filters.
  static func list<Row: ListRow>(
    _ title: String, of row: Row.Type, _ first: [Option] = [], _ last: [Option] = [],
    records: [RecordForm] = Row.forms, explaining word: String = "{fields}", run: @escaping Run
  ) -> Command {
    Command(
      title, arguments: [ListOptions.filters.choosing(from: Row.listing)],
      options: first + ListOptions.all + last, records: records, isPaged: true, run: run
    )
    .explained(word, Row.listing.discussion)
  }

  /// A command that lists all things of a kind, with those that are archived if an option says so;
  /// `first` is the note if there are none yet.
  static func list<Row: ListRow>(
    _ title: String, of row: Row.Type, all: Option, first: String
  ) -> Command {
    list(title, of: row, [], [all]) { invocation in
      let survey = try await invocation.survey()
      let rows = Row.all(in: survey, isWhole: invocation.wantsDeleted(all))
      let isFirst = survey.household.all(Row.kind).isEmpty
      invocation.list(
        try invocation.choose(rows, in: survey), in: survey, none: isFirst ? first : nil)
    }
  }
}

/// The common parts of one kind of list: the columns, the texts that words search, and the states
/// for `is:`.
struct Listing<Row: ListRow> {
  struct State {
    let name: String
    /// A remark for the help.
    let remark: String?
    let holds: (Row) -> Bool

    init(_ name: String, remark: String? = nil, holds: @escaping (Row) -> Bool) {
      self.name = name
      self.remark = remark
      self.holds = holds
    }
  }

  let columns: [Column<Row>]
  /// The texts that words search, and their names for the help.
  let searched: (names: String, texts: (Row, Survey) -> [String?])
  let states: [State]

  /// The columns for filters and sorting.
  var fields: [Column<Row>] { columns.filter { !$0.names.isEmpty } }

  /// Returns the field with a name, including fields of some files that the format does not know.
  ///
  /// Nil if no row has the field.
  func field(_ name: String, in rows: [Row]) -> Column<Row>? {
    let wanted = fold(name)
    if let field = fields.first(where: { $0.names.contains { fold($0) == wanted } }) {
      return field
    }
    let unknown = Set(rows.flatMap { $0.entities[0].registers.map(\.name.text) })
    guard let key = unknown.sorted().first(where: { fold($0) == wanted }) else { return nil }
    return Column(key) { FilterValue($0.entities[0][FieldName(key)]) }
  }

  /// The names that are suggested for a mistyped field.
  var fieldNames: [String] { fields.flatMap(\.names) }

  /// The help's text about filters, with the fields and states of this list.
  var discussion: String {
    """
    Words match \(searched.names), without regard to case and accents. \
    'field:value' compares a field, named as in the files; 'field>value' compares a number or a day, \
    also with >=, < and <=, in quotes for the shell. 'field:' matches if there is no value, and '-field:value' if it is anything else. \
    A row must match all filters. If none has all of several words, those with one of them are listed.

    \(fieldsText())
    """
  }

  /// Returns the help's text about the fields and the states; `rows` says which rows have them.
  func fieldsText(of rows: String? = nil) -> String {
    let rows = rows.map { " of \($0)" } ?? ""
    let states = states.map { "is:\($0.name)" + ($0.remark.map { " (\($0))" } ?? "") }
    return """
      Fields\(rows): \(fields.map(\.helpText).joined(separator: ", ")), and any other field of your \
      files.

      States\(rows): \(states.joined(separator: ", ")).
      """
  }

  /// Returns the rows that match all filters; if no row has all of several plain words, those that
  /// have one of them.
  ///
  /// Throws a usage error with every invalid word.
  func choose(
    _ words: [String], from rows: [Row], in survey: Survey, for path: [String]
  ) throws(UsageError) -> [Row] {
    guard !words.isEmpty else { return rows }
    var problems: [UsageProblem] = []
    var tests: [(Row) -> Bool] = []
    var wordTests: [(Row) -> Bool] = []
    for filter in words.map(Filter.init) {
      do throws(UsageProblem) {
        let test = try test(filter, rows, survey)
        if case .word = filter.condition {
          wordTests.append(test)
        } else {
          tests.append { test($0) != filter.isNegated }
        }
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty else { throw UsageError(problems, in: path, topic: Topics.filters) }
    let matching = rows.filter { row in tests.allSatisfy { $0(row) } }
    let all = matching.filter { row in wordTests.allSatisfy { $0(row) } }
    guard all.isEmpty, wordTests.count > 1 else { return all }
    return matching.filter { row in wordTests.contains { $0(row) } }
  }

  /// Returns how the days without a year in filters are completed, if they are far away.
  func completedDays(
    in words: [String], _ rows: [Row], _ calendar: HouseholdCalendar
  ) -> [CompletedDay] {
    words.compactMap { word in
      guard case .field(let name, _, let operand) = Filter(word).condition,
        let field = field(name, in: rows),
        let sample = rows.lazy.map(field.value).first(where: { !$0.isNone })
      else { return nil }
      switch sample {
      case .day: return calendar.completed(operand)
      case .instant: return calendar.completed(operand, .back)
      default: return nil
      }
    }
  }

  /// Returns the rows sorted by a key, in reverse if the key begins or ends with `-`.
  func sort(_ rows: [Row], by key: String, for path: [String]) throws(UsageError) -> [Row] {
    let isReversed = key.hasPrefix("-") || key.hasSuffix("-")
    let name =
      key.hasPrefix("-") ? String(key.dropFirst()) : isReversed ? String(key.dropLast()) : key
    guard let field = field(name, in: rows) else {
      throw UsageError([unknown(name, for: "--sort")], in: path)
    }
    let keyed = rows.map { (row: $0, value: field.value($0)) }
    return keyed.enumerated().sorted { one, other in
      let (left, right) = (one.element.value, other.element.value)
      if left.isNone != right.isNone { return !left.isNone }
      if FilterValue.precedes(left, right) { return !isReversed }
      if FilterValue.precedes(right, left) { return isReversed }
      return one.offset < other.offset
    }.map(\.element.row)
  }

  private func unknown(_ name: String, for place: String) -> UsageProblem {
    .notAmong(
      value: name, name: place, choices: fields.map { $0.names[0] },
      suggestions: suggestions(for: name, among: fieldNames))
  }

  private func test(
    _ filter: Filter, _ rows: [Row], _ survey: Survey
  ) throws(UsageProblem) -> (Row) -> Bool {
    switch filter.condition {
    case .word(let word):
      let wanted = fold(word)
      return { row in
        searched.texts(row, survey).contains { $0.map { fold($0).contains(wanted) } ?? false }
      }
    case .state(let name):
      if let state = states.first(where: { $0.name == name }) { return state.holds }
      throw .notAmong(name, name: "is", states.map(\.name))
    case .field(let name, let comparison, let operand):
      guard let field = field(name, in: rows) else { throw unknown(name, for: filter.typed) }
      return try field.test(comparison, operand, rows, survey, typed: filter.typed)
    }
  }
}

extension Column where Row: ListRow {
  /// Returns the columns at the end of every list; `record` is the place of the id in a record.
  static func identity(record: Int) -> [Column] {
    [
      Column("id") { .text($0.entities[0].id) }.inRecord(record),
      Column("createdAt", "created") { .instant($0.entities[0].createdAt) },
      Column("updatedAt", "updated") { .instant($0.entities[0].updatedAt) },
    ]
  }
}

extension Column {
  /// Returns the test for a filter such as `field:>operand`.
  func test(
    _ comparison: Filter.Comparison, _ operand: String, _ rows: [Row],
    _ survey: Survey, typed: String
  ) throws(UsageProblem) -> (Row) -> Bool {
    if operand.isEmpty, comparison == .equal { return { value($0).isNone } }
    let values = rows.map(value)
    guard let sample = values.first(where: { !$0.isNone }) else { return { _ in false } }
    let comparing = Comparing(comparison: comparison, operand: operand, survey: survey)
    if let reason = comparing.mistake(with: sample) {
      throw .unreadable(value: operand, name: typed, reason: reason)
    }
    // As with names, a full match takes precedence over a part.
    let exact = values.contains { comparing.isExactly($0) }
    return { row in
      let value = value(row)
      return exact ? comparing.isExactly(value) : comparing.holds(value)
    }
  }
}

/// The comparison of a field's value with the typed operand.
private struct Comparing {
  let comparison: Filter.Comparison
  let operand: String
  let survey: Survey
  private var calendar: HouseholdCalendar { survey.calendar }

  /// Returns the reason why the operand can't be compared with such values, or nil.
  func mistake(with value: FilterValue) -> String? {
    switch value {
    case .none: return nil
    case .text, .texts:
      return comparison == .equal ? nil : "texts can't be compared with \(comparison.rawValue)"
    case .number, .quantity:
      do throws(TypedQuantity.Mistake) {
        _ = try TypedQuantity(operand)
        return nil
      } catch {
        return error.reason
      }
    case .day, .instant:
      do throws(DayMistake) {
        _ = try calendar.day(reading: operand, direction(of: value))
        return nil
      } catch {
        return HouseholdCalendar.reason(error)
      }
    case .flag: return truth == nil ? "yes or no is needed" : nil
    }
  }

  /// Whether a text equals the operand, instead of only containing it.
  func isExactly(_ value: FilterValue) -> Bool {
    guard comparison == .equal else { return false }
    let wanted = fold(operand)
    switch value {
    case .text(let text): return fold(text) == wanted
    case .texts(let texts): return texts.contains { fold($0) == wanted }
    default: return false
    }
  }

  func holds(_ value: FilterValue) -> Bool {
    switch value {
    case .none: return false
    case .text(let text): return fold(text).contains(fold(operand))
    case .texts(let texts): return texts.contains { fold($0).contains(fold(operand)) }
    case .number(let number):
      return (try? TypedQuantity(operand)).map { compare(number, $0.value) } ?? false
    case .quantity(let quantity): return compare(quantity)
    case .day(let day): return compare(day, as: value)
    case .instant(let instant): return compare(calendar.day(of: instant), as: value)
    case .flag(let flag): return flag == truth
    }
  }

  private var truth: Bool? {
    switch fold(operand) {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  private func compare(_ quantity: Quantity) -> Bool {
    guard let typed = try? TypedQuantity(operand) else { return false }
    let wanted = Quantity(typed.value, typed.unit ?? quantity.unit)
    guard
      let other = survey.household.counted(wanted, in: quantity.unit).converted(to: quantity.unit)
    else { return false }
    return compare(quantity.value, other)
  }

  private func compare(_ day: Day, as value: FilterValue) -> Bool {
    guard let other = calendar.day(typed: operand, direction(of: value)) else { return false }
    return compare(day, other)
  }

  /// The direction in which days are looked for: ahead for batches, back for past events.
  private func direction(of value: FilterValue) -> HouseholdCalendar.Direction {
    if case .day = value { .ahead } else { .back }
  }

  private func compare<Value: Comparable>(_ one: Value, _ other: Value) -> Bool {
    switch comparison {
    case .atLeast: one >= other
    case .atMost: one <= other
    case .above: one > other
    case .below: one < other
    case .equal: one == other
    }
  }
}

extension Invocation {
  /// Prints a list; `none` is the text for people if it is empty.
  ///
  /// `columns` are other columns than the list's own, and `members` follow the items in JSON. If the
  /// words match nothing but name a state or a location, a hint suggests the filter for it.
  /// The filter may need one of the `options`.
  func list<Row: ListRow>(
    _ rows: [Row], by words: [String]? = nil, with options: [Option] = [], in survey: Survey,
    none: String? = nil, columns: [Column<Row>] = Row.listing.columns, members: JSON = [:]
  ) {
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
      output.table(Table(rows, columns.shown(on: output.terminal)))
      if rows.isEmpty { suggestFilters(insteadOf: words, with: options, Row.self, survey) }
    }
  }

  private func suggestFilters<Row: ListRow>(
    insteadOf words: [String]?, with options: [Option], _ row: Row.Type, _ survey: Survey
  ) {
    let typed = words ?? all(ListOptions.filters)
    let meant = typed.map { Row.filter(meantBy: $0, in: survey) ?? $0 }
    guard meant != typed else { return }
    let line = path + options.map(\.spelling) + meant.map(shellWord)
    output.hint("did you mean '\(line.joined(separator: " "))'?")
  }
}

extension ListRow {
  /// Returns the filter that a plain word may mean; nil if it is not a state or a location.
  fileprivate static func filter(meantBy word: String, in survey: Survey) -> String? {
    guard case .word = Filter(word).condition else { return nil }
    if let state = listing.states.first(where: { $0.name == fold(word) }) {
      return "is:\(state.name)"
    }
    guard listing.fieldNames.contains("location"), kind != .storageLocation,
      let place = survey.naming.named(word, .storageLocation)
    else { return nil }
    return "location:\(place.title)"
  }
}
