import LarderKit
internal import LarderText
import Synchronization

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
  var helpWidth: Int { terminal.outputIsTerminal ? min(max(terminal.width, 40), 100) : 80 }

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
  func warn(_ message: String) { warn(Problem(Larder.withoutSecrets(message), severity: .warning)) }

  /// Writes a problem to standard output, for a command whose task is to find problems.
  func finding(_ problem: Problem) {
    let width = terminal.outputIsTerminal ? max(terminal.width, 40) : 100
    write(ProblemText(hasColor: hasColor, width: width).finding(problem))
  }

  /// Writes a hint to standard error.
  func hint(_ text: String) { writeError(problemText.hint(Larder.withoutSecrets(text)) + "\n") }

  /// Reports a failure: on standard error for people, on standard output as JSON.
  func report(_ error: ErrorWords) {
    if error.tellsOfUntakenFile { _ = told.takeHeld() }
    if mode == .json {
      json(["error": error.json])
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

  /// Prints one JSON object, which begins with the version of the output's form.
  func json(_ object: JSON) {
    write(escapingControls((["version": .number(1)] + object).writeFile()))
  }

  /// Prints a table for people.
  func table(_ table: Table) {
    write(table.drawn(width: terminal.outputIsTerminal ? terminal.width : nil, hasColor: hasColor))
  }

  /// Prints the program's version in the requested form.
  func version(_ version: String, of program: String) {
    if mode == .json {
      json([program: .string(version)])
    } else {
      line("\(program) \(version)")
    }
  }

  /// Prints a command's changes as one JSON object, in the form of every command that writes.
  func changed(_ keys: [EntityKey], in household: Household, _ more: JSON = [:]) {
    let changed = ChangedEntity.all(keys, in: household)
    json(["changed": .array(changed.map(\.json))] + more)
  }

  /// Reports changes: one JSON object with other members, records, or what `tell` says to people.
  func report(_ keys: [EntityKey], in household: Household, _ more: JSON = [:], tell: () -> Void) {
    switch mode {
    case .json: changed(keys, in: household, more)
    case .plain:
      let changed = ChangedEntity.all(keys, in: household).filter { $0.name != nil }
      records(changed, ChangedEntity.record)
    case .human: tell()
    }
  }

  /// Reports a value of this device, which is not part of any commit; `tell` has the sentence.
  func report(setting name: String, _ value: String, _ sentence: String) {
    switch mode {
    case .json: json(["changed": .array([]), name: .string(value)])
    case .plain: records([(name, value)])
    case .human: line(sentence)
    }
  }

  /// Prints what is known of a thing: an object under a name, or named values, of which the first
  /// is its title.
  func details(_ name: String, _ object: @autoclosure () -> JSON, _ values: [NamedText]) {
    switch mode {
    case .json: json([name: object()])
    case .plain: records(values)
    case .human:
      if let title = values.first { line(title.text, .bold) }
      for (name, text) in values.dropFirst() { line("  \(name): \(text)") }
    }
  }

  /// Reports a command's changes, as a sentence, as records or as JSON.
  func report(_ writing: Writing, _ sentence: String) {
    report(writing.changed, in: writing.household) { line(sentence) }
  }
}

/// The form of a command's output.
enum OutputMode: Sendable, Equatable {
  /// Tables and sentences.
  case human
  /// One tab-separated record for each line.
  case plain
  /// One JSON object.
  case json
}

extension ErrorWords {
  /// The error's part of JSON output.
  var json: JSON {
    [
      "kind": .string(kind.rawValue), "message": .string(message), "hints": .texts(hints),
      "problems": .array(problems.map(\.json)),
    ]
  }
}

extension Problem {
  /// The problem's part of JSON output, without unknown values.
  var json: JSON {
    [
      "path": path.map { .string($0) }, "line": line.map { .number($0) },
      "column": column.map { .number($0) }, "message": .string(message),
      "severity": .string(severity.rawValue),
    ]
  }
}

extension JSON {
  /// Creates a number.
  static func number(_ count: Int) -> JSON { .number(String(count)) }

  /// Creates an array of texts.
  static func texts(_ texts: some Sequence<String>) -> JSON { .array(texts.map { .string($0) }) }

  /// Returns an object with the members of two.
  static func + (left: JSON, right: JSON) -> JSON {
    .object((left.members ?? []) + (right.members ?? []))
  }
}

extension Survey {
  /// Returns an entity as lists show it: the file without its ledger and stamps, computed values,
  /// and its path.
  func listed(_ entity: Entity, _ computed: JSON = [:]) -> JSON {
    let members = (entity.json.members ?? []).filter { $0.key != "changes" && $0.key != "edited" }
    let state: JSON? = cloud.map { cloud in
      [
        "syncState": .string(cloud[entity.key].rawValue),
        "lastSyncedAt": cloud.lastSyncedAt(entity.key).json,
      ]
    }
    return .object(members) + computed + path(of: entity) + (state ?? [:])
  }

  /// Returns a whole entity: the complete file, computed values, and its path.
  func whole(_ entity: Entity, _ computed: JSON = [:]) -> JSON {
    entity.json + computed + path(of: entity)
  }

  private func path(of entity: Entity) -> JSON {
    ["path": .string(household.path(of: entity.key)?.text ?? "")]
  }
}

extension Instant? {
  /// The moment, or null.
  var json: JSON { map { .string($0.description) } ?? .null }
}

extension String? {
  /// The text, or null.
  var json: JSON { map { .string($0) } ?? .null }
}

extension Quantity {
  /// The quantity as a nested object of the format.
  var json: JSON { ["value": value.json, "unit": .string(unit.rawValue)] }
}

/// The warnings of a command, each of which is written once.
final class ToldWarnings: Sendable {
  private struct State {
    var told: Set<String> = []
    var held: String?
  }

  private let state = Mutex(State())

  /// Whether a warning has not been written before.
  func isNews(_ text: String) -> Bool { state.withLock { $0.told.insert(text).inserted } }

  /// Keeps a warning until the next output, unless it is dropped before.
  func hold(_ text: String) {
    state.withLock { state in
      if state.told.insert(text).inserted { state.held = text }
    }
  }

  /// Returns the warning that was kept, and forgets it.
  func takeHeld() -> String? {
    state.withLock { state in
      defer { state.held = nil }
      return state.held
    }
  }
}
