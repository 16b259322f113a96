import LarderKit

/// The options and the argument that all lists share.
enum ListOptions {
  static let filters = Argument(
    "FILTER", .zeroOrMore, values: .filters,
    help: "words to look for, field:value, field>n, -field:value, is:STATE")
  static let sort = Option(
    "sort", short: "s", value: "KEY", takesHyphen: true,
    help: "sort by a field; with '-' before or after it, in reverse")
  static let limit = Option(
    "limit", short: "n", value: "N", help: "show at most N; 0 shows all")
  static let sync = Option("sync", help: "show each one's state in the cloud")
}

extension Argument {
  /// Returns the argument for the filters of a list.
  func choosing<Row>(from listing: Listing<Row>) -> Argument {
    var copy = self
    copy.fields = listing.fieldNames
    copy.states = listing.states.map(\.name)
    return copy
  }
}

extension Invocation {
  /// Returns the rows that match the filters, sorted and limited as the options say.
  func choose<Row: ListRow>(
    _ rows: [Row], by filters: [String]? = nil, in survey: Survey
  ) throws -> [Row] {
    let listing = Row.listing
    let words = filters ?? all(ListOptions.filters)
    var chosen = try listing.choose(words, from: rows, in: survey, for: path)
    for completed in listing.completedDays(in: words, rows, survey.calendar) {
      output.warn(completed.words)
    }
    if let key = self[ListOptions.sort] { chosen = try listing.sort(chosen, by: key, for: path) }
    guard let limit = try most(ListOptions.limit) else { return chosen }
    return Array(chosen.prefix(limit))
  }

  /// Whether archived or deleted entities are wanted too, by `--all` or by a filter.
  func wantsDeleted(_ flag: Option) -> Bool {
    has(flag)
      || all(ListOptions.filters).map(Filter.init).contains { $0.condition == .state("archived") }
  }
}
