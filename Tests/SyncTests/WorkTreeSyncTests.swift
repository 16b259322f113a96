import Foundation
import LarderGit
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("What people have in their work tree when they sync")
struct WorkTreeSyncTests {
  let devices: Devices

  init() throws {
    devices = try Devices()
  }

  @Test("edited entities are adopted; an edited README that came anew as well stops the join")
  func dirty() throws {
    let (laptop, phone, milk) = try devices.pair()
    try laptop.write("one\n", to: "README.md")
    try laptop.git("add", "README.md")
    try laptop.git("commit", "-qm", "notes")
    #expect(try devices.settle(laptop, phone))
    try laptop.write("two\n", to: "README.md")
    try laptop.git("commit", "-qam", "more notes")
    try laptop.consume(milk, 1)
    try devices.sync(laptop)
    try phone.write("mine\n", to: "README.md")
    try phone.edit(milk, "Oat milk", "Oat drink")
    var adoptions = 0
    let error = #expect(throws: SyncError.self) {
      try Synchronizer(store: phone) { if case .adopted = $0 { adoptions += 1 } }.sync()
    }
    guard case .inTheWay(let files, _) = error else { throw error ?? SyncError.noCommit }
    #expect(files.map(\.path) == ["README.md"] && files.map(\.reason) == [.edited])
    #expect(adoptions == 1)
    #expect(try phone.text("README.md") == "mine\n")
    #expect(try phone.read().household[milk.key]?.name == "Oat drink")
    #expect(try Git.run(words: ["show", "HEAD:README.md"], in: phone.root) == "one\n")
    #expect(
      try Git.run(words: ["status", "--porcelain"], in: phone.root) == " M README.md\n")
    try phone.git("commit", "-qam", "mine")
    #expect(try devices.settle(phone, laptop))
    let item = try #require(try phone.read().household[milk.key])
    #expect(item.name == "Oat drink")
    #expect(item.quantity.value == Number(9))
    #expect(try Git.run(words: ["log", "-p", "--no-textconv"], in: phone.root).contains("+two"))
  }

  @Test("a plain file that the other side changed, added or removed comes along")
  func plainFilesComeAlong() throws {
    let (laptop, phone, milk) = try devices.pair()
    try laptop.write("one\n", to: "README.md")
    try laptop.write("old\n", to: "old.txt")
    try laptop.git("add", "README.md", "old.txt")
    try laptop.git("commit", "-qm", "notes")
    #expect(try devices.settle(laptop, phone))
    try laptop.write("two\n", to: "README.md")
    try laptop.write("photo", to: "photo.jpg")
    try laptop.git("rm", "-q", "old.txt")
    try laptop.git("add", "-A")
    try laptop.git("commit", "-qm", "more notes")
    try phone.consume(milk, 1)
    try devices.sync(laptop)
    try devices.sync(phone)
    #expect(try phone.text("README.md") == "two\n")
    #expect(try phone.text("photo.jpg") == "photo")
    #expect(!FileManager.default.fileExists(atPath: phone.root + "/old.txt"))
    #expect(try devices.settle(laptop, phone))
  }

  @Test("plain files changed on both sides are merged, or both stay under names alike")
  func plainFilesMeet() throws {
    var trees: Set<String> = []
    for isLaptopFirst in [true, false] {
      let devices = try Devices()
      let (laptop, phone, _) = try devices.pair()
      let lines = (1...9).map { "\($0)\n" }
      try laptop.write(lines.joined(), to: "far.txt")
      try laptop.write("start\n", to: "near.txt")
      try laptop.git("add", "-A")
      try laptop.git("commit", "-qm", "notes")
      #expect(try devices.settle(laptop, phone))
      try laptop.write((["first\n"] + lines.dropFirst()).joined(), to: "far.txt")
      try phone.write((lines.dropLast() + ["last\n"]).joined(), to: "far.txt")
      try laptop.write("laptop\n", to: "near.txt")
      try phone.write("phone\n", to: "near.txt")
      for store in [laptop, phone] { try store.git("commit", "-qam", "edit") }
      let (one, other) = isLaptopFirst ? (laptop, phone) : (phone, laptop)
      try devices.sync(one)
      let outcome = try devices.sync(other)
      #expect(outcome.conflicts.map(\.path) == ["near.txt"])
      #expect(try devices.settle(one, other))
      let second = try #require(outcome.conflicts.first?.second)
      #expect(
        try Set([laptop.text("near.txt"), laptop.text(second)]) == ["laptop\n", "phone\n"])
      #expect(try laptop.text("far.txt").hasPrefix("first\n"))
      #expect(try laptop.text("far.txt").hasSuffix("last\n"))
      trees.insert(
        try laptop.names().filter { !$0.hasSuffix(".json") }.joined(separator: " ")
          + laptop.text("near.txt"))
    }
    #expect(trees.count == 1)
  }

  @Test("a file saved while a sync is under way is not lost", arguments: [true, false])
  func savedMeanwhile(isForward: Bool) throws {
    let (laptop, phone, milk) = try devices.pair()
    try laptop.consume(milk, 1)
    try devices.sync(laptop)
    if !isForward { try phone.newItem("Bread", 1) }
    _ = try Synchronizer(store: phone) { event in
      guard case .joining = event else { return }
      do {
        try phone.edit(milk, "Oat milk", "Oat drink")
      } catch {
        Issue.record(error)
      }
    }
    .sync()
    #expect(try devices.settle(phone, laptop))
    let item = try #require(try laptop.read().household[milk.key])
    #expect(item.name == "Oat drink")
    #expect(item.quantity.value == Number(9))
  }

  @Test("plain commits that two devices fetch become the same commit on both")
  func adoptedAlike() throws {
    let (laptop, phone, milk) = try devices.pair()
    let tablet = try devices.join("tablet")
    try laptop.edit(milk, "Oat milk", "Oat drink")
    try laptop.write("{\"name\": \"Bread\", \"quantityInStock\": 2}\n", to: "stock/bread.json")
    try laptop.git("add", "-A")
    try laptop.git("commit", "-qm", "by hand")
    try laptop.git("push", "-q", "origin", "HEAD")
    for store in [phone, tablet] {
      try store.git("pull", "-q", "--ff-only")
      _ = try store.adopt()
    }
    _ = try laptop.adopt()
    #expect(try devices.commit(phone) == devices.commit(tablet))
    #expect(try devices.commit(phone) == devices.commit(laptop))
    #expect(try devices.settle(laptop, phone, tablet))
  }

  @Test("a second version that the other side has put beside the first already is there once")
  func secondVersionTwice() throws {
    let (laptop, phone, _) = try devices.pair()
    let tablet = try devices.join("tablet")
    // Of these two, the first has the smaller blob id and keeps the name.
    for (store, text) in [(laptop, "d\0"), (phone, "a\0"), (tablet, "a\0")] {
      try store.write(text, to: "photo.jpg")
      try store.git("add", "photo.jpg")
      try store.git("commit", "-qm", "the receipt by \(store.root)")
    }
    #expect(try devices.settle(laptop, phone, tablet))
    #expect(try laptop.text("photo.jpg") == "d\0")
    let others = try laptop.names().filter { $0.hasPrefix("photo.jpg.conflict-") }
    #expect(try others.map { try laptop.text(FilePath($0)) } == ["a\0"])
  }
}
