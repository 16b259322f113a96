internal import Foundation

/// The local Supabase with Larder's migrations, started once for all tests of a process.
///
/// It has a folder and a port of its own, and ends when this process does. Tests keep apart by
/// households and users of their own.
public final class LocalSupabase: Sendable {
  public let url: String
  public let anonKey: String
  /// The key that passes every policy by; only tests have it.
  public let serviceKey: String

  /// Keeps the server alive: it ends when its standard input does.
  private let input: Pipe

  /// The one that tests share.
  public static let shared = Result { try LocalSupabase() }

  public init(options: [String] = ["--faults"]) throws {
    let process = Process()
    process.executableURL = Checkout.root.appending(path: "scripts/supabase")
    process.arguments = ["--port", "0", "--json", "--until-stdin-closes"] + options
    let output = Pipe()
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = output
    // Nobody else is to keep it open, the server itself least of all.
    for end in [input.fileHandleForWriting, output.fileHandleForReading] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    try process.run()
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

  struct NotStarted: Error {}
}
