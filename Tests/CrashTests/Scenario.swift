import Foundation
import TestSupport
import Testing

/// A command in a state of the world, which is to happen wholly or not at all.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String
  /// The folder in which the command runs, and the one of the household that it changes.
  let place: String
  let household: String
  let words: [String]
  /// Whether the command may run again after it has succeeded, and changes nothing then.
  let isRepeatable: Bool
  let prepare: @Sendable (World) throws -> Void

  var testDescription: String { name }

  init(
    _ name: String, _ words: String..., in place: String = "laptop", of household: String? = nil,
    isRepeatable: Bool = true, prepare: @escaping @Sendable (World) throws -> Void = { _ in }
  ) {
    self.name = name
    self.words = words
    self.place = place
    self.household = household ?? place
    self.isRepeatable = isRepeatable
    self.prepare = prepare
  }

  /// Whether git programs take part.
  var talksToRemote: Bool { ["sync", "join"].contains(words[0]) }

  static let all: [Scenario] = local + remote

  static let local = [
    Scenario(
      "the last of an item is used", "stock", "use", "Milk", "4", "--request-id", "breakfast"),
    Scenario(
      "a receipt is saved", "receipt", "save", "--shop", "Corner", "--amount", "5", "--line",
      "Milk=2@@1.10", "--line", "Bread=1@@2.80", "--id", "0192f0c4-0000-7000-8000-000000000001"),
    Scenario("edits, names and a new file are adopted", "adopt") { world in
      try world.edit("laptop", "stock/milk", "\"Milk\"", "\"Oat milk\"")
      try rename("stock/bread", to: "stock/deep/bread.json", in: world)
      try world.larder.folder.write("{\"name\": \"Rice\"}", to: "laptop/stock/rice.json")
      try remove("stock/salt", in: world)
    },
    Scenario("forty new files are adopted", "adopt") { world in
      for number in 10..<50 {
        let text = "{\"name\": \"Can \(number)\", \"quantityInStock\": 2}"
        try world.larder.folder.write(text, to: "laptop/stock/can-\(number).json")
      }
    },
    Scenario("a plain commit is adopted that says all already", "adopt") { world in
      try rename("stock/bread", to: "stock/deep/bread.json", in: world)
      try Git.run("add", "-A", in: world.root("laptop"))
      try Git.run("commit", "-qm", "by hand", in: world.root("laptop"), at: world.larder.now)
    },
    Scenario("a use is undone", "undo", isRepeatable: false) { world in
      try world.prepare("laptop", "stock", "use", "Milk", "4")
    },
  ]

  static let remote = [
    Scenario("a sync joins", "sync") { world in
      try world.prepare("phone", "stock", "use", "Milk", "1")
      try world.prepare("phone", "sync")
      try world.prepare("laptop", "stock", "use", "Milk", "2")
    },
    Scenario("a sync only receives", "sync") { world in
      try world.prepare("phone", "stock", "use", "Milk", "4")
      try remove("stock/salt", in: world, of: "phone")
      try world.prepare("phone", "stock", "new", "Tea", "--in-stock", "9")
      try world.prepare("phone", "sync")
    },
    Scenario(
      "a device joins", "join", "hub.git", "tablet", in: "", of: "tablet", isRepeatable: false),
  ]

  /// A disk that fails is named as what is left to be done, rather than as an error.
  static let setUp = Scenario("a device is set up that a plain clone made", "doctor", "--fix") {
    world in
    let root = world.root("laptop")
    try Git.run("config", "--unset", "larder.device", in: root)
    try Git.run("config", "--remove-section", "merge.larder", in: root)
    try Git.run("rm", "-q", ".gitattributes", in: root)
    try Git.run("commit", "-qm", "by hand", in: root, at: world.larder.now)
  }

  /// Not wholly or not at all: what lies there is adopted after the household is made.
  static let start = Scenario(
    "a household starts where files lie", "init", "nest", "--name", "Nest", "--time-zone", "UTC",
    in: "", of: "nest", isRepeatable: false
  ) { world in
    try world.larder.folder.write("mine", to: "nest/notes.txt")
    try world.larder.folder.write(
      "{\"name\": \"Tea\", \"quantityInStock\": 2}", to: "nest/stock/tea.json")
  }

  private static func rename(_ start: String, to path: String, in world: World) throws {
    let files = FileManager.default
    let target = world.root("laptop") + "/" + path
    try files.createDirectory(
      atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try files.moveItem(
      atPath: world.root("laptop") + "/" + (try world.path("laptop", start)), toPath: target)
  }

  private static func remove(_ start: String, in world: World, of place: String = "laptop") throws {
    try FileManager.default.removeItem(
      atPath: world.root(place) + "/" + (try world.path(place, start)))
  }
}
