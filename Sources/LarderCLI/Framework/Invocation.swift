import LarderKit
internal import LarderText
import Libc

/// A run of a command: the parsed words, and the output.
///
/// Values are read with the constants that declare them. An undeclared one reads like a missing
/// one.
struct Invocation: Sendable {
  let root: Command
  var parsed: ParsedCommandLine
  let output: Output
  let prompt: Prompt
  let environment: Environment
  /// Where the command's households do their work.
  let thread: CallingThread
  /// The things that were typed as the numbers of a list; nil if names were typed.
  var numbered: [TypedThing]?

  /// The names of the command with the program's, such as `["larder", "stock", "consume"]`.
  var path: [String] { parsed.node.path }

  /// The names of the command without the program's, such as `stock use`.
  var title: String { path.dropFirst().joined(separator: " ") }

  /// The word for a required or optional argument, otherwise its declared default.
  subscript(argument: Argument) -> String {
    given(argument)
      ?? {
        if case .optional(let standard?) = argument.arity { standard } else { "" }
      }()
  }

  /// Returns the word for an argument, or nil if there is none.
  func given(_ argument: Argument) -> String? { parsed.arguments[argument.name]?.first }

  /// Returns all words for an argument that takes several.
  func all(_ argument: Argument) -> [String] { parsed.arguments[argument.name] ?? [] }

  /// The value of an option, or nil if it is missing.
  subscript(option: Option) -> String? { parsed.options[option.name]?.first }

  /// Returns the values of a repeatable option, in their order.
  func all(_ option: Option) -> [String] { parsed.options[option.name] ?? [] }

  /// Whether a flag is set.
  func has(_ flag: Option) -> Bool { parsed.has(flag) }

  /// Returns the limit from an option, where 0 means no limit; nil if the option is missing.
  func most(_ option: Option) throws -> Int? {
    try value(option, "a whole number from 0 on is needed") { text in
      Int(text).flatMap { $0 < 0 ? nil : $0 == 0 ? .max : $0 }
    }
  }

  /// Returns the value that `read` makes of an option's text, nil if the option is missing; throws a
  /// usage error, which says what is needed, for a text that can't be read.
  func value<Value>(
    _ option: Option, _ need: String, _ read: (String) -> Value?
  ) throws -> Value? {
    try self[option].map { text in
      guard let value = read(text) else { throw unreadable(text, for: option.spelling, need) }
      return value
    }
  }

  /// Returns this command's usage error for a problem.
  func usage(_ problems: UsageProblem...) -> UsageError { UsageError(problems, in: path) }

  /// Returns this command's usage error for an invalid value.
  func unreadable(
    _ value: String, for name: String, _ reason: String, topic: HelpTopic? = nil
  ) -> UsageError {
    UsageError([.unreadable(value: value, name: name, reason: reason)], in: path, topic: topic)
  }

  /// The folder of the command, from `-C` or the shell.
  var directory: String { self[GlobalOption.directory] ?? "." }

  /// Returns the path of a new folder, relative to the folder of the command.
  func place(of folder: String) -> String {
    folder.hasPrefix("/") || directory == "." ? folder : "\(directory)/\(folder)"
  }

  /// Returns the clock: `LARDER_NOW` if it is set, otherwise the machine's.
  func clock() throws -> @Sendable () -> Instant {
    guard let text = environment["LARDER_NOW"] else { return { Instant.current } }
    guard let instant = Instant(text) else {
      throw unreadable(text, for: "LARDER_NOW", "an instant like 2026-11-03T19:12:44Z is needed")
    }
    return { instant }
  }

  /// Returns the context of this run for a household.
  func context() throws -> LarderContext {
    let device = environment["LARDER_DEVICE"]
    if let device { try checkDevice(device, for: "LARDER_DEVICE") }
    var context = LarderContext(environment: environment.forHouseholds)
    context.now = try clock()
    context.device = device
    context.command = title
    context.program = { [environment] in OwnProgram.word(environment) }
    context.version = Root.version
    context.executor = thread
    context.isRehearsal = has(Rehearsal.option) && path.last != "sync"
    // For other commands, the option confirms the command's own question.
    context.acceptsManyRemovals = has(GlobalOption.yes) && ["adopt", "sync"].contains(path.last)
    context.report = { [self] in tell($0) }
    return context
  }

  /// Throws if a text can't be a device's name, which is part of a line in commits and ledgers.
  func checkDevice(_ name: String, for source: String) throws {
    guard Larder.isDeviceName(name), sanitize(name) == name else {
      throw unreadable(
        name, for: source, "a name of one line without < and > is needed, such as kitchen-tablet")
    }
  }

  /// Runs `body` in the command's household, without a call of others in between, and puts its errors
  /// into words.
  func withLarder<Value: Sendable>(
    _ body: @Sendable (isolated Larder) async throws -> Value
  ) async throws -> Value {
    let larder: Larder
    do {
      larder = try await open()
    } catch {
      throw MessageWords().errorWords(for: error)
    }
    return try await run(body, in: larder)
  }

  private func run<Value: Sendable>(
    _ body: @Sendable (isolated Larder) async throws -> Value, in larder: isolated Larder
  ) async throws -> Value {
    do {
      log(.store, "opened \(larder.root)")
      // A command that fails may have committed before.
      defer {
        if larder.hasCommitted {
          log(.store, "committed")
          TidyCommand.startIfDue(for: larder, self)
        }
        AutoSync.startIfDue(for: larder, self)
      }
      return try await body(larder)
    } catch let status as ExitStatus {
      throw status
    } catch let question as OpenQuestion {
      throw question
    } catch {
      throw MessageWords(about: larder).errorWords(for: error)
    }
  }

  /// Opens the household of `-C`, otherwise the nearest one, otherwise the user's.
  func open() async throws -> Larder {
    try await Larder.household(of: self[GlobalOption.directory], context())
  }

  /// Reads the household, and warns about problems in files that people edited.
  func survey() async throws -> Survey { try await surveyWithVersion().survey }

  /// Reads the household like ``survey()``, and returns its version too.
  func surveyWithVersion() async throws -> (survey: Survey, version: String?) {
    try await withLarder { larder in
      let reading = try larder.read()
      try warn(about: reading.notes, in: reading.household, larder)
      var survey = Survey(reading.household, now: larder.context.now())
      if has(ListOptions.sync) { survey.cloud = try await larder.connectedCloud().state() }
      return (survey, reading.version)
    }
  }

  /// Changes the household in one commit; `body` returns the commit's subject.
  ///
  /// With `removesForGood`, it may remove entities that no other device knows.
  func change(
    request: String? = nil, removesForGood: Bool = false,
    _ body: @Sendable (inout Edit, Writer, Survey) throws -> String
  ) async throws -> Outcome {
    try await commit(request: request, removesForGood: removesForGood) { change in
      change.subject = try body(&change.edit, change.writer, change.survey)
    }.outcome
  }

  /// Changes the household in one commit like ``change(request:removesForGood:_:)``; `body` sets the
  /// commit's subject, and its value is returned.
  func commit<Value: Sendable>(
    request: String? = nil, removesForGood: Bool = false,
    _ body: @Sendable (inout Change) throws -> Value
  ) async throws -> (value: Value, outcome: Outcome) {
    let done = try await withLarder { larder in
      try removesForGood
        ? larder.commitRemoving("", body) : larder.commit("", request: request, body)
    }
    tellRehearsal()
    return done
  }

  /// Says in a rehearsal, before the outcome, that nothing is changed.
  func tellRehearsal() {
    if has(Rehearsal.option) { output.note(Rehearsal.heading) }
  }

  /// Reports an event of a call on standard error.
  func tell(_ event: LarderEvent) {
    switch event {
    case .adopted(let adoption, let household, let root):
      warn(about: adoption.notes, in: household, root: root)
    case .waiting:
      let sign = Sign.atWork.prefix(onTerminal: true)
      output.progress.update(sign + "waiting for another larder here")
    case .sync(let event):
      if let (sign, line) = SyncWords.line(of: event) { output.note(sign, line) }
      log(.git, event.logged)
    case .exchangeBegan: output.note(.atWork, "asking the cloud")
    case .progress(let progress):
      output.progress.update(Sign.atWork.prefix(onTerminal: true) + CloudWords.line(of: progress))
      log(.cloud, CloudWords.logged(progress))
    case .exchangeEnded: output.progress.finish()
    case .exchanged(let outcome):
      // These values were already joined and committed, even if the sync fails later.
      LossWords.report(outcome.lossWords, output)
    case .namedUser(let count):
      output.note(
        "\(counted(count, "thing")) that you made before signing in \(count == 1 ? "names" : "name") you now"
      )
    case .request(let note): log(note)
    }
  }

  /// Warns as ``warn(about:in:root:)`` after reading; of files that git filters, it says that.
  func warn(
    about notes: [HouseholdAdoption.Note], in household: Household, _ larder: isolated Larder
  )
    throws
  {
    let others = notes.filter { if case .untaken = $0 { false } else { true } }
    guard others.count < notes.count, let fault = try larder.filters().first else {
      return warn(about: notes, in: household, root: larder.root)
    }
    output.warn(fault.sentence)
    warn(about: others, in: household, root: larder.root)
  }

  /// Warns on standard error about people's edits; broken and refused files are one line.
  func warn(about notes: [HouseholdAdoption.Note], in household: Household, root: String) {
    var left: Set<FilePath> = []
    var others: [HouseholdAdoption.Note] = []
    for note in notes {
      if case .untaken(let path) = note { left.insert(path) } else { others.append(note) }
    }
    for problem in MessageWords(root: root).problems(others, in: household) { output.warn(problem) }
    output.warn(ofLeft: left, in: household)
  }

  /// Logs a layer's action on standard error if that was requested.
  func log(_ layer: LogLayer, _ text: @autoclosure () -> String) {
    let wanted = LogLayer.wanted(environment["LARDER_LOG"], isVerbose: has(GlobalOption.verbose))
    guard wanted.contains(layer) else { return }
    output.note("\(layer): \(text())")
  }

  func log(_ note: RequestNote) {
    let (seconds, attoseconds) = note.duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let outcome =
      note.answer.map { "\($0.status), \(counted($0.bytes, "byte"))" }
      ?? note.error.map { MessageWords().errorWords(for: $0).message } ?? "no answer"
    log(.http, "\(note.method.rawValue) \(note.path): \(outcome), \(milliseconds) ms")
  }
}

extension Larder {
  /// Opens the household of `-C`, otherwise the nearest one, otherwise the user's.
  static func household(of folder: String?, _ context: LarderContext) async throws -> Larder {
    guard let folder else { return try await find(from: ".", context) }
    return try await open(from: folder, context)
  }
}

extension MessageWords {
  /// Returns the words for an error of a command that may have no household.
  static func errorWords(for error: any Error, of invocation: Invocation) async -> ErrorWords {
    guard let larder = try? await invocation.open() else {
      return MessageWords().errorWords(for: error)
    }
    return await MessageWords(about: larder).errorWords(for: error)
  }
}

extension Environment {
  /// The environment variables that determine the household.
  var forHouseholds: [String: String] {
    var variables: [String: String] = [:]
    for name in ["XDG_CONFIG_HOME", "HOME", "LARDER_HOUSEHOLD"] { variables[name] = self[name] }
    return variables
  }

  /// The environment variables that determine the folder of what this device knows beside households.
  var forStates: [String: String] {
    var variables: [String: String] = [:]
    for name in ["XDG_STATE_HOME", "HOME"] { variables[name] = self[name] }
    return variables
  }

  /// Returns a setting of git for the household of a line, otherwise for the user; nil if there is
  /// none, or it can't be read.
  func gitSetting(_ key: String, for line: ParsedCommandLine) -> String? {
    let folder = line.options[GlobalOption.directory.name]?.first
    return CallingThread.run { thread in
      var context = LarderContext(environment: forHouseholds)
      context.executor = thread
      guard let larder = try? await Larder.household(of: folder, context) else {
        return try? Larder.gitSetting(ofUser: key)
      }
      return try? await larder.gitSetting(key)
    }
  }
}

extension SyncEvent {
  /// The line of the log.
  fileprivate var logged: String {
    switch self {
    case .adopted(let adoption, _): "adopted \(counted(adoption.changed.count, "thing"))"
    case .fetching(let remote): "fetching from \(remote)"
    case .waiting(let remote): "waiting for \(remote)"
    case .joining(let commits): "joining \(counted(commits, "commit"))"
    case .pushing(let commits): "pushing \(counted(commits, "commit"))"
    case .retrying(let attempt): "retrying for the \(attempt). time"
    }
  }
}

/// A question that interrupts a change before its commit; with the answer, the change begins anew.
enum OpenQuestion: Error {
  /// Whether to keep track of things that were never in the stock; `known` has the items' names.
  case newThings([NewThing], known: [String])
  /// The things meant by names that are only a part of others.
  case which([Missing])
  /// Whether the receipt is another one than a similar one that is there.
  case isAnother(ErrorWords)
  /// Whether the receipt is another one than that of a basket that is saved already.
  case isBasket(Entity)
}

/// A layer that `--verbose` and `LARDER_LOG` can log.
enum LogLayer: String, CaseIterable {
  /// The household's files and commits.
  case store
  /// Fetches and pushes of git.
  case git
  /// The exchanges with the project.
  case cloud
  /// Each request to the project.
  case http

  /// Returns the requested layers from a list of names, or from `all`.
  static func wanted(_ text: String?, isVerbose: Bool) -> Set<LogLayer> {
    if isVerbose || text == "all" || text == "1" { return Set(allCases) }
    return Set((text ?? "").split(separator: ",").compactMap { LogLayer(rawValue: String($0)) })
  }
}
