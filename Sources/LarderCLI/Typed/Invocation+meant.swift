import LarderKit

/// The answers of a user who was asked about names that are only a part of others, by the folded
/// name: words that name the whole; nil if the name is meant as it is.
typealias Meanings = [String: String?]

extension Invocation {
  /// Whether the user is asked what is meant.
  var canAsk: Bool {
    prompt.isInteractive && !prompt.answersYes && output.mode == .human && !has(Rehearsal.option)
  }

  /// Runs `body`; if it asks what is meant by parts of names, asks the user, and runs it again with
  /// the answers.
  func askingWhich<Value>(_ body: (Meanings) async throws -> Value) async throws -> Value {
    var meanings: Meanings = [:]
    while true {
      do {
        return try await body(meanings)
      } catch OpenQuestion.which(let missing) {
        for one in missing { meanings.updateValue(whole(of: one), forKey: fold(one.words)) }
      }
    }
  }

  /// Throws the mistakes.
  ///
  /// If all are names that nobody has, asks about those that are a part of others, as long as they
  /// have no answer. If nobody can be asked, the error has the command that is meant.
  func refuse(_ mistakes: ThingMistakes, _ meanings: Meanings) throws {
    let missing = mistakes.all.compactMap { mistake -> Missing? in
      if case NamingError.notFound(let missing) = mistake.error { missing } else { nil }
    }
    guard !missing.isEmpty, missing.count == mistakes.all.count else {
      return try mistakes.refuse()
    }
    try askWhich(missing.filter { !$0.wholes.isEmpty }, meanings)
    let command = missing.compactMap(\.single).count == missing.count ? retyped(missing) : nil
    var clear = ThingMistakes()
    for var one in missing {
      one.command = command
      clear.attempt(one.words) { throw NamingError.notFound(one) }
    }
    try clear.refuse()
  }

  /// Asks which things are meant by names without an answer, unless nobody can be asked.
  func askWhich(_ missing: [Missing], _ meanings: Meanings) throws {
    let open = missing.filter { meanings[fold($0.words)] == nil }
    guard canAsk, !open.isEmpty else { return }
    throw OpenQuestion.which(open)
  }

  /// Asks which whole name is meant; nil for none.
  ///
  /// Enter alone means none.
  private func whole(of missing: Missing) -> String? {
    let wholes = missing.wholes
    let what = "no \(missing.kind.noun) is called '\(missing.words)'"
    if let single = missing.single {
      return prompt.confirm("\(what); is \(single.name) meant?") == true ? single.reference : nil
    }
    output.note("\(what); it is a part of these names:")
    for (index, whole) in wholes.prefix(Self.mostWholes).enumerated() {
      output.note("  \(index + 1)  \(whole.name)" + (whole.detail.map { ", \($0)" } ?? ""))
    }
    let most = min(wholes.count, Self.mostWholes)
    while let answer = prompt.line("Which one? Its number, or Enter for none of them:") {
      if answer.allSatisfy(\.isWhitespace) { return nil }
      if let number = Int(answer.filter { !$0.isWhitespace }), (1...most).contains(number) {
        return wholes[number - 1].reference
      }
      output.note("answer a number from 1 to \(most), or Enter")
    }
    return nil
  }

  private static let mostWholes = 20

  /// Returns the command line with the whole names in place of their parts; nil if the parts do not
  /// stand in it as words of their own.
  private func retyped(_ missing: [Missing]) -> String? {
    var words = parsed.arguments.values.first { $0 != ["-"] } ?? []
    var lines = all(TypedLine.option)
    for one in missing {
      guard let single = one.single else { return nil }
      let part = one.words.split(separator: " ").map { fold(String($0)) }
      let starts = words.indices.filter { words[$0...].prefix(part.count).map(fold) == part }
      let named = lines.indices.filter { lines[$0].prefix(one.words.count) == one.words }
      if starts.count == 1, named.isEmpty {
        words.replaceSubrange(starts[0]..<starts[0] + part.count, with: [single.name])
      } else if named.count == 1, starts.isEmpty {
        lines[named[0]] = single.name + lines[named[0]].dropFirst(one.words.count)
      } else {
        return nil
      }
    }
    let options = typedOptions { $0 == TypedLine.option.name ? lines : nil }
    return (path + words.map(shellWord) + options).joined(separator: " ")
  }

  /// Returns the options of the command as they were typed, or with other values.
  func typedOptions(_ others: (_ name: String) -> [String]? = { _ in nil }) -> [String] {
    parsed.node.command.options.flatMap { option in
      (others(option.name) ?? all(option)).map { value in
        option.isFlag ? option.spelling : "\(option.spelling) \(shellWord(value))"
      }
    }
  }
}

extension Missing {
  /// The one thing of whose name the words are a part; nil if there are several, or none.
  fileprivate var single: Candidate? { wholes.count == 1 ? wholes[0] : nil }
}
