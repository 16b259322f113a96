import LarderModel

/// Questions to a person, where there is one.
struct Prompt: Sendable {
  /// Whether standard input is a terminal and asking is allowed.
  let isInteractive: Bool
  /// Whether `--yes` has answered every question.
  let answersYes: Bool
  let output: Output
  let input: LineSource

  /// Asks a question that is answered with yes or no; anything but yes is no.
  ///
  /// Nil where nobody can be asked: the command then fails with a hint about `--yes`.
  func confirm(_ question: String) -> Bool? {
    if answersYes { return true }
    guard isInteractive else { return nil }
    output.ask("\(question) [y/N] ")
    let answer = input.readLine().map(fold) ?? ""
    return answer == "y" || answer == "yes"
  }

  /// Asks for a line that the terminal shows; nil where nobody can be asked, or where the input ended.
  func line(_ question: String) -> String? {
    guard isInteractive else { return nil }
    output.ask("\(question) ")
    let answer = input.readLine()
    // What comes next begins a line of its own.
    if answer == nil { output.ask("\n") }
    return answer
  }

  /// Asks for a text that the terminal doesn't show, such as a password.
  ///
  /// Nil where nobody can be asked, or where the input ended.
  func secret(_ question: String) -> String? {
    guard isInteractive else { return nil }
    output.ask("\(question) ")
    let answer = input.readHiddenLine()
    // The newline that was typed wasn't shown either.
    output.ask("\n")
    return answer
  }
}
