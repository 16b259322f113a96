import Foundation
import LarderGit
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

extension Devices {
  /// Two devices that have synced, with ten cartons of milk.
  func pair() throws -> (laptop: Store, phone: Store, milk: Entity) {
    let laptop = try first("laptop")
    let milk = try laptop.newItem("Oat milk", 10)
    try sync(laptop)
    return (laptop, try join("phone"), milk)
  }

  func commit(_ store: Store) throws -> String {
    try #require(try store.repository?.head().commit).hex
  }

  func hubContains(_ commit: String) throws -> Bool {
    (try? Git.run(
      words: ["merge-base", "--is-ancestor", commit, "main"], in: folder("hub.git"))) != nil
  }

  /// Both sync until neither has anything new; true where they are equal then.
  func settle(_ stores: Store...) throws -> Bool {
    for store in stores + stores { try sync(store) }
    let commits = try Set(stores.map { try commit($0) })
    let states = try stores.map {
      try Git.run(words: ["status", "--porcelain"], in: $0.root)
    }
    return commits.count == 1 && states.allSatisfy(\.isEmpty)
  }
}

extension Store {
  func git(_ words: String...) throws {
    try Git.run(words: words, in: root)
  }

  func write(_ text: String, to path: FilePath) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(root)/\(path)"))
  }

  func text(_ path: FilePath) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
  }

  func names() throws -> [String] {
    try Git.run(words: ["ls-tree", "-r", "--name-only", "HEAD"], in: root)
      .split(separator: "\n").map(String.init)
  }

  /// Replaces text in an entity's file, as an editor does.
  func edit(_ entity: Entity, _ old: String, _ new: String) throws {
    let path = try #require(try read().household.path(of: entity.key))
    try write(try text(path).replacing(old, with: new), to: path)
  }
}
