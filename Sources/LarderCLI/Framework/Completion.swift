import LarderKit
internal import LarderText

/// The completion of a command line that is being typed.
struct Completion {
  /// A possible next word, and its description.
  struct Candidate: Equatable {
    let word: String
    let help: String
  }

  /// The offer to a shell: words, or the paths of files or folders, which the shell finds itself.
  enum Answer: Equatable {
    case words([Candidate])
    case files
    case folders
  }

  let root: Command
  /// Returns names of the household for a command with these words.
  let names: (LiveNames, _ words: [String]) async -> [Candidate]

  /// Returns the possible completions of the last word, which may be empty.
  func answer(to words: [String]) async -> Answer {
    guard let current = words.last, let place = place(after: words.dropLast()) else {
      return .words([])
    }
    if let option = place.pending { return await values(option.values, current, place) }
    if !place.isPlain, current.hasPrefix("-") { return options(of: place.command, current) }
    if place.command.hasSubcommands {
      return beginning(
        with: current,
        place.command.visibleSubcommands.map { Candidate(word: $0.name, help: $0.summary) })
    }
    let arguments = place.command.arguments
    let isLast = place.positionals.count >= arguments.count
    guard let argument = isLast ? arguments.last : arguments[place.positionals.count],
      !isLast || [.oneOrMore, .zeroOrMore].contains(argument.arity)
    else { return .words([]) }
    return await values(argument.values, current, place)
  }

  /// A place in a line, after a command's name and some of its words.
  private struct Place {
    var command: Command
    var positionals: [String] = []
    /// The option whose value is being typed.
    var pending: Option?
    /// Whether the next word can't be an option, because `--` came before it.
    var isPlain = false
  }

  private func place(after words: ArraySlice<String>) -> Place? {
    var place = Place(command: root)
    for word in words {
      if place.pending != nil {
        place.pending = nil
      } else if !place.isPlain, word == "--" {
        place.isPlain = true
      } else if !place.isPlain, OptionReading.looksLikeOption(word) {
        place.pending = option(awaitingValue: word, in: place.command)
      } else if place.command.hasSubcommands {
        guard let next = place.command.subcommand(word) else { return nil }
        place.command = next
      } else {
        place.positionals.append(word)
      }
    }
    return place
  }

  /// Returns the option of a word if its value is the next word.
  private func option(awaitingValue word: String, in command: Command) -> Option? {
    let all = command.options + GlobalOption.all
    let option =
      word.hasPrefix("--")
      ? all.first { $0.spelling == word } : all.first { $0.short != nil && $0.short == word.last }
    return option.flatMap { $0.isFlag ? nil : $0 }
  }

  private func options(of command: Command, _ current: String) -> Answer {
    beginning(
      with: current,
      (command.options + GlobalOption.all).map { Candidate(word: $0.spelling, help: $0.help) })
  }

  private func values(_ values: Values, _ current: String, _ place: Place) async -> Answer {
    switch values {
    case .anything: .words([])
    case .file: .files
    case .directory: .folders
    case .oneOf(let choices), .suggested(let choices):
      beginning(with: current, choices.map { Candidate(word: $0, help: "") })
    case .named(let kind): beginning(with: current, await names(kind, place.positionals))
    case .filters: beginning(with: current, await names(.item, []))
    case .commands(let topics):
      beginning(with: current, commands(behind: place.positionals, topics))
    }
  }

  private func commands(behind words: [String], _ topics: [HelpTopic]) -> [Candidate] {
    let commands = root.node(at: words)?.command.visibleSubcommands ?? []
    return commands.map { Candidate(word: $0.name, help: $0.summary) }
      + (words.isEmpty ? topics.map { Candidate(word: $0.name, help: $0.summary) } : [])
  }

  /// Returns the candidates that begin with a text, without regard to case and accents, each once.
  private func beginning(with text: String, _ candidates: [Candidate]) -> Answer {
    let wanted = fold(text)
    var seen: Set<String> = []
    return .words(
      candidates.filter { fold($0.word).hasPrefix(wanted) && seen.insert($0.word).inserted })
  }
}

/// `larder completion` and `larder complete`: shells call them while somebody types.
enum CompleteCommand {
  private static let shell = Argument(
    "SHELL", values: .oneOf(Shell.allCases.map(\.rawValue)), help: "the shell")
  private static let words = Argument(
    "WORD", .zeroOrMore, help: "the words behind the program's name; the last one is being typed")
  private static let lineOf = Option(
    "shell", value: "SHELL", values: .oneOf(Shell.allCases.map(\.rawValue)),
    help:
      "the one word is a whole line of this shell, or the two are the line and its end that is replaced"
  )

  static let completion = Command("completion", group: "Help", arguments: [shell]) { invocation in
    invocation.output.write((Shell(rawValue: invocation[shell]) ?? .bash).completion)
  }

  static let complete = Command("complete", arguments: [words], options: [lineOf], isHidden: true) {
    invocation in
    let given = invocation.all(words)
    let shell = invocation[lineOf].flatMap(Shell.init(rawValue:))
    let line = shell.map { ShellLine(given.first ?? "", in: $0) }
    let words = line.map { Array($0.words.dropFirst()) } ?? given
    let completion = Completion(
      root: invocation.root, names: CompletionNames(words, invocation).names)
    switch await completion.answer(to: words) {
    case .files: invocation.output.write(":files\n")
    case .folders: invocation.output.write(":folders\n")
    case .words(let candidates):
      for candidate in candidates {
        var word = sanitize(candidate.word)
        if let line, shell == .bash, let end = given.dropFirst().first {
          word = line.replacement(of: end, by: word)
        }
        invocation.output.write("\(word)\t\(sanitize(candidate.help))\n")
      }
    }
  }
}

/// The names of a household for completion; none if it can't be read.
private struct CompletionNames {
  private let invocation: Invocation
  private let folder: String?

  init(_ words: [String], _ invocation: Invocation) {
    self.invocation = invocation
    folder = GlobalOption.folder(in: words)
  }

  func names(_ kind: LiveNames, behind words: [String]) async -> [Completion.Candidate] {
    guard let context = try? invocation.context(),
      let larder = try? await Larder.household(of: folder, context),
      let household = try? await larder.read().household
    else { return [] }
    if kind == .revision { return await revisions(larder, household) }
    let survey = Survey(household, now: larder.context.now())
    if kind == .batch, let item = item(in: words, survey) { return lots(of: item, survey) }
    return names(kind, in: survey)
  }

  /// Returns the item that the longest possible beginning of the words names.
  private func item(in words: [String], _ survey: Survey) -> Entity? {
    for count in stride(from: words.count, through: 1, by: -1) {
      let name = words.prefix(count).joined(separator: " ")
      if let item = try? survey.naming.find(name, .stockItem) { return item }
    }
    return nil
  }

  private func lots(of item: Entity, _ survey: Survey) -> [Completion.Candidate] {
    survey.batches(of: item).flatMap { batch in
      let marks = survey.marks(of: batch)
      return [marks.day?.day.description, marks.code, marks.place].compactMap(\.self)
        .map { Completion.Candidate(word: $0, help: batch.quantity.description) }
    }
  }

  private func names(_ kind: LiveNames, in survey: Survey) -> [Completion.Candidate] {
    let naming = survey.naming
    let words: [String]
    switch kind {
    case .all(.inventoryItem):
      let marks = survey.activeBatches.map { survey.marks(of: $0) }
      words = marks.flatMap { [$0.day?.day.description, $0.code].compactMap(\.self) }
    case .all(let kind):
      words = naming.all(kind).filter { !$0.isTombstone }.compactMap { naming.names(of: $0).first }
    case .deleted(let kind):
      words = naming.all(kind).filter(\.isTombstone).compactMap { naming.names(of: $0).first }
    case .shop: words = survey.receipts.map(\.shop)
    case .category: words = survey.items.compactMap(\.category)
    case .revision: words = []
    }
    return words.map { Completion.Candidate(word: $0, help: "") }
  }

  private func revisions(
    _ larder: Larder, _ household: Household
  ) async -> [Completion.Candidate] {
    let none: [Completion.Candidate] = []
    let history = try? await larder.history(into: none, in: household, most: 20, mostFiles: 0) {
      $0.append(Completion.Candidate(word: $1.commit.id.short, help: $1.commit.subject))
      return true
    }
    return history?.value ?? []
  }
}

extension Shell {
  /// The script with which the shell completes a line; it calls `larder complete`.
  ///
  /// Names come from others, and bash puts what it gets into the line as it is. So its script gets words
  /// that are quoted already for the place where they go; zsh and fish quote by themselves.
  fileprivate var completion: [UInt8] {
    switch self {
    case .bash: PackageResources.larder_bash
    case .zsh: PackageResources.larder_zsh
    case .fish: PackageResources.larder_fish
    }
  }
}

/// A shell whose lines Larder reads and completes.
enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

/// A line that somebody types in a shell, read as the shell does: quotes and backslashes are taken
/// off, and nothing is expanded.
struct ShellLine {
  /// The quotes that a line may end in.
  enum Quote {
    case none, single, double
  }

  /// The words as the program gets them.
  ///
  /// The last one is being typed, and may be empty.
  private(set) var words: [String]
  /// The last word as it is in the line.
  private(set) var typed: String
  /// The quotes in which the line ends.
  private(set) var quote = Quote.none

  init(_ line: String, in shell: Shell) {
    var (word, raw) = (String.UnicodeScalarView(), String.UnicodeScalarView())
    var isEscaped = false
    words = []
    for scalar in line.unicodeScalars {
      if isEscaped {
        if !quote.drops(backslashBefore: scalar) { word.append("\\") }
        word.append(scalar)
        isEscaped = false
      } else {
        switch (quote, scalar) {
        case (.none, "\\"), (.double, "\\"): isEscaped = true
        case (.single, "\\") where shell == .fish: isEscaped = true
        case (.none, "'"): quote = .single
        case (.none, "\""): quote = .double
        case (.single, "'"), (.double, "\""): quote = .none
        case (.none, " "), (.none, "\t"), (.none, "\n"):
          if !raw.isEmpty { words.append(String(word)) }
          (word, raw) = (String.UnicodeScalarView(), String.UnicodeScalarView())
          continue
        default: word.append(scalar)
        }
      }
      raw.append(scalar)
    }
    words.append(String(word))
    typed = String(raw)
  }

  /// Returns what bash writes instead of the end of the typed word, so that the word becomes another one.
  ///
  /// What it replaces begins behind a colon or an equals sign too, and it leaves an open quote.
  func replacement(of end: String, by word: String) -> String {
    guard typed.hasSuffix(end), typed.utf8.count > end.utf8.count else {
      return Self.quoted(word, in: quote)
    }
    let kept = ShellLine(String(typed.dropLast(end.count)), in: .bash)
    return Self.quoted(String(word.dropFirst(kept.words[0].count)), in: quote)
  }

  /// Returns what continues a line so that the shell reads it as a text, which has no controls.
  ///
  /// In double quotes, a backslash before `!` stays in the word, so the quotes end for it.
  static func quoted(_ text: String, in quote: Quote) -> String {
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch (quote, scalar) {
      case (.single, "'"): quoted.append(contentsOf: "'\\''".unicodeScalars)
      case (.double, "!"): quoted.append(contentsOf: "\"\\!\"".unicodeScalars)
      case (.double, "$"), (.double, "`"), (.double, "\""), (.double, "\\"):
        quoted.append("\\")
        quoted.append(scalar)
      case (.none, _) where !scalar.isPlainInShell:
        quoted.append("\\")
        quoted.append(scalar)
      default: quoted.append(scalar)
      }
    }
    return String(quoted)
  }
}

extension ShellLine.Quote {
  /// Whether a backslash only says that the character after it is meant as it is.
  fileprivate func drops(backslashBefore scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .none: true
    case .single: scalar == "'" || scalar == "\\"
    case .double: "$`\"\\\n".unicodeScalars.contains(scalar)
    }
  }
}
