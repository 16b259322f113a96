import Foundation
import HomeSupport
import LarderModel
import LarderStore
import LarderText
import Seeded
import TestSupport
import Testing

@Suite("New files")
struct NewFileTests {
  static let seeds: [UInt64] = (0..<6).map { Seed.single ?? Seed.ofRun &+ $0 }

  @Test(
    "who reads a file without an id before it is adopted learns the id that another process writes",
    arguments: seeds)
  func idsBeforeAdoption(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let home = try Home(alone: true) { try $0.newItem("Oat milk", 5) }
    let original = try #require(try home.laptop.files().keys.first { $0.hasPrefix("stock/") })
    for number in 0..<random.number(1...8) {
      let folder = random.happens(30) ? "/new/deep" : ""
      let (kind, json) = random.file(number)
      try home.laptop.write(json, to: "\(kind)\(folder)/\(random.name)-\(number).json")
      if random.happens(40) {
        try FileManager.default.copyItem(
          atPath: "\(home.laptop.root)/\(original)",
          toPath: "\(home.laptop.root)/stock/\(random.name)-copy-\(number).json")
      }
    }
    let (first, second) = (try home.opened(home.laptop), try home.opened(home.laptop))
    let seen = try first.read().household.ids
    #expect(try second.read().household.ids == seen, "seed \(seed)")
    if random.happens(50) { try second.newItem("Rice", 1) }
    _ = try second.adopt()
    let ids = try home.opened(home.laptop).read().household.ids
    #expect(seen.filter { ids[$0.key] != $0.value } == [:], "seed \(seed)")
    #expect(Set(seen.values).count == seen.count, "seed \(seed)")
  }

  @Test("a file that comes back from a backup is another item where the first one has moved")
  func backup() throws {
    let home = try Home(alone: true) { try $0.newItem("Rice", 1) }
    let (file, backup) = ("\(home.laptop.root)/stock/a.json", home.folder("a.json"))
    try home.laptop.write("{\"name\": \"Milk\", \"quantityInStock\": 2}\n", to: "stock/a.json")
    let saved = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)]
    try FileManager.default.setAttributes(saved, ofItemAtPath: file)
    try FileManager.default.copyItem(atPath: file, toPath: backup)
    _ = try home.laptop.adopt()
    try home.laptop.moveFile("stock/a.json", to: "stock/b.json")
    _ = try home.laptop.adopt()
    try FileManager.default.copyItem(atPath: backup, toPath: file)
    try FileManager.default.setAttributes(saved, ofItemAtPath: file)
    _ = try home.laptop.adopt()
    let items = try home.laptop.read().household.all(.stockItem)
    #expect(items.compactMap(\.name).sorted() == ["Milk", "Milk", "Rice"])
    #expect(Set(items.map(\.id)).count == 3)
  }
}

extension Household {
  /// The entities' ids, by their files.
  fileprivate var ids: [FilePath: String] {
    Dictionary(
      uniqueKeysWithValues: entities.compactMap { entity in
        path(of: entity.key).map { ($0, entity.id) }
      })
  }
}

extension SeededGenerator {
  fileprivate var name: String {
    mutating get { pick(["milk", "a", "Grüne Bohnen", "müsli 2", "z"]) ?? "" }
  }

  /// Returns a folder and a file that belongs there.
  fileprivate mutating func file(_ number: Int) -> (String, String) {
    let name = "\(name) \(number)"
    return pick([
      ("stock", "{\"name\": \"\(name)\", \"quantityInStock\": \(number)}\n"),
      ("stock", "{\"name\": \"\(name)\"}\n"),
      ("locations", "{\"name\": \"\(name)\"}\n"),
      ("shopping", "{\"name\": \"\(name)\"}\n"),
      ("receipts", "{\"shopName\": \"\(name)\", \"items\": [{\"itemName\": \"\(name)\"}]}\n"),
    ]) ?? ("stock", "{}")
  }
}
