import TestSupport
import Testing

@testable import LarderCLI

@Suite("The locations' commands")
struct LocationCommandTests {
  /// A household with oat milk in a fridge: a lot that has expired and one that keeps, a used-up lot
  /// and a discarded one.
  static func stocked() throws -> Nest {
    let nest = try Nest()
    try nest.prepare("stock new 'Oat milk' --unit l", "location new Fridge --cold")
    let item = try #require(try nest("stock --json").array("items").first?["id"] as? String)
    let place = try #require(try nest("location --json").array("items").first?["id"] as? String)
    for (name, day, amount, status) in [
      ("late", "2026-12-24", 2, "active"), ("early", "2026-11-20", 1, "active"),
      ("empty", "2026-10-01", 0, "active"), ("gone", "2026-09-01", 1, "discarded"),
    ] {
      try nest.write(
        """
        {"productRef": {"productId": "\(item)"}, "quantity": {"value": \(amount), "unit": "liter"},
         "storageLocationId": "\(place)", "status": "\(status)",
         "expiryInfo": {"kind": "expiry", "isoDate": "\(day)"}}
        """, to: "batches/\(name).json")
    }
    try nest.prepare("adopt")
    return nest
  }

  @Test("without locations, the list says how to add one")
  func none() throws {
    let text = try Nest().session(["location", "location list --all"])
    #expect(try Golden.kept("location-none.txt", now: text) == text)
  }

  static let parts: [SessionPart] = [
    SessionPart(
      "a location has a name of its own, and lists count what is there", golden: "location-new.txt",
      [
        "location",
        "location new Cellar",
        "location new '  Kitchen   cupboard '",
        "location new FRIDGE",
        "location new ''",
        "location",
        "location list is:cold",
        "location list 'batches:>0' --sort expiry",
        "location list expiry: -name:cellar",
        "location list is:warm",
      ]),
    SessionPart(
      "fields are set by their types", golden: "location-edit.txt",
      [
        "location edit cupboard --name 'Spice rack' --set shelf=3",
        "location edit 'spice rack' --cold yes",
        "location edit 'spice rack' --cold yes",
        "location edit spice --cold maybe",
        "location edit spice",
        "location edit spice --name Cellar",
        "location edit spice --set name=CELLAR",
        "location edit spice --set isColdstorage=true",
        "location edit spice --set householdId=x",
        "location edit spice --set shelf=",
      ]),
    SessionPart(
      "an archived location can be restored while its name is free", golden: "location-archive.txt",
      [
        "location archive fridge spice",
        "location archive fridge",
        "location list --all",
        "location list is:archived",
        "location new fridge",
        "location restore Fridge",
        "undo",
        "location restore nothing",
        "location restore cellar",
        "location restore spice",
        "undo",
      ]),
  ]

  @Test(
    "a session with every verb says what each did, and what went wrong", arguments: parts.indices)
  func session(part: Int) throws {
    let nest = try Self.stocked()
    try nest.expect(part, of: Self.parts)
  }

  @Test("what is archived with batches in it keeps them, and JSON names them")
  func archive() throws {
    let nest = try Self.stocked()
    let outcome = try nest("location archive fridge --json")
    #expect(try outcome.array("changed").map { $0["kind"] as? String } == ["StorageLocation"])
    #expect(
      try outcome.array("batches").map { $0["path"] as? String }
        == ["batches/early.json", "batches/late.json"])
    #expect(outcome.errors.contains("larder stock move BATCH LOCATION"))
    #expect(try nest("stock list location:fridge --plain").records.count == 1)
    #expect(try nest("location restore fridge --json").array("changed").count == 1)
    #expect(try nest("location restore fridge --json").array("changed").isEmpty)
    #expect(try nest("location --plain").records.first?.prefix(3) == ["Fridge", "yes", "2"])
  }

  @Test("lists count what there is something of, in JSON and plain output too")
  func lists() throws {
    let nest = try Self.stocked()
    try nest.prepare("location new Cellar")
    let items = try nest("location --json").array("items")
    #expect(items.map { $0["name"] as? String } == ["Cellar", "Fridge"])
    #expect(items.map { $0["batchCount"] as? Int } == [0, 2])
    #expect(items.map { $0["expiry"] as? String } == [nil, "2026-11-20"])
    #expect(items.map { $0["isColdStorage"] as? Bool } == [false, true])
    #expect(
      try nest("location --plain").records.map { Array($0.prefix(4)) }
        == [["Cellar", "no", "0", ""], ["Fridge", "yes", "2", "2026-11-20"]])
    #expect(try nest("location list is:expired --plain").records.map { $0[0] } == ["Fridge"])
    #expect(try nest("location list --sort batches- --limit 1 --plain").records.count == 1)
    #expect(try nest.atTerminal("location").screen.contains("\u{1B}[31m2026-11-20\u{1B}[0m"))
  }

  @Test("another household's location is neither listed nor changed, and its name is free")
  func otherHousehold() throws {
    let nest = try Nest()
    try nest.write(
      #"{"name": "Attic", "householdId": "0192f0c4-0000-7000-8000-000000000009"}"#,
      to: "locations/attic.json")
    try nest.prepare("adopt")
    #expect(try nest("location --plain").records.isEmpty)
    for line in ["edit attic --cold yes", "archive attic", "restore attic"] {
      let outcome = try nest("location \(line)")
      #expect(outcome.code == 1)
      #expect(outcome.errors.contains("Attic belongs to another household"))
    }
    #expect(try nest("location new Attic").code == 0)
    #expect(try nest("location --plain").records.count == 1)
    #expect(try nest("location edit attic --cold yes").code == 0)
    #expect(try nest("check").output.contains("this belongs to another household"))
  }

  @Test("a new location has the household's id, and undo and redo archive it and bring it back")
  func undone() throws {
    let nest = try Nest()
    try nest.prepare("location new Fridge --cold")
    let own = try nest.read("household.json").firstMatch(of: /"id": "([^"]+)"/)?.1
    let file = try nest.read(try nest.path("locations", "fridge"))
    #expect(file.contains("\"householdId\": \"\(own ?? "none")\""))
    #expect(file.contains("\"isColdStorage\": true"))
    try nest.prepare("undo")
    #expect(try nest("location --plain").records.isEmpty)
    try nest.prepare("redo")
    #expect(try nest("location --plain").records.first?.first == "Fridge")
    #expect(try nest.subjects().count == 4)
  }
}
