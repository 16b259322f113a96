internal import Foundation

/// A temporary folder that is removed at the end of its test.
public final class Folder: Sendable {
  public let path: String

  public init() throws {
    let base = Self.base.appending(path: "larder-test-\(UUID().uuidString.lowercased())")
    try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
    path = base.resolvingSymlinksInPath().path(percentEncoded: false).trimmingSlash
  }

  /// The folder of this process's folders; it goes with the process.
  ///
  /// A process that was killed leaves its folder to the next one.
  private static let base: URL = {
    let prefix = "larder-tests-"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: room.path)) ?? []
    where name.hasPrefix(prefix) {
      guard let owner = pid_t(name.dropFirst(prefix.count)), kill(owner, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(at: room.appending(path: name))
    }
    atexit { try? FileManager.default.removeItem(at: Folder.base) }
    return room.appending(path: "\(prefix)\(getpid())")
  }()

  /// Where there is room: in `TMPDIR` if it is set, otherwise in memory if that is enough.
  ///
  /// Every command of larder waits for the disk many times, and the tests run thousands of
  /// commands.
  private static let room: URL = {
    #if !canImport(Darwin)
      var status = statvfs()
      let memory = "/dev/shm"
      // ST_NOEXEC, which the Swift module of the C library lacks.
      let noExecution: UInt = 8
      if ProcessInfo.processInfo.environment["TMPDIR"] == nil, statvfs(memory, &status) == 0,
        access(memory, W_OK) == 0, status.f_flag & noExecution == 0,
        UInt64(status.f_bavail) * UInt64(status.f_frsize) > 1 << 30
      {
        return URL(filePath: memory)
      }
    #endif
    return FileManager.default.temporaryDirectory
  }()

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  public func callAsFunction(_ name: String) -> String { path + "/" + name }

  public func write(_ text: String, to name: String) throws {
    let url = URL(filePath: self(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  public func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: self(name))), as: UTF8.self)
  }
}

extension String {
  fileprivate var trimmingSlash: String { hasSuffix("/") && count > 1 ? String(dropLast()) : self }
}

/// The real `git` program, without the settings of the user who runs the tests.
public enum Git {
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  public static let environment: [String: String] = [
    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "Ada@example.org",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "Ada@example.org", "LC_ALL": "C",
  ]

  /// Runs git in a folder; throws its output if it fails.
  @discardableResult
  public static func run(
    _ arguments: String..., in folder: String, at date: String? = nil
  ) throws -> String {
    try run(arguments, in: folder, at: date)
  }

  /// Runs git with a list of arguments.
  @discardableResult
  public static func run(
    _ arguments: [String], in folder: String, at date: String? = nil
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + arguments
    var environment = environment
    if let date {
      environment["GIT_AUTHOR_DATE"] = date
      environment["GIT_COMMITTER_DATE"] = date
    }
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "git \(arguments.joined(separator: " ")): \(text)")
    }
    return text
  }
}
