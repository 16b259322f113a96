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
  let isDone: Bool
  /// The day on which it was ticked; nil if the line has none.
  let doneOn: Day?
  /// The id after `larder:`; nil for a line that somebody added.
  let id: String?
  /// The words without dates, priority, projects, contexts and the values of other programs.
  let words: [String]

  init(_ line: Substring) {
    var rest = line.split(whereSeparator: \.isWhitespace).map(String.init)
    isDone = rest.first == "x"
    if isDone { rest.removeFirst() }
    if let first = rest.first, first.wholeMatch(of: /\([A-Z]\)/) != nil { rest.removeFirst() }
    doneOn = isDone ? rest.first.flatMap { Day($0) } : nil
    while let first = rest.first, Day(first) != nil { rest.removeFirst() }
    id = rest.last { $0.hasPrefix(Self.mark) }.map { String($0.dropFirst(Self.mark.count)) }
    words = rest.filter { word in
      let isTag = word.count > 1 && (word.hasPrefix("+") || word.hasPrefix("@"))
      return !isTag && word.wholeMatch(of: /[A-Za-z]+:[^\/\s].*/) == nil
    }
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
}

extension Change {
  /// Imports a todo.txt file.
  ///
  /// Ticked entries go into the basket, and lines without an id go on the list. A missing line or
  /// an unticked one changes nothing, because the file may be older than the list. Throws all
  /// mistakes at once; then nothing may be committed.
  public mutating func take(todo bytes: [UInt8]) throws(ImportMistakes) -> TodoReport {
    let text: [UInt8]
    text = try mapError(try TextEncodingName.decoded(bytes)) {
      ImportMistakes(.todo(.decoding($0)))
    }
    var report = TodoReport()
    let reader = TypedThings([], kind: .stockItem, in: survey, splitting: .byFullNames)
    var mistakes: [ImportMistake] = []
    var offset = 0
    for row in text.split(separator: 10, omittingEmptySubsequences: false) {
      defer { offset += row.count + 1 }
      guard row.count <= longestLine, mistakes.count < ImportMistakes.most else {
        mistakes.append(ImportMistake(.todo(.longLine(most: longestLine))).at(offset, in: text))
        break
      }
      let line = TodoLine(Substring(String(decoding: row, as: UTF8.self)))
      guard line.id != nil || !line.words.isEmpty else { continue }
      do throws(TodoRefusal) {
        try take(line, &report, reader)
      } catch {
        mistakes.append(ImportMistake(error.reason).at(offset, in: text))
      }
    }
    guard mistakes.isEmpty else { throw ImportMistakes(mistakes) }
    return report
  }

  private struct TodoRefusal: Error {
    let reason: ImportMistake.Reason
  }

  private mutating func take(
    _ line: TodoLine, _ report: inout TodoReport, _ reader: TypedThings
  ) throws(TodoRefusal) {
    guard let id = line.id else { return try add(line, &report, reader) }
    guard let entry = edit.after[.shoppingListEntry, id.lowercased()] else {
      throw TodoRefusal(reason: .todo(.unknownID(id)))
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
  ) throws(TodoRefusal) {
    let read = TodoThing(line.words, reader)
    guard !read.name.isEmpty else { throw TodoRefusal(reason: .todo(.noThing)) }
    do {
      if let day = line.doneOn, try isOver(read.name, since: day) {
        report.gone += 1
        return
      }
      let item = try survey.naming.itemToBuy(read.name)
      let known = item.map { edit.after.entry(of: $0) } ?? edit.after.freeEntry(named: read.name)
      if let known, !known.isTombstone, known.isCompleted || !line.isDone,
        read.quantity.map({ $0.quantity(in: known.desired.unit) == known.desired }) ?? true
      {
        return
      }
      let entry: Entity?
      if let item {
        let quantity =
          try read.quantity.map { quantity throws(RuleError) in
            try survey.quantity(quantity, of: item, named: read.name)
          } ?? survey.keptWish(for: item)
        try edit.want(quantity, of: item, by: writer)
        entry = edit.after.entry(of: item)
      } else {
        let title = try edit.want(
          read.quantity?.quantity(in: .piece), named: read.name, by: writer)
        entry = edit.after.freeEntry(named: title)
      }
      guard let entry else { return }
      if line.isDone { edit.write([(.isCompleted, .bool(true))], to: entry.key, now: writer.now) }
      if edit.before[entry.key] != edit.after[entry.key] { report.added.append(entry.key) }
    } catch let error as RuleError {
      throw TodoRefusal(reason: .rule(error))
    } catch let error as NamingError {
      throw TodoRefusal(reason: .todo(.thing(error)))
    } catch {
      throw TodoRefusal(reason: .todo(.noThing))
    }
  }

  /// Whether a thing left the list on a day or later, as it does when it is bought.
  private func isOver(_ name: String, since day: Day) throws -> Bool {
    let item = try survey.naming.itemToBuy(name)
    let entry =
      item.map { edit.before.entry(of: $0) } ?? edit.before.freeEntry(named: name)
      ?? edit.before[.shoppingListEntry, ShoppingEntry.id(named: name)]
    guard let entry, entry.isTombstone else { return false }
    return survey.calendar.day(of: entry.updatedAt) >= day
  }
}

/// The words of a line as a name, with an amount if there is one.
private struct TodoThing {
  let quantity: TypedQuantity?
  let name: String

  init(_ words: [String], _ reader: TypedThings) {
    if let counted = reader.counted(words), counted.isLeading || !counted.isUnsure,
      !counted.name.isEmpty, case .success(.quantity(let typed)) = counted.amount.value
    {
      (quantity, name) = (typed, counted.name)
    } else {
      (quantity, name) = (nil, words.joined(separator: " "))
    }
  }
}
