import Foundation
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import TestSupport
import Testing

/// Devices with clocks of their own around one bare remote.
struct Devices {
  let folder: Folder
  let clock = Clock()

  final class Clock: @unchecked Sendable {
    private var milliseconds: Int64 = 1_793_000_000_000
    func now() -> Instant {
      milliseconds += 1000
      return Instant(milliseconds: milliseconds)
    }
  }

  init() throws {
    folder = try Folder()
    try Git.run("init", "--bare", "-b", "main", folder("hub.git"), in: folder.path)
  }

  func context(_ device: String) -> StoreContext {
    StoreContext(now: { [clock] in clock.now() }, device: device)
  }

  func first(_ name: String) throws -> Store {
    let store = try Store.create(
      at: folder(name), name: "Home", timeZone: "Europe/London", currency: "GBP",
      program: "larder", context: context(name))
    try Git.run("remote", "add", "origin", folder("hub.git"), in: folder(name))
    return store
  }

  func join(_ name: String) throws -> Store {
    try Store.join(
      folder("hub.git"), into: folder(name), program: "larder", context: context(name))
  }

  @discardableResult
  func sync(_ store: Store) throws -> SyncOutcome { try Synchronizer(store: store).sync() }

  func tree(_ store: Store) throws -> String {
    try Git.run("rev-parse", "HEAD^{tree}", in: store.root)
  }
}

extension Store {
  @discardableResult
  func newItem(_ name: String, _ quantity: Int, full: Int = 0) throws -> Entity {
    try commit(as: "stock new") { edit, writer in
      let item = edit.new(
        .stockItem, [("name", .string(name)), ("quantityFullStock", Number(full).json)],
        by: writer)
      edit.put(item)
      if quantity > 0 {
        _ = try edit.count(Quantity(Number(quantity), .piece), of: item, by: writer)
      }
      return ("new \(name)", try #require(edit.after[item.key]))
    }.get().value
  }

  func consume(_ item: Entity, _ quantity: Int) throws {
    try commit(as: "stock use") { edit, writer in
      let current = try #require(edit.after[item.key])
      _ = try edit.take(Quantity(Number(quantity), .piece), from: current, by: writer)
      return ("consume", ())
    }.get().value
  }
}

@Suite("Two devices and one remote")
struct TwoDevicesTests {
  @Test("each uses one carton, and there are two fewer")
  func bothConsume() throws {
    let devices = try Devices()
    let laptop = try devices.first("laptop")
    let milk = try laptop.newItem("Oat milk", 2, full: 6)
    try devices.sync(laptop)
    let phone = try devices.join("phone")
    try laptop.consume(milk, 1)
    try phone.consume(milk, 1)
    try devices.sync(laptop)
    try devices.sync(phone)
    try devices.sync(laptop)
    #expect(try devices.tree(laptop) == devices.tree(phone))
    let household = try laptop.read().household
    #expect(household[milk.key]?.quantity.value == .zero)
    let entry = try #require(household[.shoppingListEntry, ShoppingEntry.id(of: milk)])
    #expect(entry.desired.value == Number(6))
    #expect(try Git.run("status", "--porcelain", in: laptop.root) == "")
    #expect(try Git.run("status", "--porcelain", in: phone.root) == "")
  }

  @Test("a hand edit of one and a plain commit of the other meet")
  func handEdits() throws {
    let devices = try Devices()
    let laptop = try devices.first("laptop")
    let milk = try laptop.newItem("Oat milk", 5)
    try devices.sync(laptop)
    let phone = try devices.join("phone")
    let path = try #require(try laptop.read().household.path(of: milk.key))
    let file = "\(laptop.root)/\(path)"
    var text = try String(contentsOfFile: file, encoding: .utf8)
    text = text.replacing("\"Oat milk\"", with: "\"Oat drink\"")
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try Git.run("commit", "-qam", "rename", in: laptop.root)
    let other = "\(phone.root)/\(path)"
    text = try String(contentsOfFile: other, encoding: .utf8)
    text = text.replacing("\"quantityInStock\": 5", with: "\"quantityInStock\": 3")
    try text.write(toFile: other, atomically: true, encoding: .utf8)
    try devices.sync(phone)
    try devices.sync(laptop)
    try devices.sync(phone)
    #expect(try devices.tree(laptop) == devices.tree(phone))
    let item = try #require(try phone.read().household[milk.key])
    #expect(item.name == "Oat drink")
    #expect(item.quantity.value == Number(3))
  }
}
