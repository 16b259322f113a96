internal import LarderCloud
internal import LarderJSON
public import LarderModel
internal import LarderStore

/// How the syncs of this device with one target went.
public struct SyncStanding: Sendable, Hashable {
  /// What keeps a household from syncing.
  public struct Failure: Sendable, Hashable {
    /// One line without a full stop, in the words of the program that tried to sync.
    public let reason: String
    /// The first failure since the last sync that succeeded; nil if no sync was tried.
    public let began: Instant?
    /// Whether it is usually over by itself, as without a network.
    public let isPassing: Bool
  }

  public let target: SyncTarget
  /// Whether this device syncs with it; not with the project if the household stays local.
  public let isOn: Bool
  /// The last sync that succeeded, both ways; nil if none did.
  public let lastSync: Instant?
  /// Why the household is not synced now; nil if nothing is known to stand in the way.
  public let failure: Failure?
}

/// A target that a household syncs with.
public enum SyncTarget: String, Sendable, CaseIterable {
  case git
  case cloud
}

extension Larder {
  /// How the syncs went with each target that there is; makes no request.
  public func syncStandings() throws -> [SyncStanding] {
    let records = try SyncRecords(of: store)
    var standings: [SyncStanding] = []
    if try !remotes.isEmpty { standings.append(records.standing(with: .git)) }
    if try store.cloudURL != nil {
      standings.append(
        try store.isOn(.localOnly)
          ? records.standing(with: .cloud, isOn: false)
          : records.standing(with: .cloud, besides: obstacleOfCloud))
    }
    return standings
  }

  /// What keeps the project out of reach before any request; nil if nothing does.
  private var obstacleOfCloud: (any Error)? {
    do {
      return try CloudConnection.signedIn(of: store, context) == nil ? CloudError.notSignedIn : nil
    } catch {
      return error
    }
  }

  /// Returns the failures of syncs that were not told yet; from now on they are.
  public func takeUntoldSyncFailures() throws -> [SyncStanding] {
    var records = try SyncRecords(of: store)
    guard SyncTarget.allCases.contains(where: records.isUntold) else { return [] }
    let untold = try syncStandings().filter { records.isUntold($0.target) }
    for standing in untold { records.tell(standing.target) }
    try records.save(in: store)
    return untold
  }

  /// Keeps what came of a sync; nil for one that succeeded.
  ///
  /// `isTold` says whether somebody waited for it, and `isWhole` whether it was both ways.
  func noteSync(
    _ target: SyncTarget, _ failure: (any Error)?, isTold: Bool = true, isWhole: Bool = true
  ) {
    SyncRecords.note(
      target, failure, isTold: isTold, isWhole: isWhole, in: store, at: context.now())
  }

  /// Keeps what came of the project's part in a sync; nil if it had none.
  func noteSync(_ outcome: CloudOutcome?, isTold: Bool = true) {
    guard let outcome else { return }
    noteSync(
      .cloud, outcome.failure ?? outcome.offline.map { CloudError.offline($0.reason) },
      isTold: isTold)
  }
}

/// What is known of the syncs with each target, in `.git/larder/syncs.json`.
struct SyncRecords {
  private struct Record {
    /// The project's address; nil for git.
    var project: String?
    var lastSync: Instant?
    var failure: SyncStanding.Failure?
    var isTold = false
  }

  private static let file = "syncs.json"
  /// A success that is younger than this is not written again, in milliseconds.
  private static let rest: Int64 = 60_000

  private var records: [SyncTarget: Record] = [:]

  /// Reads the records; what was stored for another project, or can't be read, counts for nothing.
  init(of store: Store) throws(StoreError) {
    guard let bytes = try store.deviceFile(Self.file), let json = try? JSON(parsing: bytes) else {
      return
    }
    let project = try store.cloudURL
    for target in SyncTarget.allCases {
      guard let known = json[target.rawValue], target == .git || known["project"]?.string == project
      else { continue }
      var record = Record(project: known["project"]?.string)
      record.lastSync = known["lastSync"]?.string.flatMap(Instant.init)
      record.failure = known["failure"]?.string.map { reason in
        SyncStanding.Failure(
          reason: reason, began: known["began"]?.string.flatMap(Instant.init),
          isPassing: known["isPassing"]?.bool ?? false)
      }
      record.isTold = known["isTold"]?.bool ?? false
      records[target] = record
    }
  }

  func save(in store: Store) throws(StoreError) {
    let members = records.map { target, record in
      JSONMember(
        target.rawValue,
        [
          "project": record.project.map { .string($0) },
          "lastSync": record.lastSync.map { .string($0.description) },
          "failure": record.failure.map { .string($0.reason) },
          "began": record.failure?.began.map { .string($0.description) },
          "isPassing": record.failure.map { .bool($0.isPassing) }, "isTold": .bool(record.isTold),
        ])
    }
    try store.writeDeviceFile(
      Self.file, JSON.object(members.sorted { $0.key < $1.key }).writeFile())
  }

  /// Keeps what came of a sync: nil for one that succeeded.
  ///
  /// What goes away when another process has finished is no failure.
  static func note(
    _ target: SyncTarget, _ failure: (any Error)?, isTold: Bool, isWhole: Bool = true,
    in store: Store, at now: Instant
  ) {
    if let failure, failure.isPassing || failure is CloudUseError { return }
    do {
      var records = try SyncRecords(of: store)
      let project = target == .cloud ? try store.cloudURL : nil
      let words = failure.map { ErrorWords($0, root: store.root) }
      let isNews =
        words.map { records.fail(target, of: project, $0, isTold: isTold, at: now) }
        ?? records.succeed(target, of: project, isWhole: isWhole, at: now)
      if isNews { try records.save(in: store) }
    } catch {
      // A folder that can't be written has been told of by what was done in it.
    }
  }

  /// Returns whether there is anything to store.
  private mutating func succeed(
    _ target: SyncTarget, of project: String?, isWhole: Bool, at now: Instant
  ) -> Bool {
    let before = records[target]
    let lastSync = isWhole ? now : before?.lastSync
    records[target] = Record(project: project, lastSync: lastSync)
    guard before?.failure == nil, let new = lastSync, let old = before?.lastSync else {
      return before?.failure != nil || isWhole
    }
    return new < old || new.milliseconds - old.milliseconds > Self.rest
  }

  /// Returns whether there is anything to store.
  private mutating func fail(
    _ target: SyncTarget, of project: String?, _ words: ErrorWords, isTold: Bool, at now: Instant
  ) -> Bool {
    let before = records[target]
    let isSame = before?.failure?.reason == words.message
    // The same failure is told once.
    let isTold = isTold || isSame && before?.isTold ?? false
    records[target] = Record(
      project: project, lastSync: before?.lastSync,
      failure: .init(
        reason: words.message, began: before?.failure?.began ?? now,
        isPassing: words.kind == .unreachable),
      isTold: isTold)
    return !isSame || before?.isTold != isTold
  }

  func standing(
    with target: SyncTarget, isOn: Bool = true, besides obstacle: (any Error)? = nil
  ) -> SyncStanding {
    let record = records[target]
    let failure = obstacle.map { obstacle in
      SyncStanding.Failure(
        reason: ErrorWords(obstacle).message, began: record?.failure?.began, isPassing: false)
    }
    return SyncStanding(
      target: target, isOn: isOn, lastSync: record?.lastSync,
      failure: isOn ? failure ?? record?.failure : nil)
  }

  func isUntold(_ target: SyncTarget) -> Bool {
    records[target].map { $0.failure != nil && !$0.isTold } ?? false
  }

  mutating func tell(_ target: SyncTarget) { records[target]?.isTold = true }
}
