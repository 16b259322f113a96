import LarderJSON
import LarderKit
import LarderModel

extension Invocation {
  /// Prints a list.
  ///
  /// If the words match nothing but name a state or a location, a hint suggests the filter for it.
  /// The filter may need one of the `options`.
  func list<Row: ListRow>(
    _ rows: [Row], by words: [String]? = nil, with options: [Option] = [], in survey: Survey,
    none: String? = nil, columns: [Column<Row>] = Row.listing.columns, members: [JSONMember] = []
  ) {
    output.list(rows, in: survey, none: none, columns: columns, members: members)
    guard rows.isEmpty, output.mode == .human else { return }
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
