import Foundation
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderSync
import TestSupport

/// Two or three devices around one bare remote that do at random what people do.
///
/// Everything follows from the seed; what went wrong is thrown with what was done before.
final class RandomDevices {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let seed: UInt64
  let folder: Folder
  var random: SeededGenerator
  var devices: [RandomDevice] = []
  /// What was done, for the message of a failure.
  private(set) var journal: [String] = []
  /// Ledger entries that commands have written, by entity.
  var entries: [EntityKey: [String: LedgerEntry]] = [:]
  var counter = 0

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    folder = try Folder()
    try Git.run(
      words: ["init", "--bare", "-b", "main", folder("hub.git")], in: folder.path)
    let count = random.happens(50) ? 2 : 3
    for name in ["laptop", "phone", "tablet"].prefix(count) { try addDevice(name) }
  }

  private func addDevice(_ name: String) throws {
    let offset = Int64.random(in: -6...6, using: &random) * 3_600_000
    let time = RandomDevice.Time(
      milliseconds: 1_790_000_000_000 + offset, seed: random.next())
    let context = StoreContext(now: { time.now() }, newID: { time.newID($0) }, device: name)
    let store: Store
    if devices.isEmpty {
      store = try Store.create(
        at: folder(name), name: "Home", timeZone: "Europe/London", currency: "GBP",
        program: "larder", context: context)
      try Git.run(words: ["remote", "add", "origin", folder("hub.git")], in: folder(name))
    } else {
      store = try Store.join(
        folder("hub.git"), into: folder(name), program: "larder", context: context)
    }
    try Git.run(words: ["config", "user.name", name], in: store.root)
    let device = RandomDevice(name, root: store.root, store: store, time: time)
    if random.happens(70) { store.repository?.gitProgram = nil }
    // Without the driver, git merges line by line.
    if random.happens(50) { try device.git("config", "--remove-section", "merge.larder") }
    devices.append(device)
    if devices.count == 1 { _ = try Synchronizer(store: store).sync() }
  }

  func run(steps: Int) throws {
    do {
      for _ in 0..<steps { try step() }
      try syncUntilQuiet()
      try checkEverything()
    } catch {
      throw Failure(
        description: """
          LARDER_SEED=\(seed): \(error)
          \(journal.suffix(80).joined(separator: "\n"))
          """)
    }
  }

  func note(_ device: RandomDevice, _ text: String) { journal.append("\(device.name): \(text)") }

  func fail(_ text: String) throws -> Never { throw Failure(description: text) }

  private func step() throws {
    let device = devices[Int.random(in: 0..<devices.count, using: &random)]
    if random.happens(5) {
      device.time.milliseconds += Int64.random(in: -5_000_000...5_000_000, using: &random)
    }
    switch Int.random(in: 0..<100, using: &random) {
    case ..<50: try command(on: device)
    case ..<72: try handEdit(on: device)
    case ..<80: try plainGit(on: device)
    default: try sync(device)
    }
  }

  func sync(_ device: RandomDevice) throws {
    note(device, "sync")
    // Somebody else may be first, between our look and our push.
    var forestalling =
      random.happens(15) ? devices.filter { $0 !== device }.randomElement(using: &random) : nil
    var failure: (any Error)?
    let synchronizer = Synchronizer(store: device.store) { event in
      guard case .pushing = event, let other = forestalling else { return }
      forestalling = nil
      self.note(other, "sync in between")
      do {
        _ = try Synchronizer(store: other.store).sync()
        try other.settleEdits()
      } catch {
        failure = error
      }
    }
    _ = try synchronizer.sync()
    if let failure { throw failure }
    try device.settleEdits()
  }

  private func syncUntilQuiet() throws {
    // Other files are left alone until somebody commits them.
    for device in devices where device.tryGit("add", "README.md") {
      _ = device.tryGit("commit", "-qm", "notes", "--", "README.md")
    }
    for _ in 0..<3 {
      for device in devices.shuffled(using: &random) { try sync(device) }
      let heads = try Set(devices.map { try $0.head })
      if heads.count == 1 { return }
    }
    try fail("not quiet after three rounds")
  }
}
