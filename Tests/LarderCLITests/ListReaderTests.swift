import Foundation
import LarderJSON
import TestSupport
import Testing

/// `Tests/Reader/lists.py` is written from "To read lists" in FORMAT.md, and shares nothing with larder.
@Suite("Lists read by the lines at the top of the format")
struct ListReaderTests {
  @Test("the sample is read as the program lists it")
  func sample() throws {
    let larder = try CommandRunner.calling()
    try FileManager.default.copyItem(atPath: Checkout.sample.path(), toPath: larder.folder("home"))
    try #expect(read(larder.folder("home")).stock.count > 50)
    try compare(larder, "home")
  }

  @Test(
    "so are the vectors of an item's total", arguments: try Vector.all(in: "totals"))
  func totals(_ vector: Vector) throws {
    let larder = try CommandRunner.calling()
    let files = vector["files"]?.members ?? []
    let household = JSON.object([
      JSONMember("id", .string("0193a4b2-0000-7000-8000-0000000000aa")),
      JSONMember("name", .string("Home")),
      JSONMember("createdAt", .string("2026-11-01T08:00:00.000Z")),
    ])
    for (path, file) in files.map({ ($0.key, $0.value) }) + [("household.json", household)] {
      try larder.folder.write(String(decoding: file.writeFile(), as: UTF8.self), to: "home/\(path)")
    }
    let total = try #require(vector["total"]?.number.flatMap { Double($0.description) })
    #expect(try read(larder.folder("home")).stock.contains { $0.value.total == total })
    try compare(larder, "home")
  }

  @Test("so is what three devices did apart, and what came after it was counted", arguments: 0..<3)
  func apart(_ number: UInt64) throws {
    let pair = try Pair()
    for line in RealWorld.beginning { try pair.prepare("laptop", line) }
    try pair.prepare("laptop", "sync", "join ../hub.git ../tablet")
    try pair.prepare("phone", "sync")
    let names = ["laptop", "phone", "tablet"]
    var world = RealWorld(
      seed: Seed.ofRun &+ 50 &+ number, devices: 3,
      time: { String(pair.larder.now.prefix(16)).replacing("T", with: " ") },
      file: { try pair.file(names[$0], "stock/eggs") },
      run: { try pair(names[$0], $1, input: $2) })
    for _ in 1...24 { try world.act() }
    for name in names + names { try pair.prepare(name, "buy bread 2", "sync") }
    for name in names { try compare(pair.larder, name) }
  }
}

extension ListReaderTests {
  private struct Lists: Decodable {
    var stock: [String: Thing] = [:]
    var list: [String: Thing] = [:]
  }

  private struct Thing: Decodable, Equatable {
    let name: String
    let total: Double
    let unit: String
    var isCompleted: Bool?
  }

  private func read(_ folder: String) throws -> Lists {
    let reader = Checkout.root.appending(path: "Tests/Reader/lists.py").path()
    let data = Data(try Programs.run("python3", reader, folder).utf8)
    return try JSONDecoder().decode(Lists.self, from: data)
  }

  /// Compares what is read of a household with what the program lists of it.
  private func compare(_ larder: CommandRunner, _ place: String) throws {
    let read = try read(larder.folder(place))
    #expect(try listed(larder, place, "stock") { $0["total"] as? Double } == read.stock)
    #expect(
      try listed(larder, place, "shop list") { $0["desiredQuantity"] as? Double } == read.list)
  }

  private func listed(
    _ larder: CommandRunner, _ place: String, _ command: String,
    _ amount: ([String: Any]) -> Double?
  ) throws -> [String: Thing] {
    let words = command.split(separator: " ").map(String.init) + ["--json"]
    let rows = try larder.run(words, in: place).json()["items"] as? [[String: Any]] ?? []
    var things: [String: Thing] = [:]
    for row in rows {
      let id = try #require(row["id"] as? String)
      things[id] = Thing(
        name: try #require(row["name"] as? String), total: try #require(amount(row)),
        unit: try #require(row["unit"] as? String), isCompleted: row["isCompleted"] as? Bool)
    }
    return things
  }
}
