import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Merges made with plain git, without the driver")
struct PlainMergeTests {
  private func milk(_ quantity: Int = 5) throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home { key = try $0.newItem("Oat milk", quantity, full: 6) }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  private func pushed(_ home: Home, _ store: Store) throws {
    try home.git(store, "push", "-q", "origin", "main")
  }

  @Test("the same number from both sides is two counts, not an edit of the merge")
  func sameNumber() throws {
    let (home, milk, path) = try milk()
    for store in home.devices {
      try store.edit(path, "\"quantityInStock\": 5", "\"quantityInStock\": 3")
      try home.commitAll(store)
    }
    try pushed(home, home.laptop)
    try home.git(home.phone, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(3))
  }

  @Test("each used one carton: the number that both wrote gives way to the ledger of both")
  func bothConsume() throws {
    let (home, milk, path) = try milk()
    try home.laptop.consume(milk, 1)
    try home.phone.consume(milk, 1)
    try pushed(home, home.laptop)
    #expect(throws: Git.Failure.self) {
      try home.git(home.phone, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    }
    // Resolved as people do: the lines of both, the number that both show.
    let theirs = try Git.run("show", "origin/main:\(path)", in: home.phone.root)
    let line = try #require(theirs.split(separator: "\n").first { $0.contains("delta") })
    let ours = try Git.run("show", "HEAD:\(path)", in: home.phone.root)
    try home.phone.write(ours.replacing("\n  ]", with: ",\n\(line)\n  ]"), to: path)
    try home.commitAll(home.phone, "merge by hand")
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(3))
    #expect(try home.laptop.entity(milk).ledger.entries.count == 3)
  }

  @Test("a conflict that is committed unresolved loses no use, and is mended by hand")
  func committedConflict() throws {
    let (home, milk, path) = try milk()
    try home.laptop.consume(milk, 1)
    try home.phone.consume(milk, 1)
    try pushed(home, home.laptop)
    _ = try? home.git(home.phone, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    try home.commitAll(home.phone, "merge without looking")
    try home.settle(isClean: false)
    #expect(try home.laptop.read().household.untaken[path] != nil)
    #expect(try home.laptop.quantity(milk) == Number(3), "all that is known of it")
    try home.laptop.newItem("Soy milk", 2)
    #expect(throws: StoreError.self) { try home.laptop.consume(milk, 1) }
    let mended = try Git.run("show", "HEAD^2:\(path)", in: home.phone.root)
    try home.phone.write(mended, to: path)
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(3))
  }

  @Test(
    "a merge that keeps one side's file whole loses nothing of the other side",
    arguments: [["-s", "ours"], ["-X", "ours"], ["-X", "theirs"]])
  func oneSide(_ strategy: [String]) throws {
    let (home, milk, path) = try milk()
    try home.laptop.set("name", .string("Oat drink"), of: milk)
    try home.laptop.consume(milk, 1)
    try pushed(home, home.laptop)
    try home.phone.consume(milk, 2)
    let place = try home.phone.newLocation("Fridge")
    try home.git(home.phone, "fetch", "-q", "origin")
    try Git.run(
      ["merge", "-q", "--no-edit"] + strategy + ["origin/main"], in: home.phone.root,
      at: home.clock.gitDate())
    try home.settle()
    let item = try home.laptop.entity(milk)
    #expect(item.name == "Oat drink")
    #expect(item.quantity.value == Number(2))
    #expect(try home.laptop.entity(place).name == "Fridge")
    #expect(try home.laptop.path(milk) == path)
  }

  @Test(
    "a basket that both saved, one with a date, is counted once, whichever file git keeps",
    arguments: ["ours", "theirs"])
  func basket(_ kept: String) throws {
    var key: EntityKey?
    let home = try Home { store in
      key = try store.newItem("Oat milk", 5, full: 6)
      try store.fillBasket(with: try #require(key))
    }
    let milk = try #require(key)
    try home.laptop.saveBasket()
    try home.phone.saveBasket(until: Day("2027-01-31"))
    try pushed(home, home.laptop)
    try home.git(home.phone, "fetch", "-q", "origin")
    try home.git(
      home.phone, "merge", "-q", "--no-edit", "-X", kept, "origin/main")
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(5))
    let household = try home.laptop.read().household
    #expect(Stock(household).total(of: try home.laptop.entity(milk)) == Number(7))
    #expect(HouseholdCheck.findings(in: household, now: home.clock.now()).isEmpty)
  }

  @Test("a merge that drops what the other side made brings it back")
  func dropped() throws {
    let (home, _, _) = try milk()
    let soy = try home.laptop.newItem("Soy milk", 2)
    try pushed(home, home.laptop)
    try home.phone.newLocation("Fridge")
    try home.git(home.phone, "fetch", "-q", "origin")
    try home.git(home.phone, "merge", "-q", "--no-edit", "-s", "ours", "origin/main")
    try home.settle()
    #expect(try home.phone.quantity(soy) == Number(2))
    #expect(try !home.phone.entity(soy).isTombstone)
  }

  @Test("an edit made in the merge itself counts")
  func editInMerge() throws {
    let (home, milk, path) = try milk()
    try home.laptop.newItem("Soy milk", 2)
    try pushed(home, home.laptop)
    try home.phone.newLocation("Fridge")
    try home.git(home.phone, "fetch", "-q", "origin")
    try home.git(home.phone, "merge", "-q", "--no-commit", "origin/main")
    try home.phone.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.commitAll(home.phone, "merge and rename")
    try home.settle()
    #expect(try home.laptop.name(milk) == "Oat drink")
  }

  @Test("plain commits on both sides of a plain merge are adopted once, alike by both devices")
  func plainBoth() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.commitAll(home.laptop)
    try pushed(home, home.laptop)
    try home.phone.write(#"{"name": "Soy milk", "quantityInStock": 2}"#, to: "stock/soy.json")
    try home.commitAll(home.phone)
    try home.git(home.phone, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    try pushed(home, home.phone)
    try home.git(home.laptop, "pull", "-q", "--no-rebase", "--ff-only", "origin", "main")
    #expect(try home.laptop.adopt().commit == home.phone.adopt().commit)
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat drink")
    #expect(try home.laptop.item("Soy milk").quantity.value == Number(2))
  }

  @Test("one item under two names after a merge ends under the smaller one")
  func twoPaths() throws {
    let (home, milk, path) = try milk()
    try home.git(home.laptop, "mv", path.text, "stock/zebra.json")
    try home.git(home.laptop, "commit", "-qm", "rename")
    try pushed(home, home.laptop)
    try home.git(home.phone, "mv", path.text, "stock/alpha.json")
    try home.git(home.phone, "commit", "-qm", "rename")
    _ = try? home.git(home.phone, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    try home.phone.write(
      try Git.run("show", "HEAD:stock/alpha.json", in: home.phone.root), to: "stock/alpha.json")
    try home.phone.write(
      try Git.run("show", "HEAD:stock/alpha.json", in: home.phone.root), to: "stock/zebra.json")
    try home.commitAll(home.phone, "keep both names")
    try home.settle()
    #expect(try home.laptop.path(milk) == "stock/alpha.json")
    #expect(try home.laptop.names(in: "stock") == ["alpha.json"])
  }

  @Test("a removal on one side and a use on the other: it stays removed, the use is kept")
  func removedAndUsed() throws {
    let (home, milk, path) = try milk()
    try home.git(home.laptop, "rm", "-q", path.text)
    try home.git(home.laptop, "commit", "-qm", "remove")
    try pushed(home, home.laptop)
    try home.phone.consume(milk, 1)
    _ = try? home.git(home.phone, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    try home.git(home.phone, "add", "-A")
    try home.git(home.phone, "commit", "-qm", "keep the file")
    try home.settle()
    let item = try home.laptop.entity(milk)
    #expect(item.quantity.value == Number(4))
    #expect(item.isTombstone)
  }
}
