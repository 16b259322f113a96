import Foundation
import HomeSupport
import LarderJSON
import LarderModel
import LarderText
import TestSupport

/// The commits of a vector, made with the real git in a repository of their own.
struct RecordedHistory {
  let folder: Folder
  /// The files of the last commit, by path.
  private(set) var files: [FilePath: String] = [:]
  /// Paths that commits of plain git wrote.
  private(set) var touched: Set<FilePath> = []
  /// The ids of the commits, by the names that the vector gives them.
  private(set) var commits: [String: String] = [:]

  init(_ commits: [JSONMember]) throws {
    folder = try Folder()
    try Git.run("init", "-q", "-b", "main", folder("home"), in: folder.path)
    var made: [String: String] = [:]
    var last: String?
    for commit in commits {
      let parents = try commit.value["parents"]?.array?.compactMap(\.string).map { name in
        guard let id = made[name] else { throw Broken("no commit \(name)") }
        return id
      }
      let id = try make(commit.value, on: parents ?? [last].compactMap(\.self))
      made[commit.key] = id
      last = id
    }
    self.commits = made
    try git("update-ref", "refs/heads/main", last ?? "")
    try git("symbolic-ref", "HEAD", "refs/heads/main")
    files = try Dictionary(
      uniqueKeysWithValues: git("ls-files").split(separator: "\n").map { path in
        (FilePath(String(path)), try folder.read("home/\(path)"))
      })
  }

  struct Broken: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private mutating func make(_ commit: JSON, on parents: [String]) throws -> String {
    if let parent = parents.first { try git("checkout", "-q", "-f", "--detach", parent) }
    let isPlain = commit["made"]?.string == "git"
    for file in commit["files"]?.members ?? [] {
      try folder.write(text(file.value), to: "home/\(file.key)")
      if isPlain { touched.insert(FilePath(file.key)) }
    }
    for path in commit["removed"]?.array?.compactMap(\.string) ?? [] {
      try FileManager.default.removeItem(atPath: folder("home/\(path)"))
    }
    try git("add", "-A")
    let tree = try git("write-tree")
    guard let at = commit["at"]?.string.flatMap({ Instant($0) }) else { throw Broken("no time") }
    let refused = commit["refused"]?.array?.compactMap(\.string) ?? []
    let trailers =
      ["Larder-Command: test"]
      + (refused.isEmpty ? [] : ["Larder-Refused: \(refused.joined(separator: " "))"])
      + ["Larder-Tree: \(([tree] + parents).joined(separator: " "))"]
    let message = isPlain ? "by hand" : "test\n\n\(trailers.joined(separator: "\n"))\n"
    return try git(
      ["commit-tree", tree, "-m", message] + parents.flatMap { ["-p", $0] },
      at: "\(at.milliseconds / 1000) +0000")
  }

  /// A file as it is written there: a string is its text, anything else is laid out as Larder does.
  private func text(_ value: JSON) -> String {
    value.string ?? String(decoding: value.writeFile(), as: UTF8.self)
  }

  @discardableResult
  private func git(_ arguments: String...) throws -> String { try git(arguments) }

  private func git(_ arguments: [String], at date: String? = nil) throws -> String {
    try Git.run(arguments, in: folder("home"), at: date).trimmed
  }
}
