import LarderKit
import LarderModel

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

  static let completion = Command(
    "completion", summary: "Print the completion of a shell",
    discussion: """
      It completes commands, options, and the names of your household: items, entries, locations, \
      batches, shops. 'make install' installs it for all three shells. By hand, put one of these \
      into your shell's settings:

        bash   source <(larder completion bash)
        zsh    source <(larder completion zsh), after compinit
        fish   larder completion fish | source
      """,
    group: "Help", examples: [Example("larder completion bash")], arguments: [shell]
  ) { invocation in
    invocation.output.write(CompletionScript.text(for: Shell(rawValue: invocation[shell]) ?? .bash))
  }

  static let complete = Command(
    "complete", summary: "Print what may follow the words of a command line",
    arguments: [words], options: [lineOf], isHidden: true
  ) { invocation in
    let given = invocation.all(words)
    let shell = invocation[lineOf].flatMap(Shell.init(rawValue:))
    let line = shell.map { ShellLine(given.first ?? "", in: $0) }
    let words = line.map { Array($0.words.dropFirst()) } ?? given
    let completion = Completion(
      root: invocation.root, names: CompletionNames(words, invocation).names)
    switch completion.answer(to: words) {
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
    let place = words.firstIndex { ["-C", GlobalOption.directory.spelling].contains($0) }
    folder = place.flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
  }

  func names(_ kind: LiveNames, behind words: [String]) -> [Completion.Candidate] {
    guard let context = try? invocation.context(),
      let larder = try? folder.map({ try Larder.open(from: $0, context) })
        ?? Larder.find(from: ".", context),
      let household = try? larder.read().household
    else { return [] }
    if kind == .revision { return revisions(larder, household) }
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

  private func revisions(_ larder: Larder, _ household: Household) -> [Completion.Candidate] {
    var found: [Completion.Candidate] = []
    _ = try? larder.history(in: household, most: 20, mostFiles: 0) { entry in
      found.append(Completion.Candidate(word: entry.commit.id.short, help: entry.commit.subject))
      return true
    }
    return found
  }
}
