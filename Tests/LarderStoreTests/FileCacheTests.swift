import Foundation
import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("The cache of the household's files")
struct FileCacheTests {
  private func milk() throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home(alone: true) { key = try $0.newItem("Oat milk", 50) }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  private func cache(_ store: Store) -> URL { URL(filePath: "\(store.root)/.git/larder/cache") }

  /// Makes the files old enough to be kept: their inodes' times can't be set, so it waits.
  private func settled(_ store: Store, _ milk: EntityKey) throws {
    Thread.sleep(forTimeInterval: 2.1)
    #expect(try store.quantity(milk) == Number(50))
  }

  /// Removes what other processes would read; the store in memory keeps its own.
  private func removeCache(_ store: Store) throws {
    if FileManager.default.fileExists(atPath: cache(store).path) {
      try FileManager.default.removeItem(at: cache(store))
    }
  }

  @Test(
    "deleted, cut short or damaged anywhere, it is made anew and nothing is read from it",
    arguments: [false, true])
  func damaged(hasLaterRows: Bool) throws {
    let (home, milk, path) = try milk()
    try settled(home.laptop, milk)
    try removeCache(home.laptop)
    _ = try home.opened(home.laptop).read()
    let file = cache(home.laptop)
    let first = try Data(contentsOf: file)
    if hasLaterRows { try home.opened(home.laptop).set("name", .string("Oat drink"), of: milk) }
    let name = try #require(try home.laptop.name(milk))
    let good = try Data(contentsOf: file)
    #expect((good.count > first.count && good.starts(with: first)) == hasLaterRows)
    let place = try #require(good.range(of: Data(name.utf8), options: .backwards), "it is kept")
    var wrong = good
    wrong.replaceSubrange(place, with: Data("Ale\(name.dropFirst(3))".utf8))
    let step = max(1, good.count / 60)
    let damages =
      [Data(), Data("larder snapshot 1\n".utf8), wrong, good + Data([0]), good + good]
      + stride(from: 0, to: good.count, by: step).map { good.prefix($0) }
      + stride(from: 0, to: good.count, by: step).map { index in
        var damaged = good
        damaged[damaged.startIndex + index] ^= 0x41
        return damaged
      }
    for (number, damage) in damages.enumerated() {
      try damage.write(to: file)
      let store = try home.opened(home.laptop)
      #expect(try store.name(milk) == name, "damage \(number)")
      #expect(try store.read().edited == [], "damage \(number)")
    }
    try removeCache(home.laptop)
    #expect(try home.opened(home.laptop).name(milk) == name)
    try home.laptop.edit(path, "\"\(name)\"", "\"Oat silk\"")
    #expect(try home.opened(home.laptop).name(milk) == "Oat silk")
  }

  @Test("changes are added to it, and after many it is written anew, no larger than at first")
  func growth() throws {
    let (home, milk, _) = try milk()
    let file = cache(home.laptop)
    var sizes: [Int] = []
    for number in 0..<80 {
      try home.opened(home.laptop).set("name", .string("Milk \(number)"), of: milk)
      sizes.append(try Data(contentsOf: file).count)
      #expect(try home.opened(home.laptop).name(milk) == "Milk \(number)")
    }
    #expect(zip(sizes, sizes.dropFirst()).contains { $0 < $1 }, "something is added")
    #expect(zip(sizes, sizes.dropFirst()).contains { $0 > 2 * $1 }, "it is written anew")
  }

  @Test("what another command added in between is not taken for one's own")
  func interleaved() throws {
    let (home, milk, path) = try milk()
    try settled(home.laptop, milk)
    let file = cache(home.laptop)
    for number in 0..<4 {
      let before = try Data(contentsOf: file)
      try home.opened(home.laptop).set("name", .string("Milk \(number)"), of: milk)
      let one = try Data(contentsOf: file)
      // Another command began with the same cache and an older commit, and adds its news behind.
      try before.write(to: file)
      try home.laptop.edit(path, "\"Milk \(number)\"", "\"Ale \(number)\"")
      _ = try home.opened(home.laptop).adopt()
      let other = try Data(contentsOf: file)
      let added = (one: one.dropFirst(before.count), other: other.dropFirst(before.count))
      for mixed in [before + added.one + added.other, before + added.other + added.one] {
        try mixed.write(to: file)
        #expect(try home.opened(home.laptop).name(milk) == "Ale \(number)")
        #expect(try home.opened(home.laptop).read().edited == [])
      }
    }
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
      let handle = try FileHandle(forWritingTo: URL(filePath: "\(home.laptop.root)/\(path)"))
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
      #expect(try home.laptop.name(milk) == next)
    }
  }

  @Test("a file changed to the same size with its old times is not missed")
  func sameTimes() throws {
    let (home, milk, path) = try milk()
    try settled(home.laptop, milk)
    let file = "\(home.laptop.root)/\(path)"
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
  static let changes: [(what: String, make: @Sendable (Home, _ path: FilePath) throws -> Void)] = [
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
          atPath: "\(home.laptop.root)/\(path)", toPath: home.laptop.root + "/stock/x.json")
      }
    ),
    (
      "a link in its place",
      { home, path in
        let place = "\(home.laptop.root)/\(path)"
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
        try home.git(home.laptop, "rm", "-q", "--cached", path.text)
        try home.git(home.laptop, "commit", "-q", "-m", "by hand")
      }
    ),
    (
      "an amended commit with the same files",
      { home, _ in try home.git(home.laptop, "commit", "-q", "--amend", "-m", "by hand") }
    ),
    (
      "an amended commit, of which git forgot the first form",
      { home, path in
        try home.laptop.edit(path, "\"Oat milk\"", "\"Oat silk\"")
        try home.git(home.laptop, "commit", "-q", "--amend", "-a", "-m", "by hand")
        try home.git(home.laptop, "reflog", "expire", "--expire=now", "--all")
        try home.git(home.laptop, "gc", "-q", "--prune=now")
      }
    ),
    (
      "an earlier commit checked out",
      { home, _ in try home.git(home.laptop, "checkout", "-q", "HEAD~1") }
    ),
    (
      "a commit of the phone",
      { home, _ in
        try home.laptop.commit(as: "new") { edit, writer in
          try edit.add(NewItem("Tea"), by: writer)
          return ("new item Tea", ())
        }.get().value
      }
    ),
  ]

  @Test("with it, a household reads as without, whatever happened", arguments: changes.indices)
  func same(index: Int) throws {
    let (what, make) = Self.changes[index]
    let (home, milk, path) = try milk()
    try settled(home.laptop, milk)
    try make(home, path)
    try compareWithCold(home, what)
    // What is known now was known in two steps, the second one in a later batch.
    Thread.sleep(forTimeInterval: 2.1)
    _ = try home.opened(home.laptop).read()
    try compareWithCold(home, "\(what), then nothing")
  }

  private func compareWithCold(_ home: Home, _ what: String) throws {
    let store = try home.opened(home.laptop)
    let warm = try store.read()
    let file = cache(store)
    let bytes =
      FileManager.default.fileExists(atPath: file.path) ? try Data(contentsOf: file) : nil
    try removeCache(store)
    let cold = try home.opened(home.laptop).read()
    #expect(meaning(of: warm.household) == meaning(of: cold.household), "\(what)")
    #expect(warm.edited == cold.edited, "\(what)")
    #expect(warm.notes == cold.notes, "\(what)")
    #expect(warm.plainCommits == cold.plainCommits, "\(what)")
    #expect(
      Set(warm.household.untaken.keys) == Set(cold.household.untaken.keys), "\(what)")
    try removeCache(store)
    try bytes?.write(to: file)
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
