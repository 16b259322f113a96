@testable import LarderCLI

extension Command {
  /// Returns all mistakes in the declaration of the tree, one sentence each.
  ///
  /// Empty for a correct tree. It checks that there are examples and that they parse, that names
  /// don't clash, that arguments can be told apart, and that texts fit the help's layout.
  func declarationProblems() -> [String] {
    nodes(includingHidden: true).flatMap { node in
      (node.command.ownProblems(isRoot: node.path.count == 1) + exampleProblems(of: node))
        .map { "\(node.title): \($0)" }
    }
  }

  private func ownProblems(isRoot: Bool) -> [String] {
    textProblems() + optionProblems(isRoot: isRoot) + argumentProblems()
      + subcommandProblems(isRoot: isRoot)
  }

  private func textProblems() -> [String] {
    var problems: [String] = []
    if summary.isEmpty || summary.contains("\n") || displayWidth(summary) > 70 {
      problems.append("the summary must be one line of at most 70 columns")
    }
    if summary.hasSuffix(".") { problems.append("the summary must not end in a full stop") }
    if !isHidden, examples.isEmpty { problems.append("there must be an example") }
    for option in options where option.help.isEmpty {
      problems.append("\(option.spelling) has no help")
    }
    for argument in arguments where argument.help.isEmpty {
      problems.append("\(argument.name) has no help")
    }
    return problems
  }

  private func optionProblems(isRoot: Bool) -> [String] {
    var problems: [String] = []
    let all = options + GlobalOption.all
    for (index, option) in all.enumerated() {
      if all[..<index].contains(where: { $0.name == option.name }) {
        problems.append("\(option.spelling) is declared twice")
      }
      if let short = option.short, all[..<index].contains(where: { $0.short == short }) {
        problems.append("-\(short) is declared twice")
      }
      if let short = option.short, !short.isASCII || !short.isLetter {
        problems.append("-\(short) is no letter")
      }
      if option.isFlag, option.isRepeatable {
        problems.append("\(option.spelling) is a flag and can't be repeatable")
      }
    }
    return problems
  }

  private func argumentProblems() -> [String] {
    var problems: [String] = []
    for (index, argument) in arguments.enumerated() {
      let before = arguments[..<index]
      if before.contains(where: { $0.name == argument.name }) {
        problems.append("\(argument.name) is declared twice")
      }
      if before.contains(where: { $0.takesMany }), argument.minimumCount == 0 || argument.takesMany
      {
        problems.append("\(argument.name) can't be told from the arguments before it")
      }
      if argument.arity == .required, before.contains(where: { $0.isOptional }) {
        problems.append("\(argument.name) is required but follows an optional argument")
      }
      if argument.arity == .rest, index != arguments.count - 1 {
        problems.append("\(argument.name) takes all the rest but isn't the last")
      }
    }
    return problems
  }

  private func subcommandProblems(isRoot: Bool) -> [String] {
    var problems: [String] = []
    if !subcommands.isEmpty, !arguments.isEmpty {
      problems.append("there are both subcommands and arguments")
    }
    if subcommands.isEmpty, run == nil { problems.append("there is nothing to run") }
    if !isRoot, !subcommands.isEmpty, run != nil { problems.append("a noun can't run by itself") }
    if let defaultSubcommand, subcommand(defaultSubcommand) == nil {
      problems.append("the default subcommand \(defaultSubcommand) does not exist")
    }
    if Set(subcommands.map(\.name)).count != subcommands.count {
      problems.append("two subcommands have the same name")
    }
    for name in subcommands.map(\.name) where subcommand(name)?.name != name {
      problems.append("\(name) is declared under another name")
    }
    return problems
  }

  private func exampleProblems(of node: Node) -> [String] {
    node.command.examples.flatMap { example in
      let words = shellWords(example.command)
      guard words.first == name else { return ["the example must begin with '\(name)'"] }
      let parsed = CommandLineParser(root: self).parse(Array(words.dropFirst()))
      let reached = parsed.node.path
      guard reached.starts(with: node.path) else {
        return ["the example '\(example.command)' is one of '\(parsed.node.title)'"]
      }
      return parsed.problems.map { "the example '\(example.command)': \($0.message)" }
    }
  }
}

extension Argument {
  /// Whether it takes any number of words.
  fileprivate var takesMany: Bool {
    switch arity {
    case .zeroOrMore, .oneOrMore, .rest: true
    case .required, .optional: false
    }
  }

  /// Whether it takes at most one word and may be left out.
  fileprivate var isOptional: Bool {
    if case .optional = arity { true } else { false }
  }
}

/// Returns the words of an example's line, with single and double quotes as in a shell.
func shellWords(_ line: String) -> [String] {
  var words: [String] = []
  var word: String?
  var quote: Character?
  for character in line {
    if let open = quote {
      if character == open { quote = nil } else { word = (word ?? "") + String(character) }
    } else if character == "\"" || character == "'" {
      quote = character
      word = word ?? ""
    } else if character == " " {
      if let finished = word { words.append(finished) }
      word = nil
    } else {
      word = (word ?? "") + String(character)
    }
  }
  if let finished = word { words.append(finished) }
  return words
}
