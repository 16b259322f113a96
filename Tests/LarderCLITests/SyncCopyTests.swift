import Foundation
import Seeded
import TestSupport
import Testing

/// Copies that programs for syncing folders leave beside a file: they are versions of one thing, and
/// never a second one.
@Suite("Copies that a sync of folders leaves")
struct SyncCopyTests {
  /// Names that programs give to the copy of a file, with `*` for the file's name without `.json`.
  static let names = [
    "*.sync-conflict-20261128-041330-ABCDEFG", "* (conflicted copy 2026-11-28 041330)",
    "* (Anna's conflicted copy 2026-11-28)", "* (Anna's conflicted copy 2026-11-28 (1))",
    "* (Case Conflict)", "* (Case Conflict 1)", "*_conflict-20261128-041330",
    "* (SFConflict anna@example.org 2026-11-28-04-13-30)", "* (case clash from Anna on 2026-11-28)",
    "*_LAPTOP_Nov-28-041330-2026_Conflict", "* (Copie en conflit de Anna 2026-11-28)",
    "* (In Konflikt stehende Kopie von Anna 2026-11-28)", "* 2", "* 14", "*-LAPTOP", "*-LAPTOP-2",
    "* (1)", "*-Annas MacBook", "* - Kopie", "*_conf(1)", "*~Anna",
  ]

  private struct Folder {
    let nest: Nest
    let file: String

    init(_ line: String = "stock new Milk 4", in folder: String = "stock") throws {
      nest = try Nest()
      try nest.prepare("stock new Bread 1", line)
      let names = try FileManager.default.contentsOfDirectory(
        atPath: nest.larder.folder("nest/\(folder)"))
      let name = try #require(names.first { !$0.hasPrefix("bread") })
      file = "\(folder)/" + name.dropLast(5)
    }

    var text: String {
      get throws { try nest.larder.folder.read("nest/\(file).json") }
    }

    func copy(_ name: String, _ text: String? = nil) throws -> String {
      let path = name.replacing("*", with: file) + ".json"
      try nest.larder.folder.write(try text ?? self.text, to: "nest/\(path)")
      return path
    }

    func commit() throws {
      try Git.run("add", "-A", in: nest.larder.folder("nest"), at: nest.larder.now)
      try Git.run("commit", "-qm", "by hand", in: nest.larder.folder("nest"), at: nest.larder.now)
    }

    func items() throws -> [String: Int] {
      let items = try nest("stock --json").array("items").map {
        ($0["name"] as? String ?? "", $0["total"] as? Int ?? 0)
      }
      return Dictionary(items) { $0 + $1 * 1000 }
    }
  }

  @Test(
    "is no second thing, is told, and commands go on; with a commit of plain git too",
    arguments: names, [false, true])
  func told(_ name: String, _ commits: Bool) throws {
    let folder = try Folder()
    let copy = try folder.copy(name)
    if commits { try folder.commit() }
    let stock = try folder.nest("stock")
    #expect(stock.errors.contains("\(copy) is a copy that a sync of folders left"))
    #expect(try folder.items() == ["Bread": 1, "Milk": 4])
    let used = try folder.nest("use milk 1")
    #expect(used.code == 0, "\(used.errors)")
    #expect(used.errors.contains("\(copy) is a copy that a sync of folders left"))
    #expect(try folder.items() == ["Bread": 1, "Milk": 3])
    let sentence = "this is a copy of \(folder.file).json that a sync of folders left"
    for command in ["status", "check"] {
      #expect(try folder.nest(command).output.contains("\(copy): \(sentence)"))
    }
    #expect(try folder.nest("conflicts").errors.contains(copy))
    let doctor = try folder.nest("doctor")
    #expect(doctor.code == 1)
    #expect(doctor.output.contains("\(copy) is a copy of \(folder.file).json"))
    #expect(try folder.nest("doctor --fix").code == 0)
    #expect(try folder.items() == ["Bread": 1, "Milk": 3])
    #expect(!FileManager.default.fileExists(atPath: folder.nest.larder.folder("nest/\(copy)")))
    #expect(try folder.nest("check").code == 0)
    #expect(try Git.run("status", "--porcelain", in: folder.nest.larder.folder("nest")) == "")
  }

  @Test(
    "of every kind is no second thing",
    arguments: [
      ("stock new Milk 4 --expiry 2027-01-01", "batches", "show Milk --json"),
      ("location new Cellar", "locations", "location --json"),
      ("shop add Milk 2", "shopping", "shop --json"),
      ("receipt save --shop Spar --line bread=2", "receipts", "receipt --json"),
    ])
  func kinds(_ line: String, _ place: String, _ list: String) throws {
    let folder = try Folder(line, in: place)
    let before = try folder.nest(list).output
    let total = try folder.items()
    for name in Self.names { _ = try folder.copy(name) }
    #expect(try folder.items() == total)
    #expect(try folder.nest(list).output == before)
    try folder.nest.prepare("doctor --fix")
    #expect(try folder.items() == total)
    #expect(try folder.nest(list).output == before)
  }

  @Test("is joined with what both devices did, and what somebody typed into it")
  func joined() throws {
    let folder = try Folder()
    let old = try folder.text
    try folder.nest.prepare("use milk 1", "stock edit milk --category Dairy")
    // The other device used one too, and a person there typed another name.
    let other = try folder.copy(
      "*.sync-conflict-20261128-041330-ABCDEFG",
      old.replacing("\"name\": \"Milk\"", with: "\"name\": \"Oat milk\"")
        .replacing("\"quantityInStock\": 4", with: "\"quantityInStock\": 7"))
    let line =
      #"    { "id": "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c", "at": "\#(folder.nest.larder.now)", "#
    let entry = line + #""delta": -1, "why": "consume", "by": "phone" }"#
    let laptop = try folder.copy(
      "*-LAPTOP", folder.text.replacing("\n  ]", with: ",\n\(entry)\n  ]"))
    #expect(try folder.items() == ["Bread": 1, "Milk": 3])
    let fixed = try folder.nest("doctor --fix")
    #expect(fixed.code == 0, "\(fixed.output)\(fixed.errors)")
    for copy in [other, laptop] {
      #expect(fixed.output.contains("\(copy) is joined with \(folder.file).json"))
    }
    #expect(fixed.output.contains(".git/larder/kept/stock-"))
    let item = try folder.nest("show 'oat milk' --json").output
    #expect(item.contains("\"category\": \"Dairy\""))
    #expect(try folder.items().keys.sorted() == ["Bread", "Oat milk"])
    #expect(try folder.text.contains("\"by\": \"phone\""))
  }

  @Test("becomes a thing of its own once somebody makes one of it", arguments: [false, true])
  func meant(_ commits: Bool) throws {
    let folder = try Folder()
    let other = try folder.text.replacing("\"name\": \"Milk\"", with: "\"name\": \"Oat milk\"")
    for name in ["stock/oat-milk", "* 2"] {
      let path = try folder.copy(name, other.replacing("Oat milk", with: "Oat milk \(name.count)"))
      if commits { try folder.commit() }
      let outcome = try folder.nest("stock put Bread 1")
      #expect(outcome.errors.contains("\(path): this is a copy of"))
      #expect(outcome.errors.contains("gets an id of its own"))
    }
    #expect(
      try folder.items() == ["Bread": 3, "Milk": 4, "Oat milk 14": 4, "Oat milk 3": 4])
  }

  @Test("is not all that is left of a thing: nothing is marked as deleted while it is there")
  func alone() throws {
    let folder = try Folder()
    let copy = try folder.copy("*.sync-conflict-20261128-041330-ABCDEFG")
    let home = folder.nest.larder.folder("nest/\(folder.file).json")
    let text = try folder.text
    try FileManager.default.removeItem(atPath: home)
    let outcome = try folder.nest("stock put Bread 1")
    #expect(!outcome.errors.contains("marked as deleted"), "\(outcome.errors)")
    #expect(try folder.items() == ["Bread": 2, "Milk": 4])
    try text.write(toFile: home, atomically: true, encoding: .utf8)
    try folder.nest.prepare("use milk 1", "doctor --fix")
    #expect(try folder.items() == ["Bread": 2, "Milk": 3])
    #expect(!FileManager.default.fileExists(atPath: folder.nest.larder.folder("nest/\(copy)")))
  }

  @Test("of a whole folder is no second thing either")
  func folders() throws {
    let folder = try Folder()
    let leaf = folder.file.dropFirst("stock/".count)
    let text = try folder.text
    let root = folder.nest.larder.folder("nest/stock")
    for name in ["dairy", "dairy 2", "dairy (conflicted copy 2026-11-28)", "dairy-LAPTOP"] {
      let place = root + "/" + name
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try text.write(toFile: "\(place)/\(leaf).json", atomically: true, encoding: .utf8)
    }
    try FileManager.default.removeItem(atPath: "\(root)/\(leaf).json")
    #expect(try folder.items() == ["Bread": 1, "Milk": 4])
    try folder.nest.prepare("use milk 1", "doctor --fix")
    #expect(try folder.items() == ["Bread": 1, "Milk": 3])
    #expect(try folder.nest.larder.folder.read("nest/stock/dairy/\(leaf).json").contains("consume"))
    #expect(try folder.nest("check").code == 0)
  }

  @Test("two devices read the same of it, whoever joins it")
  func devices() throws {
    let pair = try Pair("stock new Milk 4", "stock new Bread 1")
    let stock = try FileManager.default.contentsOfDirectory(atPath: pair.root("laptop") + "/stock")
    let file = "stock/" + (try #require(stock.first { $0.hasPrefix("milk") })).dropLast(5)
    for (index, name) in Self.names.enumerated() {
      let path = "phone/" + name.replacing("*", with: file) + ".json"
      try pair.larder.folder.write(
        pair.larder.folder.read("phone/\(file).json")
          .replacing("\"quantityFullStock\": 0", with: "\"quantityFullStock\": \(index)"), to: path)
    }
    try pair.git("phone", "add", "-A")
    try pair.git("phone", "commit", "-qm", "what the folder had")
    try pair.prepare("laptop", "use milk 1")
    try pair.settle(finding: Self.names.count)
    for device in ["laptop", "phone"] { #expect(try pair.total("Milk", on: device) == 3) }
    try pair.prepare("phone", "use milk 1")
    try pair.prepare("laptop", "doctor --fix")
    try pair.settle()
    for device in ["laptop", "phone"] {
      #expect(try pair.total("Milk", on: device) == 2)
      let names = try FileManager.default.contentsOfDirectory(atPath: pair.root(device) + "/stock")
      #expect(names.count == 2)
    }
  }

  @Test("of any name that is put behind the file's, and with any mark, is no second thing")
  func anyName() throws {
    let seed = Seed.ofRun
    var random = SeededGenerator(seed: seed)
    let folder = try Folder()
    let letters = Array("abzAZ09 -_().é~#'")
    for _ in 0..<60 {
      let tail = String(
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? "a"
        })
      let first = " -_(~#'.".randomElement(using: &random) ?? " "
      let mark =
        ["conflict", "Conflict", "KONFLIKT", "conflit"].randomElement(using: &random) ?? ""
      _ = try folder.copy("*\(first)\(tail)")
      _ = try folder.copy(
        "stock/any \(["(", "_", "."].randomElement(using: &random) ?? "(")\(mark) \(tail)")
    }
    #expect(try folder.items() == ["Bread": 1, "Milk": 4], "seed \(seed)")
    let used = try folder.nest("use milk 1")
    #expect(used.code == 0, "seed \(seed): \(used.errors)")
    #expect(try folder.items() == ["Bread": 1, "Milk": 3], "seed \(seed)")
  }

  @Test(
    "Files of editors and of syncs under way are left alone",
    arguments: ["*.json~", ".*.json.swp", ".syncthing.*.json.tmp", "*.json.orig", ".#*.json"])
  func others(_ name: String) throws {
    let folder = try Folder()
    let leaf = String(folder.file.dropFirst("stock/".count))
    try folder.nest.larder.folder.write(
      try folder.text, to: "nest/stock/" + name.replacing("*", with: leaf))
    #expect(try folder.nest("stock").errors == "")
    #expect(try folder.items() == ["Bread": 1, "Milk": 4])
    #expect(try folder.nest("check").code == 0)
  }
}
