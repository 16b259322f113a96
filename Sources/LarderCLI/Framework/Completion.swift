import LarderModel

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
  let names: (LiveNames, _ words: [String]) -> [Candidate]

  /// Returns the possible completions of the last word, which may be empty.
  func answer(to words: [String]) -> Answer {
    guard let current = words.last, let place = place(after: words.dropLast()) else {
      return .words([])
    }
    if let option = place.pending { return values(option.values, current, place) }
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
    return values(argument.values, current, place)
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

  private func values(_ values: Values, _ current: String, _ place: Place) -> Answer {
    switch values {
    case .anything: .words([])
    case .file: .files
    case .directory: .folders
    case .oneOf(let choices), .suggested(let choices):
      beginning(with: current, choices.map { Candidate(word: $0, help: "") })
    case .named(let kind): beginning(with: current, names(kind, place.positionals))
    case .filters: beginning(with: current, names(.item, []))
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
