import LarderKit
import LarderModel
import Libc

/// A tree of commands with its environment; it parses the line, runs the command and reports
/// failures.
struct Program: Sendable {
  var root: Command
  /// The version that `--version` prints after the program's name.
  var version: String
  var environment: Environment
  var terminal: Terminal
  var standardInput: LineSource
  var standardOutput: ByteSink
  var standardError: ByteSink
  /// Returns the words for an error of the libraries; the invocation tells which household's files
  /// it may be about.
  var describe: @Sendable (any Error, Invocation) async -> ErrorWords
  /// Returns the command that is probably meant by an unknown word.
  var tried: @Sendable (UnknownWord) -> MeantCommand? = { _ in nil }
  /// Returns a line whose first word is replaced, if it is an alias of the user.
  var expand: @Sendable ([String]) -> [String] = { $0 }
  /// Returns the command of the pager for a line; nil for none.
  var pager: @Sendable (ParsedCommandLine) -> String? = { _ in nil }
  /// Whether to run a command again after this error; the command must not have changed anything.
  var mends: @Sendable (any Error, Invocation) async -> Bool = { _, _ in false }

  /// Runs the command for the words after the program's name, and returns the exit code.
  ///
  /// A reader that closes the pipe early is not a failure: the command's changes are kept.
  /// `damaged` is the number, from 1, of a word that is not valid UTF-8; then nothing is done.
  func run(_ words: [String], damaged: Int? = nil) -> Int32 {
    // Writing to a closed pipe should fail, but not end the process.
    signal(SIGPIPE, SIG_IGN)
    let parsed = CommandLineParser(root: root, tried: tried).parse(expand(words))
    let pager = isPaged(parsed) ? pager(for: parsed) : nil
    let output = Output(
      mode: parsed.mode, terminal: terminal, wantsColor: !parsed.has(GlobalOption.noColor),
      standardOutput: standardOutput, standardError: standardError, pager: pager)
    let damagedWord = damaged.map { ($0, words[$0 - 1]) }
    let code = CallingThread.run { thread in
      let invocation = Invocation(
        root: root, parsed: parsed, output: output, prompt: prompt(parsed, output),
        environment: environment, thread: thread)
      return await exitCode(of: invocation, damaged: damagedWord)
    }
    output.tellHeld()
    output.progress.finish()
    pager?.finish()
    return code == 0 ? finalCode(output) : code
  }

  /// Runs an invocation, reports its failure, and returns its exit code.
  private func exitCode(
    of invocation: Invocation, damaged: (number: Int, word: String)?
  ) async -> Int32 {
    do {
      if let damaged {
        throw ErrorWords(
          .usage, "word \(damaged.number) is no UTF-8: '\(damaged.word)'",
          "set the terminal, or the program that runs larder, to UTF-8")
      }
      try await run(invocation)
      return 0
    } catch let status as ExitStatus {
      return status.code
    } catch {
      let failure = await errorWords(for: error, invocation).withoutSecrets
      invocation.output.progress.finish()
      invocation.output.report(failure)
      return failure.kind.exitCode
    }
  }

  private func isPaged(_ parsed: ParsedCommandLine) -> Bool {
    terminal.outputIsTerminal && parsed.mode == .human && !parsed.has(GlobalOption.noPager)
      && (parsed.node.command.isPaged || parsed.has(GlobalOption.help))
  }

  private func pager(for parsed: ParsedCommandLine) -> Pager {
    Pager(errorIsTerminal: terminal.errorIsTerminal) { [pager] in pager(parsed) }
  }

  private func run(_ invocation: Invocation) async throws {
    let (parsed, output) = (invocation.parsed, invocation.output)
    // Git and ssh would ask at the terminal, which is not allowed either.
    if parsed.has(GlobalOption.noInput) { setenv("GIT_TERMINAL_PROMPT", "0", 1) }
    let asksForHelp = parsed.has(GlobalOption.help)
    let onlyCommandProblems = parsed.problems.filter { problem in
      if case .unknownCommand = problem { true } else { false }
    }
    if asksForHelp, !onlyCommandProblems.isEmpty {
      throw UsageError(onlyCommandProblems, in: parsed.node.path)
    }
    if !asksForHelp, !parsed.problems.isEmpty {
      throw UsageError(parsed.problems, in: parsed.node.path)
    }
    if !asksForHelp, parsed.has(GlobalOption.version) {
      output.version(version, of: root.name)
      return
    }
    guard !asksForHelp, let command = parsed.node.command.run else {
      output.help(parsed.node)
      return
    }
    let named = try await invocation.withNames()
    do {
      try await command(named)
    } catch {
      guard await mends(error, named) else { throw error }
      try await command(named)
    }
  }

  private func prompt(_ parsed: ParsedCommandLine, _ output: Output) -> Prompt {
    Prompt(
      isInteractive: terminal.inputIsTerminal && !parsed.has(GlobalOption.noInput),
      answersYes: parsed.has(GlobalOption.yes), output: output, input: standardInput)
  }

  private func errorWords(for error: any Error, _ invocation: Invocation) async -> ErrorWords {
    if let error = error as? any HasErrorWords { return error.errorWords }
    return await describe(error, invocation)
  }

  /// Returns the exit code of a successful run, which fails if its output could not be written.
  private func finalCode(_ output: Output) -> Int32 {
    guard let failure = output.standardOutput.failure, failure != EPIPE else { return 0 }
    let reason = String(cString: strerror(failure))
    output.report(ErrorWords(.failed, "can't write the output: \(reason)"))
    return ErrorKind.failed.exitCode
  }
}

/// Questions to the user, if there is one.
struct Prompt: Sendable {
  /// Whether standard input is a terminal and questions are allowed.
  let isInteractive: Bool
  /// Whether `--yes` answers every question.
  let answersYes: Bool
  let output: Output
  let input: LineSource

  /// Asks a question for yes or no, again after an answer that is neither; an empty one, and the
  /// end of the input, are no.
  ///
  /// Nil if nobody can be asked; the command then fails with a hint about `--yes`.
  func confirm(_ question: String) -> Bool? {
    if answersYes { return true }
    guard isInteractive else { return nil }
    return answer(to: "\(question) [y/N]", usually: false)
  }

  /// Asks a question whose usual answer is yes; no if nobody can be asked.
  ///
  /// `--yes` does not answer it, because such a question may be repeated without end.
  func agrees(_ question: String) -> Bool { answer(to: question, usually: true) }

  /// Returns the answer, no if the input ends.
  private func answer(to question: String, usually usual: Bool) -> Bool {
    while let text = line(question) {
      if text.allSatisfy(\.isWhitespace) { return usual }
      if let answer = Answer.read(text) { return answer }
      output.note(Answer.question(about: text))
    }
    return false
  }

  /// Asks a question that one of some words answers, or its first letter if no word before it has
  /// the same; the first word is the usual one, and capitals don't matter.
  ///
  /// It asks again after another word. Nil if nobody can be asked or the input ended.
  func word(_ question: String, of words: [String]) -> String? {
    while let answer = line(question).map(fold) {
      if answer.isEmpty { return words.first }
      let meant = Answer.read(answer).map { $0 ? "yes" : "no" }
      if let word = words.first(where: { $0 == answer }) ?? words.first(where: { $0 == meant })
        ?? words.first(where: { $0.prefix(1) == answer })
      {
        return word
      }
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
