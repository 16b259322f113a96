import Foundation
import LarderGit
import LarderText
import TestSupport

/// A temporary folder with repositories in it, and a git program that knows nothing of this user.
final class Sandbox {
  struct Failure: Error {
    var arguments: [String]
    var output: String
  }

  static let ada = Signature(
    name: "Ada", email: "ada@example.org", seconds: 1_700_000_000, offsetMinutes: 60)

  let root: String
  /// Held, as it goes with whoever holds it last.
  private let folder: Folder
  /// Seconds since 1970 of the next commit; each is a minute after the one before.
  private var clock = 1_700_000_000

  init() throws {
    folder = try Folder()
    root = folder.path
  }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  /// Runs git in a folder of the sandbox and gives what it wrote, without the final newline.
  @discardableResult
  func git(_ arguments: String..., in folder: String = "household") throws -> String {
    let outcome = try run("git", arguments, in: folder)
    guard outcome.status == 0 else { throw Failure(arguments: arguments, output: outcome.output) }
    return outcome.output
  }

  func run(
    _ program: String, _ arguments: [String], in folder: String = "household"
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: path(folder))
    var settings = ProcessInfo.processInfo.environment
    settings["GIT_AUTHOR_DATE"] = "\(clock) +0100"
    settings["GIT_COMMITTER_DATE"] = "\(clock) +0100"
    process.environment = settings
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    var text = String(decoding: data, as: UTF8.self)
    if text.hasSuffix("\n") { text.removeLast() }
    return (process.terminationStatus, text)
  }

  /// A new repository made by git, with an unborn branch `main`.
  @discardableResult
  func create(_ name: String = "household", bare: Bool = false) throws -> Repository {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
    try git("init", "--quiet", "-b", "main", bare ? "--bare" : "--no-bare", in: name)
    return try Repository.open(path(name))
  }

  func write(_ file: String, _ text: String, in folder: String = "household") throws {
    let url = URL(fileURLWithPath: path(folder) + "/" + file)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func remove(_ file: String, in folder: String = "household") throws {
    try FileManager.default.removeItem(atPath: path(folder) + "/" + file)
  }

  /// Writes files, nil removing them, and commits everything with git.
  @discardableResult
  func commit(
    _ files: [String: String?], _ message: String = "Change", in folder: String = "household"
  ) throws -> ObjectID {
    for (file, text) in files {
      if let text { try write(file, text, in: folder) } else { try remove(file, in: folder) }
    }
    try git("add", "-A", in: folder)
    clock += 60
    try git("commit", "--quiet", "--allow-empty", "-m", message, in: folder)
    return try id("HEAD", in: folder)
  }

  func id(_ revision: String, in folder: String = "household") throws -> ObjectID {
    let hex = try git("rev-parse", "--verify", revision, in: folder)
    guard let id = ObjectID(hex: hex) else {
      throw Failure(arguments: ["rev-parse", revision], output: hex)
    }
    return id
  }
}

extension Repository {
  /// Writes a commit that sets or, by nil, removes some files.
  func record(
    _ files: [String: String?], on parents: [ObjectID], message: String = "Change"
  ) throws -> ObjectID {
    let base = try parents.first.map { try commit($0).tree }
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    for (path, text) in files {
      if let text {
        changes[FilePath(path)] = .some((try writeBlob([UInt8](text.utf8)), .file))
      } else {
        changes[FilePath(path)] = .some(nil)
      }
    }
    return try writeCommit(
      tree: try writeTree(from: base, changing: changes), parents: parents, author: Sandbox.ada,
      committer: Sandbox.ada, message: message)
  }

  func text(_ path: FilePath, in tree: ObjectID) throws -> String? {
    guard let entry = try entry(at: path, in: tree) else { return nil }
    return String(decoding: try readBlob(entry.id), as: UTF8.self)
  }
}
