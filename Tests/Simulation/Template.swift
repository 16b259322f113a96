import Foundation
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import TestSupport

/// The initial folders of every simulation, copied from folders that are made once.
///
/// There are as many remotes and devices as the largest script needs. All have the same household,
/// which contains only a filled basket.
package final class Template {
  static let remotes = ["origin", "second", "third"]
  static let devices = ["laptop", "phone", "tablet", "kitchen", "mum", "office"]

  private let folder: Folder
  private var cloudTemplate: CloudTemplate?
  /// The folder in which simulations run, one at a time.
  let place: String

  package init() throws {
    folder = try Folder()
    place = folder("run")
    for remote in Self.remotes {
      try Git.run("init", "-q", "--bare", "-b", "main", folder("template/\(remote).git"), in: "/")
    }
    for (number, name) in Self.devices.enumerated() { try add(name, number) }
    for name in Self.devices.map({ $0 + "/.git" }) + Self.remotes.map({ $0 + ".git" }) {
      try? FileManager.default.removeItem(atPath: folder("template/\(name)/hooks"))
    }
  }

  private func add(_ name: String, _ number: Int) throws {
    let clock = DeviceClock(milliseconds: DeviceClock.start - 60_000, seed: UInt64(number))
    let context = StoreContext(
      now: { clock.now() }, newID: { clock.newID($0) }, device: name)
    let root = folder("template/\(name)")
    let first = folder("template/\(Self.remotes[0]).git")
    let store =
      number == 0
      ? try Store.create(
        at: root, name: "Home", timeZone: "Europe/London", currency: "GBP", program: "larder",
        context: context)
      : try Store.join(first, into: root, program: "larder", context: context)
    if number == 0 { try fillBasket(store) }
    guard let repository = store.repository else { throw Failure("no repository") }
    try repository.setConfiguration("user.name", name)
    try repository.setConfiguration("pack.threads", "1")
    for remote in Self.remotes {
      if try !repository.remotes().contains(remote) {
        try repository.addRemote(remote, url: "../\(remote).git")
      }
      try repository.setConfiguration("remote.\(remote).url", "../\(remote).git")
      _ = try Synchronizer(store: store).sync(remote: remote)
    }
  }

  /// Returns the initial state with a cloud, which is made on the first call.
  func cloud() throws -> CloudTemplate {
    if let known = cloudTemplate { return known }
    let context = StoreContext(now: { Instant(milliseconds: DeviceClock.start) })
    let store = try Store.open(from: folder("template/\(Self.devices[0])"), context: context)
    let made = try CloudTemplate(try store.read().household, in: folder("cloud"))
    cloudTemplate = made
    return made
  }

  private func fillBasket(_ store: Store) throws {
    try store.commit(as: "shop buy") { (edit, writer) throws(Never) in
      let item = edit.new(.stockItem, [("name", .string("Milk"))], by: writer)
      edit.put(item)
      edit.put(
        edit.new(
          .shoppingListEntry,
          [
            ("itemId", .string(item.id)), ("desiredQuantity", Number(2).json),
            ("unit", .string(item.unit.rawValue)), ("isCompleted", .bool(true)),
          ], by: writer))
      return ("put milk into the basket", ())
    }.get().value
  }

  /// Puts fresh remotes and devices in place.
  func layOut(_ script: Script) throws {
    try layOut(remotes: script.remotes, targets: Array(script.targets.prefix(script.devices)))
  }

  func layOut(remotes: Int, targets: [Script.SyncsWith]) throws {
    let files = FileManager.default
    if files.fileExists(atPath: place) { try files.removeItem(atPath: place) }
    try files.createDirectory(atPath: place, withIntermediateDirectories: true)
    for name in Self.remotes.prefix(remotes).map({ $0 + ".git" }) {
      try files.copyItem(atPath: folder("template/" + name), toPath: place + "/" + name)
    }
    for (name, target) in zip(Self.devices, targets) {
      let from = target.hasGit ? folder("template/" + name) : try cloud().devices + "/" + name
      try files.copyItem(atPath: from, toPath: place + "/" + name)
    }
  }
}
