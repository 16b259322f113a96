import LarderKit
import LarderModel

extension Invocation {
  /// The folder of the command, from `-C` or the shell.
  var directory: String { self[GlobalOption.directory] ?? "." }

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

  /// Runs `body` with the command's household, and puts its errors into words.
  func withLarder<Value>(_ body: (Larder) throws -> Value) throws -> Value {
    var opened: Larder?
    do {
      let larder = try open()
      opened = larder
      log(.store, "opened \(larder.root)")
      // A command that fails may have committed before.
      defer {
        if larder.hasCommitted { log(.store, "committed") }
        TidyCommand.startIfDue(for: larder, self)
        AutoSync.startIfDue(for: larder, self)
      }
      return try body(larder)
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw MessageWords(about: opened).commandError(for: error)
    }
  }

  /// Opens the household of `-C`, otherwise the nearest one, otherwise the user's.
  func open() throws -> Larder {
    guard let folder = self[GlobalOption.directory] else {
      return try Larder.find(from: ".", context())
    }
    return try Larder.open(from: folder, context())
  }

  /// Reads the household, and warns about problems in files that people edited.
  func survey() throws -> Survey { try surveyWithVersion().survey }

  /// Reads the household like ``survey()``, and returns its version too.
  func surveyWithVersion() throws -> (survey: Survey, version: String?) {
    try withLarder { larder in
      let reading = try larder.read()
      try warn(about: reading.notes, in: reading.household, larder)
      var survey = Survey(reading.household, now: larder.context.now())
      if has(ListOptions.sync) { survey.cloud = try larder.connectedCloud().state() }
      return (survey, reading.version)
    }
  }

  /// Changes the household in one commit; `body` returns the commit's subject.
  func change(
    request: String? = nil, _ body: (inout Edit, Writer, Survey) throws -> String
  ) throws -> Outcome {
    let outcome = try withLarder { larder in
      try larder.commit(request: request) { change in
        change.subject = try body(&change.edit, change.writer, change.survey)
      }.outcome
    }
    tellRehearsal()
    return outcome
  }

  /// Says in a rehearsal, before the outcome, that nothing is changed.
  func tellRehearsal() {
    if has(Rehearsal.option) { output.note(Rehearsal.heading) }
  }

  /// Like ``change(request:_:)``; `body` may also remove entities for good.
  func removal(_ body: (inout Edit, Writer, Survey) throws -> String) throws -> Outcome {
    let outcome = try withLarder { larder in
      try larder.commitRemoving { change in
        change.subject = try body(&change.edit, change.writer, change.survey)
      }.outcome
    }
    tellRehearsal()
    return outcome
  }
}

extension Environment {
  /// The environment variables that determine the household.
  fileprivate var forHouseholds: [String: String] {
    var variables: [String: String] = [:]
    for name in ["XDG_CONFIG_HOME", "HOME", "LARDER_HOUSEHOLD"] { variables[name] = self[name] }
    return variables
  }

  /// Returns a setting of git for the household of a line, otherwise for the user; nil if there is
  /// none, or it can't be read.
  func gitSetting(_ key: String, for line: ParsedCommandLine) -> String? {
    let context = LarderContext(environment: forHouseholds)
    let folder = line.options[GlobalOption.directory.name]?.first
    let larder =
      if let folder {
        try? Larder.open(from: folder, context)
      } else {
        try? Larder.find(from: ".", context)
      }
    return try? larder.map { try $0.gitSetting(key) } ?? Larder.gitSetting(ofUser: key)
  }
}
