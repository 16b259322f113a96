import LarderJSON
import LarderKit
import LarderModel
internal import LarderText

/// The output of a command's data and messages, in the requested form.
struct Output: Sendable {
  let mode: OutputMode
  let terminal: Terminal
  /// Whether standard output has colours.
  let hasColor: Bool
  /// Whether standard error has colours.
  let errorHasColor: Bool
  let standardOutput: ByteSink
  let standardError: ByteSink
  let progress: ProgressLine
  /// The pager that standard output goes through, if there is one.
  private let pager: Pager?
  private let told = ToldWarnings()

  init(
    mode: OutputMode, terminal: Terminal, wantsColor: Bool = true,
    standardOutput: ByteSink, standardError: ByteSink, pager: Pager? = nil
  ) {
    self.mode = mode
    self.terminal = terminal
    let mayColor = wantsColor && terminal.allowsColor
    hasColor = mayColor && terminal.outputIsTerminal && mode == .human
    errorHasColor = mayColor && terminal.errorIsTerminal
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.pager = pager
    progress = ProgressLine(
      sink: standardError, isShown: terminal.errorIsTerminal, width: terminal.width)
  }

  /// The number of columns for help, limited to a readable width on a wide terminal.
  var helpWidth: Int {
    terminal.outputIsTerminal ? min(max(terminal.width, 40), 100) : 80
  }

  /// Writes our own text to standard output unchanged.
  func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes bytes to standard output.
  func write(_ bytes: [UInt8]) {
    progress.clear()
    guard !bytes.isEmpty else { return }
    // The pager also shows warnings that are still waiting.
    pager?.start()
    tellHeld()
    standardOutput.write(bytes)
  }

  /// Writes one sanitised line of data to standard output.
  func line(_ text: String, _ style: Style? = nil) {
    let clean = sanitize(text)
    let lines = isNarrow && terminal.outputIsTerminal ? folded(clean, width: terminal.width) : clean
    let styled = hasColor ? style?.applied(to: lines) : nil
    write((styled ?? lines) + "\n")
  }

  /// Whether sentences are broken between words.
  ///
  /// A wider terminal breaks few, and people who copy from it get whole lines.
  private var isNarrow: Bool { mode == .human && terminal.width < 80 }

  /// Returns the sanitised text, in a style if standard output has colours.
  func paint(_ text: String, _ style: Style?) -> String {
    let clean = sanitize(text)
    guard hasColor, let style else { return clean }
    return style.applied(to: clean)
  }

  /// Writes one sanitised line that is not data to standard error.
  func note(_ text: String) {
    writeError(problemText.fit(sanitize(Larder.withoutSecrets(text))) + "\n")
  }

  /// Writes a question to standard error, without a newline.
  func ask(_ question: String) {
    writeError(question == "\n" ? question : sanitize(Larder.withoutSecrets(question)))
  }

  /// Writes a warning to standard error, with its position and an excerpt if it has them.
  func warn(_ problem: Problem) {
    let text = problemText.warning(problem)
    if told.isNews(text) { writeError(text) }
  }

  /// Keeps a warning about broken and refused files, in one line, until the next output.
  ///
  /// The warning is dropped if the next output is an error about such a file.
  func warn(ofLeft paths: Set<FilePath>, in household: Household) {
    let what = MessageWords.left(paths, in: household)
    let problem = Problem("\(what); 'larder check' shows why", severity: .warning)
    if !paths.isEmpty { told.hold(problemText.warning(problem)) }
  }

  /// Writes the kept warning, if there is one.
  func tellHeld() {
    if let held = told.takeHeld() { writeError(held) }
  }

  /// Writes a warning without a position to standard error.
  func warn(_ message: String) {
    warn(Problem(Larder.withoutSecrets(message), severity: .warning))
  }

  /// Writes a problem to standard output, for a command whose task is to find problems.
  func finding(_ problem: Problem) {
    let width = terminal.outputIsTerminal ? max(terminal.width, 40) : 100
    write(ProblemText(hasColor: hasColor, width: width).finding(problem))
  }

  /// Writes a hint to standard error.
  func hint(_ text: String) {
    writeError(problemText.hint(Larder.withoutSecrets(text)) + "\n")
  }

  /// Reports a failure: on standard error for people, on standard output as JSON.
  func report(_ error: CommandError) {
    if error.tellsOfUntakenFile { _ = told.takeHeld() }
    if mode == .json {
      json([JSONMember("error", error.json)])
    } else {
      writeError(problemText.error(error))
    }
  }

  private var problemText: ProblemText {
    ProblemText(
      hasColor: errorHasColor, width: terminal.errorIsTerminal ? max(terminal.width, 40) : 100,
      isFolded: terminal.errorIsTerminal && terminal.width < 80)
  }

  private func writeError(_ text: String) {
    tellHeld()
    progress.clear()
    standardError.write(Array(text.utf8))
  }
}
