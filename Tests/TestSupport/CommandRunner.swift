public import Foundation

/// The built `larder`, run in a temporary folder, independent of the surroundings of the tests.
public struct CommandRunner: Sendable {
  /// The result of a run.
  public struct Outcome: Sendable, Equatable {
    /// The exit code; 128 plus the signal's number if it crashed, or hung and was killed.
    public let code: Int32
    public let output: String
    public let errors: String

    public init(code: Int32, output: String, errors: String) {
      self.code = code
      self.output = output
      self.errors = errors
    }

    /// Returns the JSON object on standard output.
    public func json() throws -> [String: Any] {
      let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
      guard let object = value as? [String: Any] else { throw NoObject(text: output) }
      return object
    }

    struct NoObject: Error {
      let text: String
    }
  }

  /// After how many seconds a run counts as hanging, and is ended.
  public static let patience = 120.0

  /// Runs words in a folder with an input by a call of the program's code, without a process.
  ///
  /// It gives nil for what needs a process.
  public typealias Call =
    @Sendable (
      _ larder: CommandRunner, _ words: [String], _ folder: String, _ input: String
    ) throws -> Outcome?

  /// The folder for all files of the runs.
  public let folder: Folder
  public var now: String
  public var device: String
  /// Additional environment variables; an empty text removes a default one.
  public var variables: [String: String] = [:]
  /// How a run goes without a process; nil starts a process for each.
  public var call: Call?

  public init(
    now: String = "2026-11-21T12:00:00Z", device: String = "laptop", call: Call? = nil
  ) throws {
    self.call = call
    folder = try Folder()
    self.now = now
    self.device = device
    try FileManager.default.createDirectory(
      atPath: folder("home"), withIntermediateDirectories: true)
  }

  /// Runs larder with arguments, in a folder below ``folder``, with a text as its standard input.
  public func callAsFunction(
    _ words: String..., in place: String = "", input: String = ""
  ) throws -> Outcome {
    try run(words, in: place, input: input)
  }

  /// Starts larder with arguments without waiting for its end; the output is discarded.
  public func start(_ words: [String], in place: String) throws -> Process {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = words
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: folder(place))
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Tests run on threads that block signals, and a child would inherit that.
    var none = sigset_t()
    var former = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    try process.run()
    return process
  }

  public func run(_ words: [String], in place: String = "", input: String = "") throws -> Outcome {
    if let outcome = try call?(self, words, place.isEmpty ? folder.path : folder(place), input) {
      return outcome
    }
    let drafts = try Folder()
    let process = try process(words, in: place, input: input, drafts: drafts)
    try process.run()
    // It must not outlive the run; otherwise the open files of two minutes of runs add up.
    let end = DispatchWorkItem { [weak process] in process?.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience, execute: end)
    process.waitUntilExit()
    end.cancel()
    let isKilled = process.terminationReason == .uncaughtSignal
    return Outcome(
      code: process.terminationStatus + (isKilled ? 128 : 0), output: try drafts.read("out"),
      errors: try drafts.read("err"))
  }

  /// Returns a process that has not started, with its streams in a folder: `in`, `out` and `err`.
  func process(
    _ words: [String], in place: String, input: String = "", drafts: Folder
  ) throws -> Process {
    try drafts.write(input, to: "in")
    try drafts.write("", to: "out")
    try drafts.write("", to: "err")
    let process = Process()
    process.executableURL = Self.program
    process.arguments = words
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: place.isEmpty ? folder.path : folder(place))
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: drafts("in")))
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: drafts("out")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: drafts("err")))
    return process
  }

  /// The environment of a run.
  public var environment: [String: String] {
    var all = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": folder("home"), "XDG_CONFIG_HOME": folder("home") + "/.config",
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": folder.path, "LC_ALL": "C.UTF-8",
      "TZ": "UTC", "LARDER_NOW": now, "LARDER_DEVICE": device,
    ]
    all.merge(variables) { _, new in new }
    return all.filter { !$0.value.isEmpty }
  }

  /// The path of the program that was built together with the tests.
  public static let program: URL = {
    let bundles = [Bundle.main] + Bundle.allBundles
    let folders = bundles.flatMap { bundle in
      [
        bundle.executableURL?.deletingLastPathComponent(),
        bundle.bundleURL.deletingLastPathComponent(),
      ]
    }
    let candidates = folders.compactMap { $0?.appending(path: "larder") }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path()) }
      ?? Checkout.root.appending(path: ".build/debug/larder")
  }()
}

extension CommandRunner {
  /// Returns an output in which everything that differs between runs is replaced: folders, ids and
  /// commits.
  public func normalized(_ text: String) -> String {
    text.replacing(folder.path, with: "DIR")
      .replacing(Self.program.path(), with: "LARDER")
      .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "ID")
      .replacing(/\b[0-9a-f]{40}\b/, with: "COMMIT")
      .replacing(/larder undo [0-9a-f]{7}\b/, with: "larder undo COMMIT")
      // Other programs change their words from version to version.
      .replacing(/curl \d+ [^\n]*|Failed to connect to [^\n]*/, with: "curl's words")
      .replacing(/Could not resolve hostname (\S+): [^\n]*/) {
        "Could not resolve hostname \($0.output.1): ssh's words"
      }
  }
}
