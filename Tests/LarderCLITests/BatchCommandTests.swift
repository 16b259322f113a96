import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("The batches' commands")
struct BatchCommandTests {
  /// A household with milk, loose jam, two places and a catalogue.
  static func shelf() throws -> Nest {
    let nest = try Nest()
    try nest.write(
      """
      {"id": "ean_5032987400110", "title": "Whole Milk", "unit": "liter", "packSize": 1,
       "barcodes": ["5032987400110"], "bestAfterOpeningDays": 3}
      """, to: "products/whole-milk.json")
    try nest.write(#"{"name": "Fridge", "isColdStorage": true}"#, to: "locations/fridge.json")
    try nest.write(#"{"name": "Cellar"}"#, to: "locations/cellar.json")
    try nest.prepare(
      "adopt", "stock new Milk --unit l --full 6 --product 5032987400110",
      "stock new Jam --in-stock 3")
    return nest
  }

  static let parts: [SessionPart] = [
    SessionPart(
      "what comes makes a batch or joins one, and lists show it", golden: "batches-add.txt",
      [
        "stock put milk 2 --expiry 2026-12-01 --location fridge",
        "stock put milk 500ml --expiry +10d --location FRIDGE",
        "stock put milk 1 --best-before 2026-11-24 --location fridge --lot L7",
        "stock put 5032987400110 3 --use-by 2026-12-24 --location cellar --notes 'for the cake'",
        "stock put milk 1 --expiry tomorrow",
        "stock",
        "stock list --batches",
        "stock list --batches location:cellar --plain",
        "stock list is:batched",
        "stock due",
        "stock due --days 3",
        "stock due --days 3 lot:L7 --plain",
        "stock due --days x",
        "stock expired",
        "stock summary milk",
        "stock summary 'whole milk'",
        "stock show milk",
      ]),
    SessionPart(
      "a batch, or a part of it, moves to another place", golden: "batches-move.txt",
      [
        "stock move L7 cellar",
        "stock move 'milk 2026-12-01' cellar 500ml",
        "stock move 'milk 2026-12-01' cellar 500ml",
        "stock move 'milk fridge' cellar 9",
        "stock move milk cellar",
        "stock move jam cellar 1",
        "stock move jam attic",
        "stock move milk",
        "stock list --batches",
      ]),
    SessionPart(
      "a part of a batch is opened", golden: "batches-open.txt",
      [
        "stock open 5032987400110 --batch 2026-12-24",
        "stock open milk --batch 2026-11-22",
        "stock open milk --batch 2026-11-22",
        "stock open jam",
        "stock open jam 9",
        "stock open milk --batch none",
        "stock list --batches is:open",
      ]),
    SessionPart(
      "what is wrong about a batch is corrected", golden: "batches-edit.txt",
      [
        "stock edit milk --batch L7 --best-before 2026-11-25 --lot L8",
        "stock edit milk --batch L8 --best-before 2026-11-25",
        "stock edit milk --batch L8",
        "stock edit milk --batch L8 --full 3",
        "stock edit milk --lot L9",
        "stock edit milk --batch L8 --opened 2026-11-26",
        "stock edit milk --batch L8 --opened 2026-11-26 --strict",
        "stock edit milk --batch L8 --opened '' --notes 'smells odd'",
      ]),
    SessionPart(
      "what is used, counted or spoilt is taken from the right batch", golden: "batches-use.txt",
      [
        "stock use milk 2",
        "stock use milk 1 --batch fridge",
        "stock count milk 1 --batch 2026-12-24",
        "stock discard milk --batch fridge --reason sour",
        "stock archive milk --batch 2026-12-24",
        "stock archive milk --batch 2026-12-24",
        "stock restore milk --batch 2026-12-24",
        "stock archive milk jam --batch L8",
        "stock summary milk --json",
        "stock use milk 9 --partial",
        "shop",
      ]),
  ]

  @Test("a session with lots from the shop to the last drop", arguments: parts.indices)
  func session(part: Int) throws {
    let nest = try Self.shelf()
    try nest.expect(part, of: Self.parts)
    #expect(try nest("check").code == 0)
  }

  @Test("a receipt's lines with a date, a place or a code become batches, and follow corrections")
  func receipts() throws {
    let nest = try Self.shelf()
    let text = try nest.session([
      "receipt save --shop Fairprice --line 'milk=2l@@3.30' --expiry milk=2026-12-01 --location "
        + "milk=fridge --lot milk=L9 --line 'jam=1@@2.50'",
      "stock list --batches", "stock summary jam",
      "receipt edit fairprice --line milk=3 --expiry milk=2026-12-02", "stock list --batches",
      "receipt edit fairprice --expiry jam=2027-06-01", "stock show jam",
      "stock use milk 1", "receipt void fairprice", "stock summary milk",
      "receipt restore fairprice", "stock list --batches", "receipt edit fairprice --line milk=0",
      "stock summary milk", "receipt save --shop X --line milk=1 --location milk=attic",
      "receipt save --shop X --line milk=1 --lot milk", "check",
    ])
    #expect(try Golden.kept("batch-receipts.txt", now: text) == text)
    #expect(try nest.isClean())
  }

  @Test("lists in JSON have every batch with its item, place and days left")
  func json() throws {
    let nest = try Self.shelf()
    try nest.prepare("stock put milk 2 --expiry 2026-12-01 --location fridge --lot L1")
    let added = try nest("stock put milk 1 --expiry 2026-12-01 --location fridge --lot L1 --json")
      .json()
    #expect(added["action"] as? String == "merged")
    let other = try nest("stock put milk 1 --expiry 2026-11-20 --json").json()
    #expect(other["action"] as? String == "created")
    let over = try nest("stock put milk 1 --expiry 2026-11-20")
    #expect(over.errors == "warning: Milk keeps until 2026-11-20, and that day is over\n")
    let items = try #require(try nest("stock due --json").json()["items"] as? [[String: Any]])
    #expect(items.count == 1)
    #expect(items[0]["name"] as? String == "Milk")
    #expect(items[0]["location"] as? String == "Fridge")
    #expect(items[0]["daysLeft"] as? Int == 10)
    #expect((items[0]["quantity"] as? [String: Any])?["value"] as? Int == 3)
    let expired = try #require(
      try nest("stock expired --json").json()["items"] as? [[String: Any]])
    #expect(expired.map { $0["daysLeft"] as? Int } == [-1])
    #expect(try nest("stock list --batches --json").json()["items"] != nil)
  }

  @Test("a request is served once, and tells the first result again")
  func requests() throws {
    let nest = try Self.shelf()
    let add = "stock put milk 2 --expiry 2026-12-01 --request-id R1 --json"
    let first = try nest(add).json()
    try nest.prepare("stock use milk 1", "stock put milk 5 --expiry 2026-12-01")
    let second = try nest(add).json()
    #expect(second["isRepeated"] as? Bool == true)
    #expect(second["action"] as? String == "created")
    #expect(second["total"] as? Int == first["total"] as? Int)
    #expect((second["changed"] as? [Any])?.isEmpty == true)
    #expect(try nest("stock put milk 2 --expiry 2026-12-01 --request-id R1").output.contains("R1"))
    #expect(try nest("stock summary milk --plain").output.contains("total\t6 l"))
  }

  @Test("a request that was taken back is told as that, and another id does it again")
  func requestsTakenBack() throws {
    let nest = try Self.shelf()
    let use = "stock consume milk 1 --request-id R1"
    try nest.prepare("stock add milk 3", use)
    #expect(try nest(use).output.contains("(done before under R1)"))
    try nest.prepare("undo")
    let again = try nest(use)
    #expect(
      again.output.contains(
        "(done before under R1 and taken back since; another --request-id does it again)"))
    #expect(try nest("\(use) --json").json()["isTakenBack"] as? Bool == true)
    try nest.prepare("redo")
    #expect(try nest(use).output.contains("(done before under R1)"))
    #expect(try nest("\(use) --json").json()["isTakenBack"] as? Bool == false)
    try nest.prepare("undo", "stock consume milk 1 --request-id R2")
    #expect(
      try nest("stock consume milk 1 --request-id R2").output.contains("(done before under R2)"))
  }

  @Test("items that are one become one, with their batches and what is to be bought")
  func merging() throws {
    let nest = try Self.shelf()
    let text = try nest.session([
      "stock new 'Whole milk' --unit ml --in-stock 500ml --full 2l",
      "stock put 'whole milk' 1l --expiry 2026-12-05", "shop buy 'whole milk' 3l",
      "stock put milk 2 --expiry 2026-12-01", "stock merge milk 'whole milk'", "stock", "shop",
      "stock list --batches", "stock merge milk milk", "stock merge milk jam",
      "stock list --all is:archived", "undo", "stock",
    ])
    #expect(try Golden.kept("merging.txt", now: text) == text)
    #expect(try nest.isClean())
    #expect(try nest("check").code == 0)
  }

  @Test("a batch that nobody else can know goes for good, and an undo still brings it back")
  func removing() throws {
    let nest = try Self.shelf()
    try nest.prepare("stock put milk 2 --expiry 2026-12-01")
    let path = try nest.path("batches", "milk")
    let removed = try nest("stock archive milk --batch 2026-12-01 --hard")
    #expect(removed.code == 0)
    #expect(removed.output.hasPrefix("removed 2 l of Milk (batch of 2026-12-01)\n"))
    #expect(throws: (any Error).self) { try nest.read(path) }
    #expect(try nest.isClean())
    #expect(try nest("stock summary milk --plain").output.contains("batches\t0"))
    try nest.prepare("undo")
    #expect(try nest.read(path).contains(#""value": 2"#))
    try Git.run("init", "-q", "--bare", "-b", "main", "hub.git", in: nest.larder.folder("home"))
    try Git.run(
      "remote", "add", "origin", nest.larder.folder("home/hub.git"), in: nest.larder.folder("nest"))
    try nest.prepare("sync")
    let refused = try nest("stock archive milk --batch 2026-12-01 --hard")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("was synced"))
    #expect(try nest.read(path).contains("active"))
    #expect(try nest("stock archive milk --hard").code == 2)
  }

  @Test("batches that are used up are archived where that is set")
  func archiving() throws {
    let nest = try Self.shelf()
    try nest.prepare("config archiveConsumed yes", "stock put milk 2 --expiry 2026-12-01")
    let used = try nest("stock use milk 2 --json").json()
    let changed = try #require(used["changed"] as? [[String: Any]])
    let path = try #require(
      changed.compactMap { $0["path"] as? String }.first { $0.hasPrefix("batches/") })
    #expect(try nest.read(path).contains(#""status": "archived""#))
    try nest.prepare("undo")
    #expect(try nest.read(path).contains(#""status": "active""#))
    try nest.prepare("config archiveConsumed no", "stock use milk 2")
    #expect(try nest.read(path).contains(#""status": "consumed""#))
    #expect(try nest.read(path).contains("consumedAt"))
    #expect(try nest("config archiveConsumed perhaps").code == 2)
  }

  @Test("a change is refused where the batch is not as the caller saw it")
  func versions() throws {
    let nest = try Self.shelf()
    let added = try nest("stock put milk 2 --expiry 2026-12-01 --json").json()
    let changed = try #require(added["changed"] as? [[String: Any]])
    let path = try #require(changed.first?["path"] as? String)
    let version = try #require(
      try nest.read(path).firstMatch(of: /"updatedAt": "([^"]+)"/)?.1)
    try nest.prepare("stock use milk 1")
    let refused = try nest("stock move '\(path)' cellar --unchanged-since \(version)")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("it changed at"))
    #expect(try nest("stock move '\(path)' cellar --unchanged-since never").code == 2)
    let newer = try #require(try nest.read(path).firstMatch(of: /"updatedAt": "([^"]+)"/)?.1)
    #expect(try nest("stock move '\(path)' cellar --unchanged-since \(newer)").code == 0)
  }

  @Test("nothing is put into another household's place, by whatever command")
  func foreignPlace() throws {
    let nest = try Self.shelf()
    try nest.write(
      #"{"name": "Lodge", "householdId": "0192f0c4-0000-7000-8000-000000000099"}"#,
      to: "locations/lodge.json")
    try nest.prepare(
      "stock put milk 2 --expiry 2026-12-01",
      "receipt save --shop Fairprice --line milk=1 --expiry milk=2026-12-02")
    for line in [
      "stock put milk 1 --location lodge", "stock move 'milk 2026-12-01' lodge",
      "stock edit milk --batch 2026-12-01 --location lodge",
      "receipt save --shop X --line milk=1 --location milk=lodge",
      "receipt edit fairprice --location milk=lodge",
    ] {
      let refused = try nest(line)
      #expect(refused.code == 1, "\(line)")
      #expect(refused.errors.contains("belongs to another household"), "\(line)")
    }
  }

  @Test("on a terminal what is due is drawn along the days")
  func timeline() throws {
    let nest = try Self.shelf()
    try nest.prepare("stock put milk 2 --expiry 2026-11-24 --location fridge")
    let drawn = try nest.atTerminal("stock due --days 7 --no-color").screen
    #expect(drawn.contains("SSMTWTFS"))
    #expect(drawn.contains(" ───● "))
  }

  @Test("days of batches are those of the household's zone, not of the machine's")
  func zones() throws {
    var nest = try Nest()
    nest.larder.now = "2026-11-22T16:30:00Z"
    try nest.prepare(
      "config timeZone Asia/Singapore", "stock new Milk", "stock put milk 1 --expiry 2026-11-22",
      "stock put milk 1 --expiry today")
    #expect(try nest("stock expired --plain").output.contains("2026-11-22"))
    #expect(try nest("stock due --plain --days 0").output.contains("2026-11-23"))
    try nest.prepare("config timeZone UTC")
    #expect(try nest("stock expired --plain").output.isEmpty)
  }
}
