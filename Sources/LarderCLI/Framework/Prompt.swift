import LarderModel
import Libc

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

/// The source of a user's answers, line by line.
struct LineSource: Sendable {
  /// Returns the next line without its ending; nil at the end of the input.
  var readLine: @Sendable () -> String?
  /// Returns the next line while the terminal does not show the typed text.
  var readHiddenLine: @Sendable () -> String?
  /// Returns up to `most` bytes of input that need not be lines; nil if the source has only lines.
  var readBytes: (@Sendable (_ most: Int) -> [UInt8]?)?

  /// The process's standard input.
  static let standardInput = LineSource(
    readLine: { Swift.readLine(strippingNewline: true) },
    readHiddenLine: {
      var shown = termios()
      guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return Swift.readLine() }
      var hidden = shown
      hidden.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
      defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
      return Swift.readLine(strippingNewline: true)
    }, readBytes: { bytes(from: STDIN_FILENO, atMost: $0) })

  /// Returns up to a number of bytes of a descriptor; nil, with `errno`, if it can't be read.
  static func bytes(from descriptor: Int32, atMost most: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < most {
      let count = chunk.withUnsafeMutableBytes { Libc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
