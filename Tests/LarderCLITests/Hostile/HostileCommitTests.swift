import TestSupport
import Testing

@Suite("Commits that git would not have written")
struct HostileCommitTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var author: String? = good
    var committer: String? = good

    static let good = "Mallory <mallory@example.org> 1795000000 +0000"
  }

  static let cases: [Case] = [
    Case(testDescription: "no author", author: nil),
    Case(testDescription: "no committer", committer: nil),
    Case(testDescription: "neither", author: nil, committer: nil),
    Case(
      testDescription: "dated 2^64 - 1", author: "M <m@example.org> 18446744073709551615 +0000",
      committer: "M <m@example.org> 18446744073709551615 +0000"),
    Case(testDescription: "after the year 9999", author: "M <m@example.org> 253402300800 +0000"),
  ]

  @Test(
    "are told and not followed; doctor takes them; later good ones are followed", arguments: cases)
  func malformed(_ one: Case) throws {
    let siege = try Siege()
    let pair = siege.pair
    let good = try siege.head()
    let note = try siege.trees.blob("note\n")
    let tree = try siege.trees.tree(
      "\(good)^{tree}", adding: .init(mode: "100644", name: "note.txt", id: note))
    let bad = try siege.push(
      siege.trees.commit(tree, on: good, author: one.author, committer: one.committer))
    let outcome = try pair("phone", "sync")
    #expect(outcome.code == 8)
    #expect(
      outcome.errors.contains("\(bad.prefix(7)) by somebody whose name or time can't be read"),
      "\(outcome.errors)")
    try pair.prepare("phone", "stock use milk 1", "status", "undo", "log")
    #expect(try pair("phone", "doctor").output.contains(bad.prefix(7)))
    try pair.prepare("phone", "doctor --fix", "doctor", "stock use tea 1")
    #expect(try pair.larder.folder.read("phone/note.txt") == "note\n")
    // The laptop, which has something of its own, meets a later commit on the bad one.
    let later = try siege.trees.tree(
      tree, adding: .init(mode: "100644", name: "later.txt", id: note))
    try siege.push(siege.trees.commit(later, on: bad))
    try pair.prepare("laptop", "stock use milk 1", "sync", "log", "undo", "doctor")
    try pair.settle()
    for device in ["laptop", "phone"] {
      #expect(try pair.larder.folder.read("\(device)/later.txt") == "note\n")
      #expect(try pair.total("Milk", on: device) == 4)
      #expect(try pair.total("Tea", on: device) == 1)
      try pair.prepare(device, "doctor", "log")
    }
  }

  @Test(
    "that say they are larder's and take out household.json, bring it back",
    arguments: [true, false])
  func forged(_ hasOwn: Bool) throws {
    let siege = try Siege()
    let pair = siege.pair
    let good = try siege.head()
    let tree = try siege.trees.tree("\(good)^{tree}", without: "household.json")
    let author = Case.good
    try siege.push(
      siege.trees.commit(
        tree, on: good, message: "sync\n\nLarder-Command: sync\nLarder-Device: phone",
        author: author, committer: author))
    if hasOwn { try pair.prepare("phone", "stock use milk 1") }
    try pair.prepare("phone", "sync", "stock", "doctor")
    try pair.settle()
    let name = try pair.output("laptop", "status")
    #expect(name.contains("Nest"))
    #expect(try pair.total("Milk") == (hasOwn ? 3 : 4))
  }
}
