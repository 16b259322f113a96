import LarderJSON

/// Where a command's data and messages go, and in which form.
struct Output: Sendable {
  let mode: OutputMode
  let terminal: Terminal
  /// Whether standard output is shown in colours.
  let hasColor: Bool
  /// Whether standard error is shown in colours.
  let errorHasColor: Bool
  let standardOutput: ByteSink
  let standardError: ByteSink
  let progress: ProgressLine
  private let told = ToldWarnings()

  init(
    mode: OutputMode, terminal: Terminal, wantsColor: Bool = true,
    standardOutput: ByteSink, standardError: ByteSink
  ) {
    self.mode = mode
    self.terminal = terminal
    let mayColor = wantsColor && terminal.allowsColor
    hasColor = mayColor && terminal.outputIsTerminal && mode == .human
    errorHasColor = mayColor && terminal.errorIsTerminal
    self.standardOutput = standardOutput
    self.standardError = standardError
    progress = ProgressLine(
      sink: standardError, isShown: terminal.errorIsTerminal, width: terminal.width)
  }

  /// The columns that help may fill: a readable measure, also on a wide terminal.
  var helpWidth: Int {
    terminal.outputIsTerminal ? min(max(terminal.width, 40), 100) : 80
  }

  /// Writes text of our own to standard output as it is.
  func write(_ text: String) {
    progress.clear()
    standardOutput.write(Array(text.utf8))
  }

  /// Writes one sanitised line of data to standard output.
  func line(_ text: String, _ style: Style? = nil) {
    write(paint(text, style) + "\n")
  }

  /// The sanitised text in a style, where standard output shows any.
  func paint(_ text: String, _ style: Style?) -> String {
    let clean = sanitize(text)
    guard hasColor, let style else { return clean }
    return style.applied(to: clean)
  }

  /// Writes one sanitised line of what isn't data to standard error.
  func note(_ text: String) {
    writeError(sanitize(text) + "\n")
  }

  /// Writes a question to standard error and stays on its line.
  func ask(_ question: String) {
    writeError(question == "\n" ? question : sanitize(question))
  }

  /// Writes a warning, with its place and an excerpt where it has them, to standard error.
  func warn(_ problem: Problem) {
    let text = problemText.warning(problem)
    if told.isNews(text) { writeError(text) }
  }

  /// From now on the command is run once more: what it has warned of is not told again.
  func beginAgain() { told.beginAgain() }

  /// Writes a warning without a place to standard error.
  func warn(_ message: String) {
    warn(Problem(message, severity: .warning))
  }

  /// Writes a problem that a command was asked to find to standard output.
  func finding(_ problem: Problem) {
    let width = terminal.outputIsTerminal ? max(terminal.width, 40) : 100
    write(ProblemText(hasColor: hasColor, width: width).finding(problem))
  }

  /// Writes advice to standard error.
  func hint(_ text: String) {
    writeError(problemText.hint(text) + "\n")
  }

  /// Reports a failure: to standard error for people, to standard output as JSON.
  func report(_ error: CommandError) {
    if mode == .json {
      json([JSONMember("error", error.json)])
    } else {
      writeError(problemText.error(error))
    }
  }

  private var problemText: ProblemText {
    ProblemText(
      hasColor: errorHasColor, width: terminal.errorIsTerminal ? max(terminal.width, 40) : 100)
  }

  private func writeError(_ text: String) {
    progress.clear()
    standardError.write(Array(text.utf8))
  }
}
