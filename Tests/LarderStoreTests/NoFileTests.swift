import Foundation
import HomeSupport
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("What is no file, and households that are none")
struct NoFileTests {
  private func milk(alone: Bool = true) throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home(alone: alone) { key = try $0.newItem("Oat milk", 5, full: 6) }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  @Test(
    "symbolic links, dangling ones, folders and pipes named like files of ours",
    .timeLimit(.minutes(10)))
  func noFiles() throws {
    let (home, milk, path) = try milk(alone: false)
    let stock = home.laptop.root + "/stock/"
    let files = FileManager.default
    try home.laptop.write(#"{"name": "Outside"}"#, to: "outside.json")
    try files.createSymbolicLink(
      atPath: stock + "link.json", withDestinationPath: "../outside.json")
    try files.createSymbolicLink(atPath: stock + "dangling.json", withDestinationPath: "nowhere")
    try files.createDirectory(atPath: stock + "folder.json", withIntermediateDirectories: false)
    try home.laptop.write(#"{"name": "Inside"}"#, to: "stock/folder.json/inside.json")
    #expect(mkfifo(stock + "pipe.json", 0o600) == 0)
    let household = try home.laptop.read().household
    #expect(
      Set(household.untaken.keys)
        == ["stock/link.json", "stock/dangling.json", "stock/pipe.json", "stock/folder.json"])
    #expect(household.all(.stockItem).map(\.key) == [milk])
    try home.laptop.consume(milk, 1)
    try home.commitAll(home.laptop, "links")
    try home.phone.consume(milk, 1)
    // Nobody else is to have links among the household's files.
    #expect(throws: SyncError.self) { try home.sync(home.laptop) }
    try home.laptop.mend(home.laptop.damage())
    for name in ["link.json", "dangling.json"] {
      #expect(!home.laptop.exists("stock/\(name)"))
      #expect(try home.git(home.laptop, "log", "--oneline", "--", "stock/\(name)") != "")
    }
    try home.laptop.removeFile("stock/folder.json")
    try home.settle(isClean: false)
    #expect(try home.phone.quantity(milk) == Number(3))
    #expect(try home.laptop.status() == "")
    // In place of a file that was there.
    try home.laptop.removeFile(path)
    #expect(mkfifo("\(home.laptop.root)/\(path)", 0o600) == 0)
    let error = try #require(throws: StoreError.self) { try home.laptop.consume(milk, 1) }
    guard case .untaken = error else {
      Issue.record("\(error)")
      return
    }
    try home.phone.consume(milk, 1)
    try home.sync(home.phone)
    try home.sync(home.laptop)
    #expect(try home.laptop.quantity(milk) == Number(2))
    try home.laptop.removeFile(path)
    try home.git(home.laptop, "checkout", "-q", "--", path.text)
    try home.settle(isClean: false)
  }

  @Test("household.json as a pipe does not hang", .timeLimit(.minutes(10)))
  func pipeForHousehold() throws {
    let (home, _, _) = try milk()
    try home.laptop.removeFile("household.json")
    #expect(mkfifo(home.laptop.root + "/household.json", 0o600) == 0)
    let store = try home.opened(home.laptop)
    #expect(try store.read().household.untaken["household.json"] != nil)
    #expect(throws: StoreError.self) { try store.newItem("Tea") }
  }

  @Test("a file that may not be read", .enabled(if: geteuid() != 0))
  func forbidden() throws {
    let (home, milk, path) = try milk(alone: false)
    chmod("\(home.laptop.root)/\(path)", 0)
    #expect(try home.laptop.read().household.untaken[path] != nil)
    try home.laptop.newItem("Tea", 1)
    try home.phone.consume(milk, 1)
    try home.sync(home.phone)
    try home.sync(home.laptop)
    #expect(throws: StoreError.self) { try home.laptop.consume(milk, 1) }
    chmod("\(home.laptop.root)/\(path)", 0o644)
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(4))
  }

  @Test("a household of a newer format is read, never written", arguments: [false, true])
  func newerFormat(_ commits: Bool) throws {
    let (home, milk, _) = try milk(alone: false)
    try home.laptop.edit("household.json", "\"format\": 1", "\"format\": 2")
    if commits { try home.commitAll(home.laptop) }
    let head = try home.laptop.head()
    #expect(try home.laptop.quantity(milk) == Number(5))
    for write in [{ _ = try home.laptop.consume(milk, 1) }, { _ = try home.laptop.adopt() }] {
      let error = try #require(throws: StoreError.self) { try write() }
      guard case .newerFormat("2") = error else {
        Issue.record("\(error)")
        continue
      }
    }
    #expect(try home.laptop.head() == head)
    guard commits else { return }
    try home.git(home.laptop, "push", "-q", "origin", "main")
    try home.phone.consume(milk, 1)
    let error = #expect(throws: (any Error).self) { try home.sync(home.phone) }
    #expect("\(error as Any)".contains("newerFormat"), "\(error as Any)")
    #expect(try home.phone.quantity(milk) == Number(4))
  }

  @Test("a broken household.json stops writing with its mistakes, and mended it is as before")
  func brokenHousehold() throws {
    let (home, milk, _) = try milk(alone: false)
    let text = try home.laptop.text("household.json")
    try home.laptop.write("{", to: "household.json")
    let error = try #require(throws: StoreError.self) { try home.laptop.consume(milk, 1) }
    guard case .untaken("household.json", _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(try home.laptop.quantity(milk) == Number(5))
    try home.laptop.write(text, to: "household.json")
    try home.laptop.consume(milk, 1)
    try home.settle()
  }

  @Test("a folder with no household.json at all is no household")
  func noHousehold() throws {
    let folder = try Folder()
    let home = try Home(alone: true)
    try Git.run("init", "-q", folder("empty"), in: folder.path)
    try folder.write("{}", to: "empty/stock/tea.json")
    let error = try #require(throws: StoreError.self) {
      _ = try Store.open(from: folder("empty"), context: home.context("x"))
    }
    guard case .notAHousehold = error else {
      Issue.record("\(error)")
      return
    }
  }
}
