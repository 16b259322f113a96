import Foundation
import TestSupport

/// Trees of any bytes, in a repository of somebody who means harm.
struct RawTrees {
  struct Item {
    var mode: String
    var name: String
    var id: String
  }

  let root: String
  let larder: CommandRunner

  func blob(_ text: String) throws -> String { try object("blob", Array(text.utf8)) }

  func tree(_ items: [Item]) throws -> String {
    var bytes: [UInt8] = []
    for item in items {
      bytes += Array("\(item.mode) \(item.name)".utf8) + [0]
      var digits = item.id[...]
      while let byte = UInt8(digits.prefix(2), radix: 16) {
        bytes.append(byte)
        digits = digits.dropFirst(2)
      }
    }
    return try object("tree", bytes)
  }

  /// A tree with items added, or put in the place of those of their names, in git's order.
  func tree(_ base: String, adding items: Item..., without names: String...) throws -> String {
    let removed = Set(names + items.map(\.name))
    let all = try self.items(of: base).filter { !removed.contains($0.name) } + items
    return try tree(
      all.sorted { Array($0.sortName.utf8).lexicographicallyPrecedes(Array($1.sortName.utf8)) })
  }

  func items(of tree: String) throws -> [Item] {
    try Git.run("ls-tree", "-z", tree, in: root).split(separator: "\0").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      let words = parts[0].split(separator: " ")
      let mode = words[0].drop { $0 == "0" }
      return Item(mode: String(mode), name: String(parts[1]), id: String(words[2]))
    }
  }

  /// A commit, whatever it is made of, by Mallory where nothing else is said.
  func commit(
    _ tree: String, on parent: String, message: String = "harmless",
    author: String? = "Mallory <mallory@example.org> 1795000000 +0000",
    committer: String? = "Mallory <mallory@example.org> 1795000001 +0000"
  ) throws -> String {
    let lines = [
      "tree \(tree)", "parent \(parent)", author.map { "author \($0)" },
      committer.map { "committer \($0)" }, "", message, "",
    ]
    return try object("commit", Array(lines.compactMap(\.self).joined(separator: "\n").utf8))
  }

  private func object(_ kind: String, _ bytes: [UInt8]) throws -> String {
    let file = larder.folder("object-\(UUID().uuidString)")
    try Data(bytes).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try Git.run("hash-object", "-t", kind, "-w", "--literally", file, in: root).trimmed
  }
}

extension RawTrees.Item {
  /// Git sorts a folder as if its name ended in a slash.
  fileprivate var sortName: String { mode == "40000" ? name + "/" : name }
}

extension String {
  /// Without the line's end that git prints.
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
