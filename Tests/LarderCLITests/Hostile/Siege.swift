import Foundation
import TestSupport
import Testing

/// Two devices, and somebody who can push to the repository between them.
final class Siege {
  let pair: Pair
  let trees: RawTrees

  init() throws {
    pair = try Pair("stock new Milk --unit liter --in-stock 4", "stock new Tea --in-stock 2")
    try Git.run("clone", "--quiet", "hub.git", "mallory", in: pair.larder.folder.path)
    trees = RawTrees(root: pair.larder.folder("mallory"), larder: pair.larder)
  }

  /// What the hub has.
  func head() throws -> String {
    try Git.run("fetch", "--quiet", "origin", in: trees.root)
    return try Git.run("rev-parse", "origin/main", in: trees.root).trimmed
  }

  /// Puts a commit onto the hub's branch, as a bare repository on a disk lets everybody.
  @discardableResult
  func push(_ commit: String) throws -> String {
    let objects = "\(trees.root)/.git/objects/."
    let copy = Process()
    copy.executableURL = URL(filePath: "/bin/cp")
    copy.arguments = ["-rn", objects, pair.larder.folder("hub.git") + "/objects/"]
    try copy.run()
    copy.waitUntilExit()
    try Git.run("update-ref", "refs/heads/main", commit, in: pair.larder.folder("hub.git"))
    return commit
  }

  /// A hostile commit on what the hub has, with a harmless file besides.
  func commit(_ hostile: HostileTree, on head: String) throws -> String {
    let note = try trees.blob("for \(hostile.name)\n")
    let base = try trees.tree(
      "\(head)^{tree}", adding: .init(mode: "100644", name: "note.txt", id: note))
    return try trees.commit(try hostile.make(trees, base), on: head)
  }

  /// Everything outside the household that a tree might reach, and what git would run.
  func surroundings(of device: String) throws -> Set<String> {
    let files = FileManager.default
    let top = try files.contentsOfDirectory(atPath: pair.larder.folder.path)
      .filter { !$0.hasPrefix("object-") }
    let hooks = try files.contentsOfDirectory(atPath: pair.root(device) + "/.git/hooks")
    let home = files.enumerator(atPath: pair.larder.folder("home"))?.allObjects as? [String] ?? []
    return Set(top + hooks.map { "hooks/\($0)" } + home.map { "home/\($0)" })
  }
}
