import TestSupport
import Testing

/// A tree that no household may have, made of a good one.
struct HostileTree: Sendable, CustomTestStringConvertible {
  let name: String
  /// What the message about it says.
  let says: String
  let make: @Sendable (RawTrees, _ base: String) throws -> String

  var testDescription: String { name }

  private init(
    _ name: String, says: String, _ make: @escaping @Sendable (RawTrees, String) throws -> String
  ) {
    self.name = name
    self.says = says
    self.make = make
  }

  /// One whose root has an item more, or another one of that name.
  private static func root(_ mode: String, _ name: String, says: String) -> HostileTree {
    HostileTree("\(mode) \(name.debugDescription)", says: says) { trees, base in
      try trees.tree(base, adding: item(mode, name, trees))
    }
  }

  /// One whose stock has an item more; `~` stands for the milk's file.
  private static func stock(_ mode: String, _ name: String, says: String) -> HostileTree {
    HostileTree("stock: \(mode) \(name.prefix(40).debugDescription)", says: says) { trees, base in
      let stock = try #require(try trees.items(of: base).first { $0.name == "stock" }).id
      let milk = try #require(try trees.items(of: stock).first).name
      let changed = try trees.tree(
        stock, adding: item(mode, name == "~" ? milk : name, trees))
      return try trees.tree(base, adding: .init(mode: "40000", name: "stock", id: changed))
    }
  }

  private static func item(_ mode: String, _ name: String, _ trees: RawTrees) throws
    -> RawTrees.Item
  {
    let id =
      switch mode {
      case "120000": try trees.blob("../../outside")
      case "160000": String(repeating: "1", count: 40)
      case "40000":
        try trees.tree([
          .init(mode: "100755", name: "x.json", id: try trees.blob(#"{"name": "Evil"}"#))
        ])
      default: try trees.blob("#!/bin/sh\ntouch \"$HOME/pwned\"\n")
      }
    return RawTrees.Item(mode: mode, name: name, id: id)
  }

  /// One of each kind of fault, of those without end both.
  static let kinds = Dictionary(grouping: all, by: { $0.isEndless ? $0.name : $0.says }).values
    .compactMap(\.first).sorted { $0.name < $1.name }

  /// Those that have something else in the place of the stock's folder, as git writes it.
  static let hidingStock = [
    root("120000", "stock", says: "a link"), root("100644", "stock", says: "a file"),
  ]

  static let all: [HostileTree] = [
    root("100755", ".git/hooks/reference-transaction", says: "a name has a slash"),
    root("100644", "../.ssh/authorized_keys", says: "a name has a slash"),
    root("100644", "/etc/larder", says: "a name has a slash"),
    root("40000", ".git", says: "this is git's own folder"),
    root("40000", ".GiT", says: "this is git's own folder"),
    root("40000", ".git ", says: "this is git's own folder"),
    root("40000", ".git.. .", says: "this is git's own folder"),
    root("40000", ".git::$INDEX_ALLOCATION", says: "this is git's own folder"),
    root("40000", "GIT~1", says: "this is git's own folder"),
    root("40000", ".g\u{200c}it", says: "this is git's own folder"),
    root("40000", "..", says: "this path leads out of its folder"),
    root("40000", ".", says: "this path leads out of its folder"),
    root("100644", "a\\b", says: "a backslash"),
    root("100644", String(repeating: "x", count: 256), says: "a name has 256 bytes"),
    root("120000", ".gitmodules", says: "a link"),
    root("120000", "stock", says: "a link"),
    root("160000", "stock", says: "another repository"),
    root("100644", "batches", says: "a file, where a folder"),
    root("120000", "household.json", says: "a link"),
    root("40000", "household.json", says: "a folder, where the household's own file belongs"),
    stock("100644", "../../x.json", says: "a name has a slash"),
    stock("100644", "a\nb.json", says: "a control character"),
    stock("100644", "\u{9b}.json", says: "a control character"),
    stock("100644", String(repeating: "x", count: 295) + ".json", says: "a name has 300 bytes"),
    stock("120000", "x.json", says: "a link"),
    stock("120000", "hooks", says: "a link"),
    stock("160000", "~", says: "another repository"),
    stock("100755", "x.json", says: "a program"),
    stock("40000", "~", says: "a folder is named like a file"),
    stock("40000", ".git", says: "this is git's own folder"),
    HostileTree("65 folders", says: "more than 64 folders") { trees, base in
      var inner = try trees.tree([
        .init(mode: "100644", name: "x.json", id: try trees.blob("{}"))
      ])
      for _ in 0..<64 { inner = try trees.tree([.init(mode: "40000", name: "d", id: inner)]) }
      return try trees.tree(base, adding: .init(mode: "40000", name: "stock-deep", id: inner))
    },
    HostileTree("a long path", says: "the path has 1002 bytes") { trees, base in
      var inner = try trees.tree([.init(mode: "100644", name: "x", id: try trees.blob(""))])
      let name = String(repeating: "y", count: 250)
      for _ in 0..<3 { inner = try trees.tree([.init(mode: "40000", name: name, id: inner)]) }
      return try trees.tree(
        base, adding: .init(mode: "40000", name: name.dropLast(1) + "", id: inner))
    },
    HostileTree("a name twice", says: "names one twice") { trees, base in
      let items = try trees.items(of: base)
      return try trees.tree(items + [try #require(items.last)])
    },
    HostileTree("a file and a folder of one name", says: "names one twice") { trees, base in
      let text = try trees.blob("text")
      let folder = try trees.tree([.init(mode: "100644", name: "x", id: text)])
      return try trees.tree(
        try trees.items(of: base) + [
          .init(mode: "100644", name: "z", id: text),
          .init(mode: "100644", name: "z.txt", id: text),
          .init(mode: "40000", name: "z", id: folder),
        ])
    },
    HostileTree("a folder without end", says: "more files than are taken") { trees, base in
      try trees.tree(
        base, adding: .init(mode: "40000", name: "bomb", id: try endless(trees)))
    },
    HostileTree("a folder without end in stock", says: "more files than are taken") { trees, base in
      let stock = try #require(try trees.items(of: base).first { $0.name == "stock" }).id
      let changed = try trees.tree(
        stock, adding: .init(mode: "40000", name: "bomb", id: try endless(trees)))
      return try trees.tree(base, adding: .init(mode: "40000", name: "stock", id: changed))
    },
  ]

  /// Whether git itself would write it for ever.
  var isEndless: Bool { says == "more files than are taken" }

  private static func endless(_ trees: RawTrees) throws -> String {
    var inner = try trees.tree([.init(mode: "100644", name: "x.json", id: try trees.blob("{}"))])
    for _ in 0..<12 {
      inner = try trees.tree((10..<20).map { .init(mode: "40000", name: String($0), id: inner) })
    }
    return inner
  }
}
