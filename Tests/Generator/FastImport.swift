import Foundation
import LarderGit
import LarderModel
import LarderStore
import LarderText

/// Writes the commits of a new household: the files with `git fast-import`, which is quick for many,
/// then the trees and the commits as the store does.
final class FastImport {
  static let device = "laptop"

  struct File {
    let path: FilePath
    let bytes: [UInt8]
  }

  enum Failure: Error {
    case git(_ arguments: [String], status: Int32)
    /// Two new files have the same path: another seed is needed.
    case pathTwice(FilePath)
  }

  private struct Pending {
    let blobs: [FilePath: (ObjectID, FileMode)?]
    let message: String
    let moment: Instant
  }

  private let folder: String
  private let process: Process
  private let input = Pipe()
  private var pending: [Pending] = []
  private var written: Set<FilePath> = []

  /// Starts git in a household.
  init(folder: String) throws {
    self.folder = folder
    process = Self.git(in: folder, ["fast-import", "--quiet"])
    process.standardInput = input
    try process.run()
  }

  /// Adds a commit as a command of Larder's makes it.
  func commit(_ files: [File], command: String, _ subject: String, at moment: Instant) throws {
    var text = Data()
    var blobs: [FilePath: (ObjectID, FileMode)?] = [:]
    for file in files {
      if command == "adopt", !written.insert(file.path).inserted {
        throw Failure.pathTwice(file.path)
      }
      text += Data("blob\ndata \(file.bytes.count)\n".utf8)
      text += Data(file.bytes)
      text += Data("\n".utf8)
      blobs[file.path] = .some((Repository.blobID(of: file.bytes), .file))
    }
    try input.fileHandleForWriting.write(contentsOf: text)
    let message = Trailers.message(
      subject, [("Larder-Command", command), ("Larder-Device", Self.device)])
    pending.append(Pending(blobs: blobs, message: message, moment: moment))
  }

  /// Writes the commits, marks them as adopted, and writes the work tree.
  func finish(in repository: Repository) throws {
    try input.fileHandleForWriting.close()
    try Self.wait(for: process)
    guard let start = try repository.head().commit else { return }
    var head = start
    var tree = try repository.commit(head).tree
    var author = try repository.commit(head).author
    for commit in pending {
      tree = try repository.writeTree(from: tree, changing: commit.blobs)
      author.seconds = commit.moment.milliseconds / 1000
      head = try repository.writeCommit(
        tree: tree, parents: [head], author: author, committer: author, message: commit.message)
    }
    let known = try repository.reference("refs/larder/adopted")
    try repository.updateReference(
      "refs/larder/adopted", to: head, expecting: known, reason: "adopt", by: author)
    try repository.updateReference(
      "refs/heads/main", to: head, expecting: start, reason: "larder", by: author)
    let reset = Self.git(in: folder, ["reset", "--quiet", "--hard"])
    try reset.run()
    try Self.wait(for: reset)
  }

  private static func git(in folder: String, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + arguments
    return process
  }

  private static func wait(for process: Process) throws {
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure.git(process.arguments ?? [], status: process.terminationStatus)
    }
  }
}
