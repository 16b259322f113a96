import Foundation
import TestSupport
import Testing
import Libc

/// A server program of this machine's, run in the foreground on a port of its own.
///
/// It ends with the process that runs the tests, however that ends.
final class Server: @unchecked Sendable {
  let port: Int
  private let words: [String]
  private let pidFile: String
  private var process: Process?

  /// Starts what `command` gives for a free port; it notes its process in a file of the folder.
  init(in folder: Folder, command: (Int) throws -> [String]) throws {
    port = try Port.free()
    words = try command(port)
    pidFile = folder("server.pid")
    try start()
  }

  deinit { stop() }

  /// Starts it, also again on the same port.
  func start() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // The standard input is a pipe from this process: at its end, nobody wants the server any more.
    let script = "pid=$1; shift; \"$@\" & echo $! > \"$pid\"; cat >/dev/null; kill -9 $!"
    process.arguments = ["-c", script, "sh", pidFile] + words
    process.environment = ["PATH": Programs.path, "LC_ALL": "C"]
    process.standardInput = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    for _ in 0..<500 where !Port.answers(port) { usleep(20_000) }
    try #require(Port.answers(port), "\(words.joined(separator: " ")) does not start")
  }

  func stop() {
    guard let process else { return }
    if let pid = try? String(contentsOfFile: pidFile, encoding: .utf8),
      let number = pid_t(pid.trimmingCharacters(in: .whitespacesAndNewlines))
    {
      kill(number, SIGKILL)
    }
    try? (process.standardInput as? Pipe)?.fileHandleForWriting.close()
    process.waitUntilExit()
    self.process = nil
  }
}

/// Programs of this machine that the tests need besides git.
enum Programs {
  /// Where daemons are, too.
  static let path =
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/usr/local/sbin"

  static func find(_ name: String) throws -> String {
    let places = path.split(separator: ":").map { "\($0)/\(name)" }
    return try #require(
      places.first { access($0, X_OK) == 0 }, "there is no \(name); scripts/setup tests installs it"
    )
  }

  /// Runs a program to its end and gives what it printed.
  @discardableResult
  static func run(_ name: String, _ words: String...) throws -> String {
    let (status, text) = try outcome(name, words)
    try #require(status == 0, "\(name): \(text)")
    return text.trimmingCharacters(in: .newlines)
  }

  /// Runs a program to its end, however that is.
  static func outcome(_ name: String, _ words: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: try find(name))
    process.arguments = words
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}

/// Ports of this machine.
enum Port {
  /// One that nobody listens on now.
  static func free() throws -> Int { try SilentServer().port }

  static func answers(_ port: Int) -> Bool {
    let descriptor = SilentServer.makeSocket()
    defer { close(descriptor) }
    return SilentServer.withAddress(port) { connect(descriptor, $0, $1) } == 0
  }
}

/// A server that accepts connections and never says anything.
final class SilentServer {
  let port: Int
  private let descriptor: Int32

  init() throws {
    let descriptor = Self.makeSocket()
    self.descriptor = descriptor
    try #require(Self.withAddress(0) { bind(descriptor, $0, $1) } == 0)
    try #require(listen(descriptor, 8) == 0)
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    try #require(named == 0)
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }

  /// Waits for somebody to connect, then runs something, and tells whether they have left within
  /// ten seconds after it.
  func hasLost(clientDuring body: () throws -> Void) throws -> Bool {
    let client = accept(descriptor, nil, nil)
    defer { close(client) }
    try body()
    var bytes = [UInt8](repeating: 0, count: 4096)
    var entry = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 10_000) > 0 {
      if read(client, &bytes, bytes.count) <= 0 { return true }
    }
    return false
  }

  static func makeSocket() -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  static func withAddress(
    _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

/// A web server that shows a certificate of its own making.
enum StrangerServer {
  static let shared = Result { try made() }

  private static func made() throws -> Server {
    let folder = try Folder()
    try Programs.run(
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder("key"),
      "-out", folder("certificate"), "-subj", "/CN=localhost")
    let program = try Programs.find("openssl")
    return try Server(in: folder) { port in
      [
        program, "s_server", "-accept", "\(port)", "-cert", folder("certificate"), "-key",
        folder("key"), "-quiet", "-www",
      ]
    }
  }
}
