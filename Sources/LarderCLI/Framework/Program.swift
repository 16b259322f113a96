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
  var describe: @Sendable (any Error, Invocation) -> CommandError
  /// Returns the command that is probably meant by an unknown word.
  var tried: @Sendable (UnknownWord) -> MeantCommand? = { _ in nil }
  /// Returns a line whose first word is replaced, if it is an alias of the user.
  var expand: @Sendable ([String]) -> [String] = { $0 }
  /// Returns the command of the pager for a line; nil for none.
  var pager: @Sendable (ParsedCommandLine) -> String? = { _ in nil }
  /// Whether to run a command again after this error; the command must not have changed anything.
  var mends: @Sendable (any Error, Invocation) -> Bool = { _, _ in false }

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
    let invocation = Invocation(
      root: root, parsed: parsed, output: output, prompt: prompt(parsed, output),
      environment: environment)
    var code: Int32 = 0
    do {
      if let damaged {
        throw CommandError(
          .usage, "word \(damaged) is no UTF-8: '\(words[damaged - 1])'",
          "set the terminal, or the program that runs larder, to UTF-8")
      }
      try run(invocation)
    } catch let status as ExitStatus {
      code = status.code
    } catch {
      let failure = commandError(for: error, invocation).withoutSecrets
      output.progress.finish()
      output.report(failure)
      code = failure.kind.exitCode
    }
    output.tellHeld()
    output.progress.finish()
    pager?.finish()
    return code == 0 ? finalCode(output) : code
  }

  private func isPaged(_ parsed: ParsedCommandLine) -> Bool {
    terminal.outputIsTerminal && parsed.mode == .human && !parsed.has(GlobalOption.noPager)
      && (parsed.node.command.isPaged || parsed.has(GlobalOption.help))
  }

  private func pager(for parsed: ParsedCommandLine) -> Pager {
    Pager(errorIsTerminal: terminal.errorIsTerminal) { [pager] in pager(parsed) }
  }

  private func run(_ invocation: Invocation) throws {
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
    do {
      try command(invocation)
    } catch  where mends(error, invocation) {
      try command(invocation)
    }
  }

  private func prompt(_ parsed: ParsedCommandLine, _ output: Output) -> Prompt {
    Prompt(
      isInteractive: terminal.inputIsTerminal && !parsed.has(GlobalOption.noInput),
      answersYes: parsed.has(GlobalOption.yes), output: output, input: standardInput)
  }

  private func commandError(for error: any Error, _ invocation: Invocation) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let error as UsageError: error.commandError
    default: describe(error, invocation)
    }
  }

  /// Returns the exit code of a successful run, which fails if its output could not be written.
  private func finalCode(_ output: Output) -> Int32 {
    guard let failure = output.standardOutput.failure, failure != EPIPE else { return 0 }
    let reason = String(cString: strerror(failure))
    output.report(CommandError(.failed, "can't write the output: \(reason)"))
    return ErrorKind.failed.exitCode
  }
}
