import Foundation
import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import TestSupport
import Testing

@Suite("The caches of files and of an unchanged household")
struct CacheTests {
  private func milk() throws -> (home: Home, milk: EntityKey, path: String) {
    var key: EntityKey?
    let home = try Home(alone: true) { key = try $0.newItem("Oat milk", 50) }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  private let cache = ".git/larder/cache"
  private let snapshot = ".git/larder/snapshot"

  /// Makes the files old enough to be kept: their inodes' times can't be set, so it waits.
  private func settled(_ store: Store, _ milk: EntityKey) throws {
    Thread.sleep(forTimeInterval: 2.1)
    #expect(try store.quantity(milk) == Number(50))
  }

  @Test(
    "deleted, cut short or damaged anywhere, one is made anew and nothing is read from it",
    arguments: [(".git/larder/cache", ".git/larder/snapshot"), (".git/larder/snapshot", nil)])
  func damaged(cache: String, other: String?) throws {
    let (home, milk, path) = try milk()
    try settled(home.laptop, milk)
    let file = URL(filePath: home.laptop.root + "/" + cache)
    let good = try Data(contentsOf: file)
    #expect(good.range(of: Data("Oat milk".utf8)) != nil, "the file's bytes are kept")
    let name = try #require(good.range(of: Data("Oat milk".utf8)))
    var wrong = good
    wrong.replaceSubrange(name, with: Data("Oat silk".utf8))
    let step = max(1, good.count / 40)
    let damages =
      [
        Data(), Data("larder cache 2\n".utf8), Data("larder snapshot 0\n".utf8), wrong,
        good + Data([0]),
      ]
      + stride(from: 0, to: good.count, by: step).map { good.prefix($0) }
      + stride(from: 0, to: good.count, by: step).map { index in
        var damaged = good
        damaged[damaged.startIndex + index] ^= 0x41
        return damaged
      }
    for (number, damage) in damages.enumerated() {
      try damage.write(to: file)
      if let other { try home.laptop.removeFile(other) }
      #expect(try home.laptop.name(milk) == "Oat milk", "damage \(number)")
      #expect(try home.laptop.read().edited == [], "damage \(number)")
    }
    try home.laptop.removeFile(cache)
    #expect(try home.laptop.name(milk) == "Oat milk")
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat silk\"")
    #expect(try home.laptop.name(milk) == "Oat silk")
  }

  @Test("a file changed to the same size is never missed, however soon")
  func racy() throws {
    let (home, milk, path) = try milk()
    var text = try home.laptop.text(path)
    var name = "Oat milk"
    for number in 100..<140 {
      let next = "Milk \(number)"
      text = text.replacing("\"\(name)\"", with: "\"\(next)\"")
      name = next
      // Over the same inode, as an editor that does not rename.
      let handle = try FileHandle(forWritingTo: URL(filePath: home.laptop.root + "/" + path))
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
      #expect(try home.laptop.name(milk) == next)
    }
  }

  @Test("a file changed to the same size with its old times is not missed")
  func sameTimes() throws {
    let (home, milk, path) = try milk()
    try settled(home.laptop, milk)
    let file = home.laptop.root + "/" + path
    let times = try FileManager.default.attributesOfItem(atPath: file)
    let handle = try FileHandle(forWritingTo: URL(filePath: file))
    let text = try home.laptop.text(path).replacing("\"Oat milk\"", with: "\"Oat silk\"")
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(times[.modificationDate])], ofItemAtPath: file)
    #expect(try home.laptop.name(milk) == "Oat silk")
  }

  /// What may happen to a household between two commands.
  static let changes: [(what: String, make: @Sendable (Home, _ path: String) throws -> Void)] = [
    ("nothing", { _, _ in }),
    ("an edit", { try $0.laptop.edit($1, "\"Oat milk\"", "\"Oat silk\"") }),
    (
      "a file beside it",
      { home, _ in try home.laptop.write(#"{"name": "Tea"}"#, to: "stock/tea.json") }
    ),
    (
      "a file in a new folder",
      { home, _ in try home.laptop.write(#"{"name": "Tea"}"#, to: "stock/hot/tea.json") }
    ),
    (
      "a folder of a kind that had none",
      { home, _ in try home.laptop.write(#"{"name": "Attic"}"#, to: "locations/attic.json") }
    ),
    ("no file any more", { try $0.laptop.removeFile($1) }),
    (
      "another name of the file",
      { home, path in
        try FileManager.default.moveItem(
          atPath: home.laptop.root + "/" + path, toPath: home.laptop.root + "/stock/x.json")
      }
    ),
    (
      "a link in its place",
      { home, path in
        let place = home.laptop.root + "/" + path
        try FileManager.default.moveItem(atPath: place, toPath: place + "~")
        try FileManager.default.createSymbolicLink(
          atPath: place, withDestinationPath: place + "~")
      }
    ),
    (
      "a plain commit",
      { home, path in
        try home.laptop.edit(path, "\"Oat milk\"", "\"Oat silk\"")
        try home.commitAll(home.laptop)
      }
    ),
    (
      "a plain commit that leaves the files as they are",
      { home, path in
        try home.git(home.laptop, "rm", "-q", "--cached", path)
        try home.git(home.laptop, "commit", "-q", "-m", "by hand")
      }
    ),
    (
      "an amended commit with the same files",
      { home, _ in try home.git(home.laptop, "commit", "-q", "--amend", "-m", "by hand") }
    ),
    (
      "an earlier commit checked out",
      { home, _ in try home.git(home.laptop, "checkout", "-q", "HEAD~1") }
    ),
    (
      "a commit of the phone",
      { home, _ in
        _ = try home.laptop.write("new") { edit, writer in
          try edit.add(NewItem("Tea"), by: writer)
          return "new item Tea"
        }
      }
    ),
  ]

  @Test("with them, a household reads as without, whatever happened", arguments: changes.indices)
  func same(index: Int) throws {
    let (what, make) = Self.changes[index]
    let (home, milk, path) = try milk()
    try settled(home.laptop, milk)
    try make(home, path)
    let store = try home.opened(home.laptop)
    let warm = try store.read()
    try store.removeFile(cache)
    if FileManager.default.fileExists(atPath: store.root + "/" + snapshot) {
      try store.removeFile(snapshot)
    }
    let cold = try home.opened(home.laptop).read()
    #expect(meaning(of: warm.household) == meaning(of: cold.household), "\(what)")
    #expect(warm.edited == cold.edited, "\(what)")
    #expect(warm.notes == cold.notes, "\(what)")
    #expect(warm.plainCommits == cold.plainCommits, "\(what)")
    #expect(
      Set(warm.household.unreadable.keys) == Set(cold.household.unreadable.keys), "\(what)")
  }

  /// What a household says, without the ids and the times that a reading gives.
  private func meaning(of household: Household) -> [String] {
    household.entities.map { entity in
      let path = household.path(of: entity.key) ?? "nowhere"
      return "\(path): \(entity.title), \(entity.quantity), \(entity.isTombstone)"
    }.sorted()
  }

  @Test("several readers at once write one cache and read the truth")
  func readers() throws {
    let (home, milk, _) = try milk()
    let wrong = Counter()
    let (root, context) = (home.laptop.root, home.context("laptop"))
    DispatchQueue.concurrentPerform(iterations: 6) { _ in
      let store = try? Store.open(from: root, context: context)
      for _ in 0..<10 where (try? store?.name(milk)) != "Oat milk" { wrong.add() }
    }
    #expect(wrong.count == 0)
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    func add() { lock.withLock { number += 1 } }
    var count: Int { lock.withLock { number } }
  }
}
