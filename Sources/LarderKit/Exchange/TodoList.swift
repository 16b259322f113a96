public import LarderModel

/// The shopping list as a todo.txt file: one line for each entry, with its id as `larder:ID`.
///
/// Source: the description of the format by Gina Trapani.
public struct TodoList: Sendable {
  public let text: String
  public let count: Int

  /// Creates the list of some entries, in the given order.
  public init(of entries: [ShoppingListEntry], in survey: Survey) {
    let lines = entries.map { Self.line(of: $0, survey) }
    text = lines.map { $0 + "\n" }.joined()
    count = lines.count
  }

  private static func line(of entry: ShoppingListEntry, _ survey: Survey) -> String {
    let begun = survey.calendar.day(of: entry.createdAt)
    let ticked = entry.entity.register(.isCompleted)?.stamp ?? entry.updatedAt
    let mark = entry.isCompleted ? "x \(max(survey.calendar.day(of: ticked), begun)) " : ""
    let item = entry.itemID.flatMap { survey.household[.stockItem, $0] }
    let category = (item?.category ?? entry.entity.category).map { category in
      " @" + spaced(visible(category)).replacing([" ": "-"])
    }
    return
      "\(mark)\(begun) \(words(of: entry, survey))\(category ?? "") +shopping larder:\(entry.id)"
  }

  /// Returns a line's words: the amount, the name, and the note in parentheses.
  private static func words(of entry: ShoppingListEntry, _ survey: Survey) -> String {
    let isOne = entry.desired == Quantity(Number(1), .piece)
    let amount = isOne ? "" : "\(entry.desired) "
    let note = entry.note.map { " (\($0))" } ?? ""
    return spaced(visible(amount + survey.title(of: entry) + note))
  }
}

/// A line of a todo.txt file.
struct TodoLine {
  var isDone: Bool
  /// The day on which it was ticked; nil if the line has none.
  let doneOn: Day?
  /// The id after `larder:`; nil for a line that somebody added.
  let id: String?
  /// The words without dates, priority, projects, contexts and the values of other programs.
  let words: [String]
  /// Whether it has anything that only todo.txt has.
  let isTagged: Bool

  init(_ line: Substring) {
    var rest = line.split(whereSeparator: \.isWhitespace).map(String.init)
    isDone = rest.first == "x" && rest.count > 1
    if isDone { rest.removeFirst() }
    if let first = rest.first, first.wholeMatch(of: /\([A-Z]\)/) != nil { rest.removeFirst() }
    doneOn = isDone ? rest.first.flatMap { Day($0) } : nil
    while let first = rest.first, Day(first) != nil { rest.removeFirst() }
    id = rest.last { $0.hasPrefix(Self.mark) }.map { String($0.dropFirst(Self.mark.count)) }
    let plain = rest.filter { word in
      let isTag = word.count > 1 && (word.hasPrefix("+") || word.hasPrefix("@"))
      return !isTag && word.wholeMatch(of: /[A-Za-z]+:[^\/\s].*/) == nil
    }
    // `Eggs:12` alone is no value of another program.
    let isAlone = plain.isEmpty && rest.count == 1 && ListLine.separated(rest[0]) != nil
    words = isAlone ? rest : plain
    isTagged = words.count < line.split(whereSeparator: \.isWhitespace).count
  }

  private static let mark = "larder:"
}

/// The entries that an imported todo.txt file changed.
public struct TodoReport: Equatable, Sendable {
  /// The entries that it put into the basket.
  public internal(set) var ticked: [EntityKey] = []
  /// The entries that it put on the list.
  public internal(set) var added: [EntityKey] = []
  /// The number of ticked entries that had left the list already.
  public internal(set) var gone = 0
  /// The lines that are headings, and no things.
  public internal(set) var headings: [String] = []
}

extension Change {
  /// Imports a todo.txt file.
  ///
  /// Ticked entries go into the basket, and lines without an id go on the list. A missing line or
  /// an unticked one changes nothing, because the file may be older than the list. Throws all
  /// mistakes at once; then nothing may be committed.
  public mutating func take(todo bytes: [UInt8]) throws(ImportMistakes) -> TodoReport {
    let text = try mapError(try TextEncodingName.decoded(bytes)) {
      ImportMistakes(.todo(.decoding($0)))
    }
    var report = TodoReport()
    let reader = TypedThings([], kind: .stockItem, in: survey, splitting: .byFullNamesOrWords)
    var mistakes = ImportMistakes()
    var offset = 0
    let rows = text.split(separator: 10, omittingEmptySubsequences: false)
    let lines = rows.map { row in
      ListLine(row.count > longestLine ? "" : String(decoding: row, as: UTF8.self))
    }
    let headings = lines.headings { text in
      let words = text.split(separator: " ").map(String.init)
      return TodoLine(Substring(text)).isTagged || reader.names.hasFull(text)
        || TodoThing(words, reader).quantity != nil
    }
    for (index, row) in rows.enumerated() {
      do {
        if headings.contains(index) {
          report.headings.append(lines[index].text)
        } else if !lines[index].isRule {
          try take(row, lines[index], &report, reader)
        }
      } catch {
        mistakes.note(ImportMistake(Self.reason(of: error)).at(offset, in: text))
      }
      offset += row.count + 1
    }
    try mistakes.refuse()
    return report
  }

  private static func reason(of error: any Error) -> ImportMistake.Reason {
    switch error {
    case let error as RuleError: .rule(error)
    case let error as NamingError: .todo(.thing(error))
    default: .todo(error as? TodoMistake ?? .noThing)
    }
  }

  private mutating func take(
    _ row: ArraySlice<UInt8>, _ listed: ListLine, _ report: inout TodoReport, _ reader: TypedThings
  ) throws {
    guard row.count <= longestLine else { throw TodoMistake.longLine(most: longestLine) }
    var line = TodoLine(Substring(listed.text))
    line.isDone = line.isDone || listed.isTicked
    guard let id = line.id else {
      return line.words.isEmpty ? () : try add(line, &report, reader)
    }
    guard let entry = edit.after[.shoppingListEntry, id.lowercased()] else {
      throw TodoMistake.unknownID(id)
    }
    guard line.isDone, !entry.isCompleted || entry.isTombstone else { return }
    guard !entry.isTombstone else {
      report.gone += 1
      return
    }
    edit.write([(.isCompleted, .bool(true))], to: entry.key, now: writer.now)
    report.ticked.append(entry.key)
  }

  private mutating func add(
    _ line: TodoLine, _ report: inout TodoReport, _ reader: TypedThings
  ) throws {
    let read = TodoThing(line.words, reader)
    guard !read.name.isEmpty else { throw TodoMistake.noThing }
    var arrival = Arrival(
      item: try survey.naming.itemToBuy(read.name), name: read.name,
      isDone: line.isDone ? true : nil)
    // It left the list on the day when it was ticked or later, as it does when it is bought.
    if let day = line.doneOn, let entry = edit.before.entry(for: arrival), entry.isTombstone,
      survey.calendar.day(of: entry.updatedAt) >= day
    {
      report.gone += 1
      return
    }
    if let known = edit.after.entry(for: arrival), !known.isTombstone,
      known.isCompleted || !line.isDone,
      read.quantity.map({ $0.quantity(in: known.desired.unit) == known.desired }) ?? true
    {
      return
    }
    if let item = arrival.item {
      arrival.quantity =
        try read.quantity.map { try survey.wish($0, of: item, named: read.name) }
        ?? survey.keptWish(for: item)
    } else {
      arrival.quantity = read.quantity?.quantity(in: .piece)
    }
    if let entry = try edit.want(arrival, by: writer), edit.before[entry.key] != entry {
      report.added.append(entry.key)
    }
  }
}

/// The words of a line as a name, with an amount if there is one.
private struct TodoThing {
  let quantity: TypedQuantity?
  let name: String

  init(_ words: [String], _ reader: TypedThings) {
    let text = words.joined(separator: " ")
    if !reader.names.hasFull(text), let separated = ListLine.separated(text) {
      (quantity, name) = (separated.amount, separated.name)
    } else if let counted = reader.counted(words), !counted.name.isEmpty,
      case .success(.quantity(let typed)) = counted.amount.value
    {
      (quantity, name) = (typed, counted.name)
    } else {
      (quantity, name) = (nil, text)
    }
  }
}
