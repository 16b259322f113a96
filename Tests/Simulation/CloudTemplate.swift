import Foundation
import LarderCloud
import LarderGit
import LarderJSON
import LarderModel
import LarderStore

/// A project with a household, and devices that got it from there, so no two have a common commit.
final class CloudTemplate {
  private(set) var tables: CloudTables
  /// The folder of the devices.
  let devices: String
  private let file: CredentialsFile

  init(_ household: Household, in folder: String) throws {
    tables = CloudTables()
    tables.fill(from: household)
    devices = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    file = CredentialsFile(folder: folder + "/signed-in")
    let clock = DeviceClock(milliseconds: DeviceClock.start - 30_000, seed: 99)
    let model = CloudModel(tables, clock: clock, cap: nil, hasNews: true)
    let session = try session(model)
    try waited { try await session.signIn(email: "ada@example.org", password: Secret("word")) }
    guard let own = household.own else { throw Failure("no household") }
    for (number, name) in Template.devices.enumerated() { try add(name, number, own, model) }
  }

  /// Returns the session of the signed-in user, who is the same on all devices.
  func session(_ model: CloudModel) throws -> Session {
    Session(
      project: try CloudProject(url: CloudModel.url, key: "anon"), file: file,
      transport: model.transport, version: "simulation", now: { Instant(milliseconds: 0) })
  }

  private func add(_ name: String, _ number: Int, _ own: Entity, _ model: CloudModel) throws {
    let clock = DeviceClock(milliseconds: DeviceClock.start - 20_000, seed: UInt64(50 + number))
    let context = StoreContext(now: { clock.now() }, newID: { clock.newID($0) }, device: name)
    let root = devices + "/" + name
    nonisolated(unsafe) let store = try Store.create(
      at: root, of: own, program: "larder", context: context)
    try store.repository?.setConfiguration("user.name", name)
    let client = RestClient(
      session: try session(model), transport: model.transport, version: "simulation",
      now: { clock.now() })
    let sync = CloudSync(store, client: client, now: { clock.now() })
    _ = try waited { try await sync.pull() }
    let hooks = root + "/.git/hooks"
    if FileManager.default.fileExists(atPath: hooks) {
      try FileManager.default.removeItem(atPath: hooks)
    }
  }
}

/// Waits for asynchronous work on other threads; a simulation has only one.
func waited<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
  nonisolated(unsafe) var result: Result<Value, any Error>?
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    done.signal()
  }
  done.wait()
  guard let result else { throw Failure("nothing came of waiting") }
  return try result.get()
}
