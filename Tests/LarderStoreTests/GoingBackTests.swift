import Foundation
import HomeSupport
import LarderJSON
import LarderModel
import LarderStore
import LarderText
import Testing
import TestSupport

@Suite("Going back in time with git and with editors")
struct GoingBackTests {
  private func milk(_ quantity: Int = 5) throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home { key = try $0.newItem("Oat milk", quantity, full: 6) }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  @Test("git revert of a use does nothing, and says so")
  func revertConsume() throws {
    let (home, milk, path) = try milk()
    try home.laptop.consume(milk, 1)
    try home.git(home.laptop, "revert", "--no-edit", "HEAD")
    #expect(try home.laptop.read().notes == [.stale(path: path, fields: ["changes"])])
    #expect(try home.laptop.quantity(milk) == Number(4))
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(4))
  }

  @Test("git revert of a stamped edit does nothing, and says so")
  func revertStamped() throws {
    let (home, milk, path) = try milk()
    try home.laptop.set("name", .string("Oat drink"), of: milk)
    try home.git(home.laptop, "revert", "--no-edit", "HEAD")
    #expect(try home.laptop.read().notes == [.stale(path: path, fields: ["name"])])
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat drink")
  }

  @Test("git revert of a plain commit takes effect, before and after it was adopted")
  func revertPlain() throws {
    for adoptsFirst in [false, true] {
      let (home, milk, path) = try milk()
      try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
      try home.commitAll(home.laptop)
      let plain = try home.laptop.head()
      if adoptsFirst { _ = try home.laptop.adopt() }
      try home.git(home.laptop, "revert", "--no-edit", plain)
      try home.settle()
      #expect(try home.phone.name(milk) == "Oat milk", "adopted first: \(adoptsFirst)")
    }
  }

  @Test("git checkout OLD -- FILE is a stale version: what is known stands")
  func checkoutFile() throws {
    let (home, milk, path) = try milk()
    try home.laptop.set("name", .string("Oat drink"), of: milk)
    try home.laptop.consume(milk, 2)
    try home.git(home.laptop, "checkout", "-q", "HEAD~2", "--", path.text)
    #expect(
      try home.laptop.read().notes == [.stale(path: path, fields: ["changes", "name"])])
    let adopted = try home.laptop.adopt()
    #expect(adopted.adoption?.notes == [.stale(path: path, fields: ["changes", "name"])])
    #expect(try home.laptop.status() == "", "the file and the index are as they were")
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat drink")
    #expect(try home.phone.quantity(milk) == Number(3))
  }

  @Test("a stale editor buffer saved after a sync changes nothing")
  func staleBuffer() throws {
    let (home, milk, path) = try milk()
    let buffer = try home.laptop.text(path)
    try home.phone.set("name", .string("Oat drink"), of: milk)
    try home.phone.consume(milk, 2)
    try home.settle()
    try home.laptop.write(buffer, to: path)
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat drink")
    #expect(try home.phone.quantity(milk) == Number(3))
  }

  @Test("of a stale editor buffer with an edit in it, the edit alone counts")
  func staleBufferWithEdit() throws {
    let (home, milk, path) = try milk()
    let buffer = try home.laptop.text(path)
    try home.phone.set("name", .string("Oat drink"), of: milk)
    try home.phone.consume(milk, 2)
    try home.settle()
    try home.laptop.write(
      buffer.replacing("\"quantityFullStock\": 6", with: "\"quantityFullStock\": 12"), to: path)
    try home.settle()
    let item = try home.phone.entity(milk)
    #expect(item.name == "Oat drink")
    #expect(item.quantity.value == Number(3))
    #expect(item.fullStock == Number(12))
  }

  @Test("a stale editor buffer with another number in it is a count of now")
  func staleBufferWithNumber() throws {
    let (home, milk, path) = try milk()
    let buffer = try home.laptop.text(path)
    try home.phone.consume(milk, 2)
    try home.settle()
    try home.laptop.write(
      buffer.replacing("\"quantityInStock\": 5", with: "\"quantityInStock\": 1"), to: path)
    try home.settle()
    #expect(try home.phone.quantity(milk) == Number(1))
  }

  @Test("an old branch: work there comes back by a sync of the main branch")
  func oldBranch() throws {
    let (home, milk, path) = try milk()
    let old = try home.laptop.head()
    try home.laptop.set("name", .string("Oat drink"), of: milk)
    try home.git(home.laptop, "checkout", "-q", "-b", "holiday", old)
    #expect(try home.laptop.name(milk) == "Oat milk")
    try home.laptop.consume(milk, 1)
    try home.laptop.edit(path, "\"quantityFullStock\": 6", "\"quantityFullStock\": 9")
    try home.commitAll(home.laptop)
    try home.git(home.laptop, "checkout", "-q", "main")
    #expect(try home.laptop.name(milk) == "Oat drink")
    try home.git(home.laptop, "merge", "-q", "--no-edit", "-X", "ours", "holiday")
    try home.settle()
    let item = try home.phone.entity(milk)
    #expect(item.name == "Oat drink")
    #expect(item.quantity.value == Number(4))
    #expect(item.fullStock == Number(9))
  }

  @Test("git stash takes an edit away, stash pop brings it back, commands in between or not")
  func stash() throws {
    for usesBetween in [false, true] {
      let (home, milk, path) = try milk()
      try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
      try home.git(home.laptop, "stash", "-q")
      #expect(try home.laptop.name(milk) == "Oat milk")
      if usesBetween { try home.laptop.consume(milk, 1) }
      try home.git(home.laptop, "stash", "pop", "-q")
      #expect(try home.laptop.name(milk) == "Oat drink")
      try home.settle()
      #expect(try home.phone.name(milk) == "Oat drink")
      #expect(try home.phone.quantity(milk) == (usesBetween ? Number(4) : Number(5)))
    }
  }

  @Test("an edit amended into a commit of Larder's counts as an edit")
  func amend() throws {
    let (home, milk, path) = try milk()
    try home.laptop.consume(milk, 1)
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.laptop.edit(path, "\"quantityInStock\": 4", "\"quantityInStock\": 2")
    try home.git(home.laptop, "commit", "-qa", "--amend", "--no-edit")
    #expect(try home.laptop.name(milk) == "Oat drink")
    #expect(try home.laptop.quantity(milk) == Number(2))
    try home.phone.set("category", .string("Dairy"), of: milk)
    try home.settle()
    let item = try home.phone.entity(milk)
    #expect(item.quantity.value == Number(2))
    #expect(item.name == "Oat drink")
    let created = item.createdAt
    #expect(item.register("name")?.stamp ?? created > created)
  }

  @Test("amending a commit that was synced already loses neither version")
  func amendSynced() throws {
    let (home, milk, path) = try milk()
    try home.laptop.consume(milk, 1)
    try home.settle()
    try home.phone.consume(milk, 1)
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.git(home.laptop, "commit", "-qa", "--amend", "--no-edit")
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat drink")
    #expect(try home.phone.quantity(milk) == Number(3))
  }

  @Test("amending a plain commit after it was adopted and synced loses nothing")
  func amendPlain() throws {
    let (home, milk, path) = try milk()
    try home.laptop.edit(path, "\"Oat milk\"", "\"Oat drink\"")
    try home.commitAll(home.laptop)
    let plain = try home.laptop.head()
    try home.settle()
    try home.git(home.laptop, "reset", "-q", "--hard", plain)
    try home.laptop.edit(path, "\"quantityFullStock\": 6", "\"quantityFullStock\": 9")
    try home.git(home.laptop, "commit", "-qa", "--amend", "--no-edit")
    try home.settle()
    #expect(try home.phone.name(milk) == "Oat drink")
    #expect(try home.phone.entity(milk).fullStock == Number(9))
  }

  @Test("a rebase of Larder's commits onto another device's keeps both uses")
  func rebase() throws {
    let (home, milk, _) = try milk()
    let soy = try home.laptop.newItem("Soy milk", 3)
    try home.settle()
    try home.laptop.consume(milk, 1)
    try home.git(home.laptop, "push", "-q", "origin", "main")
    try home.phone.consume(soy, 1)
    try home.git(home.phone, "pull", "-q", "--rebase", "origin", "main")
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(4))
    #expect(try home.laptop.quantity(soy) == Number(2))
  }

  @Test("git reset to an older commit: the next sync brings everything back")
  func reset() throws {
    let (home, milk, _) = try milk()
    try home.laptop.consume(milk, 1)
    try home.settle()
    try home.git(home.laptop, "reset", "-q", "--hard", "HEAD~1")
    #expect(try home.laptop.quantity(milk) == Number(5))
    try home.settle()
    #expect(try home.laptop.quantity(milk) == Number(4))
  }
}
