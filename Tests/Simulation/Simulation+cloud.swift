import LarderCloud
import LarderJSON
import LarderModel
import LarderStore
import TestSupport

/// Actions with the cloud.
extension Simulation {
  /// Pulls or pushes, with a possible fault of the connection or the device.
  func exchange(
    _ device: Device, _ action: Action, _ fault: Fault?, _ random: inout SeededGenerator
  ) throws {
    guard let cloud, device.target.hasCloud else {
      return try sync(device, remote: random.pick(remotes) ?? "origin", fault, &random)
    }
    let trouble = random.happens(30) ? random.pick(CloudModel.Fault.allCases) : nil
    let words = [fault.map { "\($0)" }, trouble.map { "\($0)" }].compactMap(\.self)
    note(device, ([action.rawValue] + words).joined(separator: ", "))
    cloud.begin(trouble, at: random.number(1...(cloud.hasNews ? 4 : 10)))
    defer { cloud.begin(nil, at: 0) }
    let limit = action == .push && random.happens(20) ? random.number(1...3) : nil
    let operations: Set<PendingOperation>? =
      action == .push && random.happens(20)
      ? Set(PendingOperation.allCases.filter { _ in random.happens(50) }) : nil
    let repetitions = random.happens(30) ? 2 : 0
    var failure: CloudError?
    let isDone = try perform(device, fault, &random) {
      failure = nil
      let sync = try cloudSync(device, cloud, repetitions: repetitions)
      do {
        try waited {
          if action == .pull { return _ = try await sync.pull() }
          _ = try await sync.push(limit: limit, operations: operations)
        }
      } catch let error as CloudError where cloud.hasFailed {
        failure = error
      }
    }
    if let failure { note(device, "  which failed: \(failure)") }
    guard isDone, failure == nil else { return }
    // A pull without news does not adopt edits by hand.
    if action == .push { try observe(device) } else { try acknowledge(device) }
  }

  private func cloudSync(_ device: Device, _ cloud: CloudModel, repetitions: Int = 0) throws
    -> CloudSync
  {
    let clock = device.clock
    let client = RestClient(
      session: try template.cloud().session(cloud), transport: cloud.transport,
      retries: RetryPolicy(repetitions: repetitions, sleep: { _ in }, random: { 0 }),
      version: "simulation", now: { clock.now() })
    nonisolated(unsafe) let store = try device.another()
    return CloudSync(store, client: client, now: { clock.now() })
  }

  /// Records the device's commit without checking edits by hand.
  private func acknowledge(_ device: Device) throws {
    let head = try device.head
    if device.acknowledged.last != head { device.acknowledged.append(head) }
    try record.read(head, in: device.repository)
  }

  /// Fetches and sends everything, without faults.
  func exchangeAll(_ device: Device) throws {
    guard let cloud else { return }
    let sync = try cloudSync(device, cloud)
    let refused = try waited {
      let first = try await sync.pull().refused.map { "\($0.table) \($0.reason)" }
      let sent = try await sync.push().failed.map(\.errorMessage)
      return try await first + sent + sync.pull().refused.map { "\($0.table) \($0.reason)" }
    }
    try expect(refused.isEmpty, "\(device.name) and the cloud refuse \(refused)")
    try observe(device)
  }

  /// Exchanges during another action, which may hold a lock.
  func exchangeMeanwhile(_ device: Device) throws {
    note(device, "  meanwhile pull and push")
    do {
      try exchangeAll(device)
    } catch  where Simulation.isPassing(error) || error is CloudError {
      note(device, "  which failed: \(error)")
    }
  }

  /// Returns a difference between a device and the cloud, in words; nil if there is none.
  func cloudDifference() throws -> String? {
    guard let there = cloud?.tables.household else { return nil }
    for device in devices where device.target.hasCloud {
      let household = try device.store.read().household
      for key in Set(household.keys).union(there.keys).sorted(by: EntityKey.precedes)
      where household[key] != there[key] || household[key]?.fileBytes != there[key]?.fileBytes {
        return "\(device.name) has \(text(household[key])), and the cloud \(text(there[key]))"
      }
    }
    return nil
  }

  /// Checks that devices and cloud are equal, and that nothing more is sent or fetched.
  func checkCloud() throws {
    guard let cloud else { return }
    if let difference = try cloudDifference() { throw Failure(difference) }
    for device in devices where device.target.hasCloud {
      // Changes that came by git must be recorded as known to the cloud.
      let (version, head) = (cloud.tables.version, try device.head)
      try exchangeAll(device)
      try expect(cloud.tables.version == version, "\(device.name) echoes into the cloud")
      try expect(try device.head == head, "\(device.name) commits what it has")
      let requests = cloud.requestCount
      let sync = try cloudSync(device, cloud)
      let waiting = try waited {
        _ = try await sync.pull()
        _ = try await sync.push()
        return try await sync.pendingState().waiting
      }
      try expect(waiting.isEmpty, "\(waiting) is pending on \(device.name)")
      try expect(cloud.tables.version == version, "\(device.name) echoes into the cloud")
      try expect(try device.head == head, "\(device.name) commits where nothing is new")
      let count = cloud.requestCount - requests
      // Without the function, whose lack is told first, each kind has a table of its own.
      let most = cloud.hasNews ? 1 : CloudTable.all.count + 2
      try expect(
        count <= most, "\(device.name) makes \(count) requests where nothing is new, not \(most)")
    }
  }

  private func text(_ entity: Entity?) -> String {
    entity.map { String(decoding: $0.fileBytes, as: UTF8.self) } ?? "nothing"
  }
}

/// The writes of a client that knows neither ledgers nor stamps.
extension Simulation {
  func writePlainly(_ random: inout SeededGenerator) throws {
    guard let cloud else { return }
    figures.plainWrites += 1
    var words = ""
    cloud.write { tables, now in
      let late = now.adding(milliseconds: -Int64(random.number(0...20_000_000)))
      let claimed =
        random.happens(40) ? late : random.happens(10) ? now.adding(milliseconds: 10_000_000) : nil
      words = write(&tables, at: claimed, now: now, &random)
    }
    note("plain client", words)
  }

  private func write(
    _ tables: inout CloudTables, at claimed: Instant?, now: Instant,
    _ random: inout SeededGenerator
  ) -> String {
    func one(_ kinds: [Kind]) -> Entity? {
      let all = kinds.flatMap { tables.household.all($0) }
      return random.pick(all.sorted { EntityKey.precedes($0.key, $1.key) })
    }
    let fields: [(name: String, value: JSON?)]
    let entity: Entity?
    switch random.number(0...5) {
    case 0, 1:
      guard let item = one([.stockItem, .inventoryItem]) else { return "nothing" }
      let number = Number(random.number(0...4))
      tables.count(item.key, number, at: claimed, now: now)
      return "counts \(number) of \(item.title), as of \(claimed.map { "\($0)" } ?? "now")"
    case 2:
      let clock = cloud?.clock
      var new = Entity(
        .shoppingListEntry, id: clock?.newID(now) ?? "", createdAt: min(claimed ?? now, now))
      new.write("name", .string("Plain \(number)"), at: new.createdAt)
      // It also writes the columns' defaults.
      let defaults: [(String, JSON)] = [
        ("desiredQuantity", .number("1")), ("unit", .string("piece")),
        ("isCompleted", .bool(false)), ("isDeleted", .bool(false)),
      ]
      if random.happens(70) { new.write("userId", .string(new.id), at: new.createdAt) }
      for (name, value) in defaults { new.write(FieldName(name), value, at: new.createdAt) }
      tables.insert(new)
      return "adds \(new.title)"
    case 3:
      entity = one(Kind.allCases.filter { $0 != .household })
      fields = entity?.deletion ?? []
    case 4:
      entity = one([.shoppingListEntry])
      fields = [("isCompleted", .bool(random.happens(50))), ("note", .string("plain \(number)"))]
    default:
      entity = one(Kind.allCases)
      fields = entity.map { [($0.kind.textField, .string("Plainly \(number)"))] } ?? []
    }
    guard let entity else { return "nothing" }
    tables.update(entity.key, fields, at: claimed, now: now)
    let text = fields.map { "\($0.name) \($0.value.map { "\($0)" } ?? "gone")" }
    return "writes \(text) to \(entity.title), as of \(claimed.map { "\($0)" } ?? "now")"
  }
}

extension Entity {
  /// The fields that mark the entity as deleted.
  fileprivate var deletion: [(name: String, value: JSON?)] {
    switch kind {
    case .household: []
    case .inventoryItem:
      self["status"] == .string("archived") ? [] : [("status", .string("discarded"))]
    case .shoppingListEntry, .receipt: [("isDeleted", .bool(true))]
    default: [("isArchived", .bool(true))]
    }
  }
}
