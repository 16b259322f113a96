/// The result of parsing: the command, its options and arguments, and all problems.
struct ParsedCommandLine: Sendable {
  /// The command, or its parent if a name is unknown.
  let node: Command.Node
  /// The values by the option's long name; a flag has one empty value.
  private(set) var options: [String: [String]]
  /// The words by the argument's name.
  private(set) var arguments: [String: [String]] = [:]
  var problems: [UsageProblem] = []

  init(node: Command.Node, options: [String: [String]]) {
    self.node = node
    self.options = options
  }

  /// Whether a flag is set.
  func has(_ option: Option) -> Bool { options[option.name] != nil }

  /// The requested form of the output, even if other parts of the line are wrong.
  var mode: OutputMode {
    if has(GlobalOption.json) { return .json }
    return has(GlobalOption.plain) ? .plain : .human
  }

  /// The largest number of words that a command takes for one argument.
  private static let mostWords = 2_000

  /// Assigns the words to the arguments from the left, and keeps enough words for later required
  /// ones.
  ///
  /// If the last argument is one name, it gets all remaining words.
  mutating func assign(_ words: [String], reportsSurplus: Bool) {
    let declared = node.command.arguments
    var words = words[...]
    for (index, argument) in declared.enumerated() {
      let reserved = declared[(index + 1)...].reduce(0) { $0 + $1.minimumCount }
      let free = max(words.count - reserved, 0)
      let count =
        switch argument.arity {
        case .required: min(words.count, 1)
        case .optional: min(free, 1)
        case .zeroOrMore, .rest: free
        case .oneOrMore: min(words.count, max(free, 1))
        }
      if count > Self.mostWords, argument.arity != .rest { problems.append(.tooManyWords(count)) }
      if count < argument.minimumCount { problems.append(.missingArgument(argument.name)) }
      let isJoined = index == declared.count - 1 && argument.isOneName && words.count > 1
      let taken = isJoined ? [words.joined(separator: " ")] : Array(words.prefix(count))
      problems += taken.compactMap { argument.values.problem(with: $0, name: argument.name) }
      if !taken.isEmpty { arguments[argument.name] = taken }
      words = isJoined ? [] : words.dropFirst(count)
    }
    if !words.isEmpty, reportsSurplus { problems.append(.tooManyArguments(Array(words))) }
  }

  /// Reports global options that exclude each other.
  mutating func checkConflicts() {
    if has(GlobalOption.json), has(GlobalOption.plain) {
      problems.append(
        .conflictingOptions(GlobalOption.json.spelling, GlobalOption.plain.spelling))
    }
  }
}
