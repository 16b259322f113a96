import Foundation
import Libc

/// A program that the user chose, such as an editor or a pager; it shares the terminal.
struct ChosenProgram {
  /// The command as the shell reads it, so it may have arguments, as in `code --wait`.
  let command: String

  /// Starts the program with more arguments; nil if it can't be started.
  ///
  /// `input` is the descriptor of its standard input; nil for this process's. `variables` are set
  /// unless they are set already.
  func start(
    _ arguments: [String] = [], input: Int32? = nil, variables: [(String, String)] = []
  ) -> pid_t? {
    for (name, value) in variables { setenv(name, value, 0) }
    let words = isPlain ? [command] : ["/bin/sh", "-c", command + " \"$@\"", command]
    var program = ChildProcess(words + arguments)
    if let input { program.input = .descriptor(input) }
    program.defaultSignals = [SIGPIPE, SIGINT, SIGQUIT]
    return try? program.start()
  }

  /// Whether the command needs no shell, so a missing program is noticed at the start.
  private var isPlain: Bool {
    command.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+,:@".utf8.contains(byte)
    } && command != ":"
  }

  /// Runs `body` while ^C and ^\ reach only the programs at the terminal, not this process.
  static func undisturbed<Value>(_ body: () throws -> Value) rethrows -> Value {
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    return try body()
  }
}

/// The command by which git and background tasks call this program.
enum OwnProgram {
  /// Returns the plain name if the shell finds this program by it, otherwise its full path as a
  /// shell word.
  static func word(_ environment: Environment) -> String {
    guard let path = environment.program.map(resolved) else { return "larder" }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let found = folders.map { $0 + "/larder" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    if let found, resolved(found) == path { return "larder" }
    return shellWord(path)
  }

  /// Starts this program in the background; the current command does not wait for it.
  static func startBehind(_ words: [String], _ environment: Environment) throws {
    let process = Process()
    process.executableURL = environment.program.map { URL(filePath: $0) }
    process.arguments = words
    // Otherwise a reader of our output would wait until this process ends.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  private static func resolved(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
  }
}

/// The environment variables and the program's own file, of the process or of a test.
public struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?
  private let findProgram: @Sendable () -> String?

  /// The variables of this process.
  public static let process = Environment(program: { Bundle.main.executablePath }) { name in
    getenv(name).map { String(cString: $0) }
  }

  /// Creates an environment with exactly these variables.
  public init(_ variables: [String: String], program: String? = nil) {
    self.init(program: { program }) { variables[$0] }
  }

  private init(
    program: @escaping @Sendable () -> String?, lookup: @escaping @Sendable (String) -> String?
  ) {
    findProgram = program
    self.lookup = lookup
  }

  /// The path of the program, with which git and the program itself start it again.
  ///
  /// Foundation takes a while to find it, and few commands ask.
  var program: String? { findProgram() }

  /// The value of a variable; nil if it is not set or empty.
  public subscript(name: String) -> String? {
    guard let value = lookup(name), !value.isEmpty else { return nil }
    return value
  }

  /// Returns the text of a variable, which may be empty; nil if it is not set.
  func text(of name: String) -> String? { lookup(name) }
}
