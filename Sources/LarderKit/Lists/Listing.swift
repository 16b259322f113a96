public import LarderCloud
public import LarderModel

/// A row of a list of the household, such as an item with its stock.
///
/// A row is a value computed from a ``Survey``. ``Survey/list(_:matching:by:)`` returns the rows that
/// people look for:
///
/// ```swift
/// let dairy = try survey.list(StockRow.self, matching: ["category:dairy", "total<2l"], by: "expiry")
/// ```
public protocol ListRow: Sendable {
  /// The entities of the row: one, or several for a lot with several files.
  var entities: [Entity] { get }
  static var kind: Kind { get }
  static var listing: Listing<Self> { get }
  /// Returns the rows of a household in the list's own order; `isWhole` includes what is archived,
  /// void, off the list or used up.
  static func all(in survey: Survey, isWhole: Bool) -> [Self]
}

extension ListRow {
  /// Returns the rows of what is there, in the list's own order.
  public static func all(in survey: Survey) -> [Self] { all(in: survey, isWhole: false) }

  /// Returns the row's state in the cloud, which is the worst of its entities.
  public func standing(in cloud: CloudState) -> CloudState.Standing? {
    let standings = entities.map { cloud[$0.key] }
    return CloudState.Standing.allCases.last { standings.contains($0) }
  }
}

extension Survey {
  /// Returns the rows that match all words of a filter, in the list's own order or by a field.
  ///
  /// What is archived is among them if a word asks for it, as `is:archived`. Throws ``ListMistakes``
  /// like ``Listing/choose(_:from:in:)`` and ``Listing/sort(_:by:)``.
  public func list<Row: ListRow>(
    _ row: Row.Type, matching words: [String] = [], by key: String? = nil
  ) throws(ListMistakes) -> [Row] {
    let rows = Row.all(in: self, isWhole: Filter.wantsArchived(words))
    let chosen = try Row.listing.choose(words, from: rows, in: self)
    guard let key else { return chosen }
    return try Row.listing.sort(chosen, by: key)
  }
}

/// The rules of one kind of list: its fields, the texts that words are looked for in, and its states.
public struct Listing<Row: ListRow>: Sendable {
  /// A state that rows are in or not, for filters such as `is:low`.
  public struct State: Sendable {
    public let name: String
    /// A remark for who has not met the state yet.
    public let remark: String?
    public let holds: @Sendable (Row) -> Bool

    init(_ name: String, remark: String? = nil, holds: @escaping @Sendable (Row) -> Bool) {
      self.name = name
      self.remark = remark
      self.holds = holds
    }
  }

  /// The fields; every list ends with the id and the times of creation and of the last change.
  public let fields: [ListField<Row>]
  /// The names of the texts that words are looked for in, such as `the name and the note`.
  public let searchedNames: String
  public let states: [State]
  private let searched: @Sendable (Row, Survey) -> [String?]

  init(
    _ fields: [ListField<Row>], states: [State], searching searchedNames: String,
    _ searched: @escaping @Sendable (Row, Survey) -> [String?]
  ) {
    self.fields =
      fields + [
        ListField("id") { .text($0.entities[0].id) },
        ListField("createdAt", "created") { .instant($0.entities[0].createdAt) },
        ListField("updatedAt", "updated") { .instant($0.entities[0].updatedAt) },
      ]
    self.states = states
    self.searchedNames = searchedNames
    self.searched = searched
  }

  /// All names of the fields.
  public var fieldNames: [String] { fields.flatMap(\.names) }

  /// Returns the field with a name, including fields of some files that the format does not know.
  ///
  /// Nil if no row has the field.
  public func field(_ name: String, in rows: [Row]) -> ListField<Row>? {
    if let field = fields.first(where: { $0.has(name) }) { return field }
    let wanted = fold(name)
    let unknown = Set(rows.flatMap { $0.entities[0].registers.map(\.name.text) })
    guard let key = unknown.sorted().first(where: { fold($0) == wanted }) else { return nil }
    return ListField(key) { ListValue($0.entities[0][FieldName(key)]) }
  }

  /// Returns the rows that match all filters; if no row has all of several plain words, those that
  /// have one of them.
  ///
  /// A text that is the operand in full keeps out those that only have it in them. Throws
  /// ``ListMistakes`` with every invalid word.
  public func choose(
    _ words: [String], from rows: [Row], in survey: Survey
  ) throws(ListMistakes) -> [Row] {
    guard !words.isEmpty else { return rows }
    var mistakes: [ListMistake] = []
    var tests: [(Row) -> Bool] = []
    var wordTests: [(Row) -> Bool] = []
    for filter in words.map(Filter.init) {
      do throws(ListMistake) {
        let test = try test(filter, rows, survey)
        if case .word = filter.condition {
          wordTests.append(test)
        } else {
          tests.append { test($0) != filter.isNegated }
        }
      } catch {
        mistakes.append(error)
      }
    }
    guard mistakes.isEmpty else { throw ListMistakes(all: mistakes) }
    let matching = rows.filter { row in tests.allSatisfy { $0(row) } }
    let all = matching.filter { row in wordTests.allSatisfy { $0(row) } }
    guard all.isEmpty, wordTests.count > 1 else { return all }
    return matching.filter { row in wordTests.contains { $0(row) } }
  }

  /// Returns the rows sorted by a field, in reverse if the key begins or ends with `-`.
  ///
  /// Rows without a value come last, either way; equal ones keep their order. Throws
  /// ``ListMistakes`` if no row has such a field.
  public func sort(_ rows: [Row], by key: String) throws(ListMistakes) -> [Row] {
    let isReversed = key.hasPrefix("-") || key.hasSuffix("-")
    let name =
      key.hasPrefix("-") ? String(key.dropFirst()) : isReversed ? String(key.dropLast()) : key
    guard let field = field(name, in: rows) else {
      throw ListMistakes(all: [noField(name, in: nil)])
    }
    let values = rows.map(field.value)
    return values.indices.sorted { one, other in
      let (left, right) = (values[one], values[other])
      if left.isNone != right.isNone { return !left.isNone }
      if ListValue.precedes(left, right) { return !isReversed }
      if ListValue.precedes(right, left) { return isReversed }
      return one < other
    }.map { rows[$0] }
  }

  /// Returns how the days without a year in filters are completed, if they are far away.
  public func completedDays(
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

  /// Returns the filter that a plain word may mean; nil if it is not a state or a location.
  public func filter(meantBy word: String, in survey: Survey) -> String? {
    guard case .word = Filter(word).condition else { return nil }
    if let state = states.first(where: { $0.name == fold(word) }) { return "is:\(state.name)" }
    guard fieldNames.contains("location"), let place = survey.naming.named(word, .storageLocation)
    else { return nil }
    return "location:\(place.title)"
  }

  private func noField(_ name: String, in word: String?) -> ListMistake {
    let near = suggestions(for: name, among: fieldNames)
    return ListMistake(
      word: word, value: name,
      reason: .unknown(known: fields.map { $0.names[0] }, suggestions: near))
  }

  private func test(
    _ filter: Filter, _ rows: [Row], _ survey: Survey
  ) throws(ListMistake) -> (Row) -> Bool {
    switch filter.condition {
    case .word(let word):
      let wanted = fold(word)
      return { row in
        searched(row, survey).contains { $0.map { fold($0).contains(wanted) } ?? false }
      }
    case .state(let name):
      if let state = states.first(where: { $0.name == name }) { return state.holds }
      let names = states.map(\.name)
      throw ListMistake(
        word: "is", value: name,
        reason: .unknown(known: names, suggestions: suggestions(for: name, among: names)))
    case .field(let name, let comparison, let operand):
      guard let field = field(name, in: rows) else { throw noField(name, in: filter.typed) }
      return try field.test(comparison, operand, rows, survey, typed: filter.typed)
    }
  }
}
