import LarderKit
import LarderModel

/// The command that somebody probably means by a word that is not a command.
struct MeantCommand: Sendable, Equatable {
  var words: [String]
  /// The reason why it is this command, if that is not obvious.
  var reason: String?
  /// Whether it only shows what the words name, and so is done instead of proposed.
  var isDone = false
}

/// A word where a command's name should be, with its line.
struct UnknownWord: Sendable {
  let word: String
  /// The noun before it; nil if it is the first.
  let noun: String?
  /// The words after it.
  let rest: [String]
  /// The words before it without the noun, such as `-C home`.
  let before: [String]
}

/// A parser of command lines for a tree of commands, with the conventions of GNU and POSIX.
///
/// It does not stop at the first mistake: the result has everything that is valid and all mistakes.
struct CommandLineParser: Sendable {
  let root: Command
  /// Returns the command that is probably meant by an unknown word.
  var tried: @Sendable (UnknownWord) -> MeantCommand? = { _ in nil }

  /// Parses the words after the program's name.
  func parse(_ words: [String]) -> ParsedCommandLine {
    let route = findCommand(in: words)
    if let shown = route.shown { return CommandLineParser(root: root).parse(shown) }
    var reading = OptionReading(command: route.command, words: words, consumed: route.consumed)
    reading.readAll()
    var parsed = ParsedCommandLine(
      node: Command.Node(path: route.path, command: route.command), options: reading.options)
    parsed.problems = route.problems
    // If the command is unknown, its options and arguments are unknown too.
    let isUnknown = !route.problems.isEmpty
    if !isUnknown {
      parsed.problems += reading.problems
      let hasUnknownOption = reading.problems.contains { problem in
        if case .unknownOption = problem { true } else { false }
      }
      parsed.assign(reading.positionals, reportsSurplus: !hasUnknownOption)
    }
    parsed.checkConflicts()
    return parsed
  }

  /// The path from the root to the command of a line.
  private struct Route {
    var path: [String]
    var command: Command
    /// The indices of the words that named the command.
    var consumed: Set<Int> = []
    var problems: [UsageProblem] = []
    /// The line that is done instead, if the unknown words name what a noun can show.
    var shown: [String]?
  }

  private func findCommand(in words: [String]) -> Route {
    var route = Route(path: [root.name], command: root)
    var index = 0
    while index < words.count {
      let word = words[index]
      if word == "--" { break }
      if OptionReading.looksLikeOption(word) {
        index += takesNextWord(word, in: route.command) ? 2 : 1
        continue
      }
      if !route.command.hasSubcommands { break }
      guard let next = route.command.subcommand(word) else {
        let before = words.indices.prefix(index).filter { !route.consumed.contains($0) }
        let unknown = UnknownWord(
          word: word, noun: route.path.dropFirst().first, rest: Array(words[(index + 1)...]),
          before: before.map { words[$0] })
        let meant = tried(unknown)
        if let meant, meant.isDone { route.shown = unknown.before + meant.words }
        route.problems.append(problem(unknown, under: route, meant))
        return route
      }
      route.path.append(next.name)
      route.command = next
      route.consumed.insert(index)
      index += 1
    }
    if !words.contains(where: { $0 == "--help" || $0 == "-h" }) { descend(&route) }
    return route
  }

  /// Follows the default subcommands of a noun without a verb.
  private func descend(_ route: inout Route) {
    while let name = route.command.defaultSubcommand, let next = route.command.subcommand(name) {
      route.path.append(next.name)
      route.command = next
    }
    if route.path.count > 1, route.command.hasSubcommands {
      route.problems.append(
        .missingSubcommand(of: route.path, choices: route.command.visibleSubcommands.map(\.name)))
    }
  }

  /// Whether an option before the command's name takes the next word as its value.
  ///
  /// The command is not known yet, so the option may belong to any command below.
  private func takesNextWord(_ word: String, in command: Command) -> Bool {
    // Most are options of every command, and then the others are not even made.
    func first(_ matches: (Option) -> Bool) -> Option? {
      GlobalOption.all.first(where: matches)
        ?? command.nodes(includingHidden: true).lazy.flatMap(\.command.options)
        .first(where: matches)
    }
    if word.hasPrefix("--") {
      if GlobalOption.all.contains(where: { $0.spelling == word && $0.isFlag }) { return false }
      return first { $0.spelling == word && !$0.isFlag } != nil
    }
    for (offset, letter) in word.dropFirst().enumerated() {
      guard let option = first({ $0.short == letter }) else { return false }
      if !option.isFlag { return offset == word.count - 2 }
    }
    return false
  }

  private func problem(
    _ unknown: UnknownWord, under route: Route, _ meant: MeantCommand?
  ) -> UsageProblem {
    let word = unknown.word
    if let meant {
      return .unknownCommand(
        word, under: route.path, suggestions: [line([root.name] + meant.words)],
        because: meant.reason)
    }
    // Finds a verb without its noun, such as 'larder merge' for 'larder stock merge'; then it is not
    // mistyped.
    let elsewhere = root.nodes().filter { $0.path.count > 2 && $0.command.name == word }
    let found =
      elsewhere.isEmpty
      ? suggestions(for: word, among: route.command.visibleSubcommands.map(\.name))
        .map { line(route.path + [$0] + unknown.rest) }
      : elsewhere.prefix(3).map { line($0.path + unknown.rest) }
    return .unknownCommand(
      word, under: route.path,
      suggestions: found.isEmpty ? defaultWithArgument(unknown, under: route) : found)
  }

  /// Returns the suggestion for a noun whose default verb is missing, such as 'larder stock list
  /// milk'.
  private func defaultWithArgument(_ unknown: UnknownWord, under route: Route) -> [String] {
    guard let name = route.command.defaultSubcommand,
      let bare = route.command.subcommand(name), !bare.arguments.isEmpty
    else { return [] }
    return [line(route.path + [name, unknown.word] + unknown.rest)]
  }

  private func line(_ words: [String]) -> String { words.map(shellWord).joined(separator: " ") }
}

/// The result of parsing: the command, its options and arguments, and all problems.
struct ParsedCommandLine: Sendable {
  /// The command, or its parent if a name is unknown.
  let node: Command.Node
  /// The values by the option's long name; a flag has one empty value.
  private(set) var options: [String: [String]]
  /// The words by the argument's name.
  private(set) var arguments: [String: [String]] = [:]
  var problems: [UsageProblem] = []

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

  /// Replaces the words of an argument.
  mutating func replace(_ argument: Argument, by words: [String]) {
    arguments[argument.name] = words
  }

  /// Reports global options that exclude each other.
  mutating func checkConflicts() {
    if has(GlobalOption.json), has(GlobalOption.plain) {
      problems.append(.conflictingOptions(GlobalOption.json.spelling, GlobalOption.plain.spelling))
    }
  }
}
