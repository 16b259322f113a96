import LarderModel

/// Questions to the user, if there is one.
struct Prompt: Sendable {
  /// Whether standard input is a terminal and questions are allowed.
  let isInteractive: Bool
  /// Whether `--yes` answers every question.
  let answersYes: Bool
  let output: Output
  let input: LineSource

  /// Asks a question for yes or no; every answer except yes is no.
  ///
  /// Nil if nobody can be asked; the command then fails with a hint about `--yes`.
  func confirm(_ question: String) -> Bool? {
    if answersYes { return true }
    guard isInteractive else { return nil }
    output.ask("\(question) [y/N] ")
    let answer = input.readLine().map(fold) ?? ""
    return answer == "y" || answer == "yes"
  }

  /// Asks a question whose usual answer is yes; no if nobody can be asked.
  ///
  /// `--yes` does not answer it, because such a question may be repeated without end.
  func agrees(_ question: String) -> Bool {
    guard let answer = line(question).map(fold) else { return false }
    return ["", "y", "yes"].contains(answer)
  }

  /// Asks a question that one of some words answers, or its first letter if no word before it has
  /// the same; the first word is the usual one, and capitals don't matter.
  ///
  /// It asks again after another word. Nil if nobody can be asked or the input ended.
  func word(_ question: String, of words: [String]) -> String? {
    while let answer = line(question).map(fold) {
      if answer.isEmpty { return words.first }
      if let word = words.first(where: { $0 == answer || $0.prefix(1) == answer }) { return word }
      output.note("answer \(words.joined(separator: ", "))")
    }
    return nil
  }

  /// Asks for a line that the terminal shows; nil if nobody can be asked or the input ended.
  func line(_ question: String) -> String? {
    guard isInteractive else { return nil }
    output.ask("\(question) ")
    let answer = input.readLine()
    // The next output must begin on a new line.
    if answer == nil { output.ask("\n") }
    return answer
  }

  /// Asks for a text that the terminal does not show, such as a password.
  ///
  /// Nil if nobody can be asked or the input ended.
  func secret(_ question: String) -> String? {
    guard isInteractive else { return nil }
    output.ask("\(question) ")
    let answer = input.readHiddenLine()
    // The terminal did not show the typed newline either.
    output.ask("\n")
    return answer
  }
}
