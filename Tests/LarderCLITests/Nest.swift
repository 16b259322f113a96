import Foundation
import LarderModel
import TestSupport
import Testing

@testable import LarderCLI
import Libc

/// A new household in a folder of its own, and the program run in it.
struct Nest {
  var larder: CommandRunner
  /// What happens to the cache before each line.
  var fault = CacheFault.none

  init(zone: String = "Europe/Berlin") throws {
    larder = try CommandRunner.calling()
    let made = try larder(
      "init", "nest", "--name", "Nest", "--time-zone", zone, "--currency", "EUR")
    try #require(made.code == 0, "\(made.errors)")
  }

  /// A household that is there already.
  init(larder: CommandRunner, fault: CacheFault) {
    self.larder = larder
    self.fault = fault
  }

  /// Runs a line as it is typed behind `larder`.
  @discardableResult
  func callAsFunction(_ line: String, input: String = "") throws -> CommandRunner.Outcome {
    try fault.happen(in: larder.folder("nest/.git/larder"))
    return try larder.run(shellWords(line), in: "nest", input: input)
  }

  /// Runs lines that have to succeed.
  func prepare(_ lines: String...) throws {
    for line in lines {
      let outcome = try self(line)
      try #require(outcome.code == 0, "larder \(line): \(outcome.errors)")
    }
  }

  /// Returns the time after a number of lines, a minute after each other.
  func after(_ lines: Int) throws -> String {
    let now = try #require(Instant(larder.now))
    return now.adding(milliseconds: 60_000 * Int64(lines)).description
  }

  /// Runs a line at a terminal of 80 columns where a person types, and gives what it shows.
  ///
  /// The code is the signal's number if a signal ended it. There is no pager, unless variables say so.
  func atTerminal(
    _ line: String, typing answer: String = "", editor: String? = nil,
    with variables: [String: String] = [:]
  ) throws -> (code: Int32, screen: String) {
    let (process, screen) = try start(atTerminal: line, editor: editor, with: variables)
    if !answer.isEmpty { try screen.write(contentsOf: Data(answer.utf8)) }
    // A question that nobody answers fails the test, and does not hold up all others.
    DispatchQueue.global().asyncAfter(deadline: .now() + 90) {
      if process.isRunning { process.terminate() }
    }
    process.waitUntilExit()
    return (process.terminationStatus, Self.text(on: screen))
  }

  /// Starts a line at a terminal, and gives the person's end of it.
  func start(
    atTerminal line: String, editor: String? = nil, with variables: [String: String] = [:]
  ) throws -> (process: Process, screen: FileHandle) {
    var master: Int32 = -1
    var slave: Int32 = -1
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    let process = Process()
    process.executableURL = CommandRunner.program
    process.arguments = shellWords(line)
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": larder.folder("home"), "GIT_CONFIG_NOSYSTEM": "1", "COLUMNS": "80",
      "LARDER_NOW": larder.now, "LARDER_DEVICE": larder.device, "TERM": "xterm",
      "EDITOR": editor ?? "", "PAGER": "cat",
    ].merging(variables) { $1 }
    process.currentDirectoryURL = URL(filePath: larder.folder("nest"))
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    // Tests run on threads that block signals, and a child would inherit that.
    var none = sigset_t()
    var former = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    try process.run()
    return (process, FileHandle(fileDescriptor: master, closeOnDealloc: true))
  }

  /// Returns what is on a screen; the terminal's buffer holds more than these commands show.
  static func text(on screen: FileHandle) -> String {
    _ = fcntl(screen.fileDescriptor, F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var shown: [UInt8] = []
    while case let count = read(screen.fileDescriptor, into: &bytes), count > 0 {
      shown += bytes[..<count]
    }
    return String(decoding: shown, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  /// A text with ids, and the ends of ids in file names, made alike.
  func normalized(_ text: String) -> String {
    larder.normalized(text).replacing(/-[0-9a-f]{6}\.json/, with: "-XXXXXX.json")
  }

  private static func read(_ descriptor: Int32, into bytes: inout [UInt8]) -> Int {
    bytes.withUnsafeMutableBytes { buffer in
      Libc.read(descriptor, buffer.baseAddress, buffer.count)
    }
  }

  func read(_ path: String) throws -> String { try larder.folder.read("nest/\(path)") }

  /// Writes a file as a person would, before the first command that has this clock.
  func write(_ text: String, to path: String) throws {
    try larder.folder.write(text, to: "nest/\(path)")
    let now = try #require(Instant(larder.now))
    let time = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
    try FileManager.default.setAttributes(
      [.modificationDate: time], ofItemAtPath: larder.folder("nest/\(path)"))
  }

  /// The path of the one file below a folder that has a name.
  func path(_ folder: String, _ name: String) throws -> String {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: larder.folder("nest/\(folder)"))
    return "\(folder)/" + (try #require(files.first { $0.hasPrefix(name) }))
  }

  /// The subjects of all commits, the newest first.
  func subjects() throws -> [String] {
    try Git.run("log", "--format=%s", in: larder.folder("nest"))
      .split(separator: "\n").map(String.init)
  }

  /// Whether nothing in the work tree differs from HEAD.
  func isClean() throws -> Bool {
    try Git.run("status", "--porcelain", in: larder.folder("nest")).isEmpty
  }
}

extension CommandRunner.Outcome {
  /// The array under a key of the JSON on standard output.
  func array(_ key: String) throws -> [[String: Any]] {
    try #require(try json()[key] as? [[String: Any]], "\(output)")
  }

  /// The kind of the error in the JSON on standard output.
  func errorKind() throws -> String? {
    (try json()["error"] as? [String: Any])?["kind"] as? String
  }

  /// The records of plain output.
  var records: [[String]] {
    output.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
