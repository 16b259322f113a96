internal import Foundation
internal import Libc

/// The local Supabase with Larder's migrations, started once for all tests of a process.
///
/// It has its own folder and port, and ends with this process. Tests use separate households and
/// users.
public final class LocalSupabase: Sendable {
  public let url: String
  public let anonKey: String
  /// The key that bypasses every policy; only tests have it.
  public let serviceKey: String

  /// Keeps the server alive, which ends when its standard input ends.
  private let input: Pipe
  private let process: pid_t

  /// The server that tests share.
  public static let shared = Result { try LocalSupabase() }

  /// Starts a separate server; port 0 is any free port.
  public init(port: Int = 0, options: [String] = ["--faults"]) throws {
    let output = Pipe()
    let input = Pipe()
    // No other process may keep the pipe open, in particular not the server itself.
    for end in [input.fileHandleForWriting, output.fileHandleForReading] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    // Foundation would wait for its end, on the thread that reports the end of all other processes.
    var server = ChildProcess(
      [Checkout.root.appending(path: "scripts/supabase").path()]
        + ["--port", String(port), "--json", "--until-stdin-closes"] + options)
    server.input = .descriptor(input.fileHandleForReading.fileDescriptor)
    server.output = .descriptor(output.fileHandleForWriting.fileDescriptor)
    // Tests run on threads that block signals.
    server.blocksNothing = true
    process = try server.start()
    try output.fileHandleForWriting.close()
    try input.fileHandleForReading.close()
    var line = Data()
    while !line.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw NotStarted() }
      line += more
    }
    guard let facts = try JSONSerialization.jsonObject(with: line) as? [String: Any],
      let url = facts["url"] as? String, let anonKey = facts["anonKey"] as? String,
      let serviceKey = facts["serviceKey"] as? String
    else { throw NotStarted() }
    self.input = input
    self.url = url
    self.anonKey = anonKey
    self.serviceKey = serviceKey
  }

  /// The port of the server.
  public var port: Int { url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

  /// Stops the server and its PostgreSQL; its address then refuses connections.
  public func stop() throws {
    try input.fileHandleForWriting.close()
    let end = Date(timeIntervalSinceNow: 60)
    while waitpid(process, nil, WNOHANG) == 0 {
      guard Date() < end else { throw NotStopped() }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  struct NotStarted: Error {}
  struct NotStopped: Error {}
}
