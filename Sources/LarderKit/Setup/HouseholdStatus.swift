internal import LarderGit
public import LarderModel
internal import LarderStore

/// The overall state of a household: its repository, files, stock and connections.
public struct HouseholdStatus: Sendable {
  public let household: Household
  public let root: String
  public let isReadOnly: Bool
  /// The current branch; nil if none is checked out or there is no repository.
  public let branch: String?
  /// The current commit; nil before the first one.
  public let commit: ObjectID?
  /// The paths of edited files that no command has adopted yet.
  public let edited: [FilePath]
  /// The number of plain git commits that no command has adopted yet.
  public let plainCommits: Int
  /// The paths of broken and refused files, sorted.
  public let untaken: [FilePath]
  public let stock: StockStatus
  public let upstream: UpstreamStatus?
  /// The remotes.
  public let remotes: [String]
  /// How the syncs went with each target.
  public let syncs: [SyncStanding]
  /// HEAD, if it is on no branch.
  public let looseHead: LooseHead?
  /// The filters of git on its files, if there is anything that they may have to do with.
  public let filters: [AttributeFault]
  public let setUp: [SetUpProblem]
  public let operation: Operation?
  /// The time of git's last fetch, by this machine's clock; nil if there was none.
  public let lastFetch: Instant?
  /// The values that the last merge did not take and that nobody has written since then.
  public let lost: [LostWrite]
  /// The second versions of files that both sides of a merge changed.
  public let kept: [KeptVersion]
  /// The state of the project's copy; nil if the household is not connected.
  public let cloud: CloudState?
}

/// The counts of a household's stock.
public struct StockStatus: Sendable {
  /// The number of items of which there is too little that can still be used, but something.
  public let low: Int
  /// The number of items at zero or below.
  public let usedUp: Int
  /// The names of items below zero, sorted; more was used than was ever counted.
  public let belowZero: [String]
  /// The names of archived items whose stock others changed without knowing of it, sorted.
  public let leftBehind: [String]
  /// The number of lots that have expired.
  public let expired: Int
  /// The number of lots that are past their best, but have not expired.
  public let pastBest: Int
  /// The number of lots that expire from today on within this number of days.
  public let due: (lots: Int, days: Int)

  init(_ survey: Survey) {
    let (household, stock) = (survey.household, survey.stock)
    let items = household.all(.stockItem).filter { !$0.isTombstone }
    let holdings = stock.holdings(of: items)
    usedUp = holdings.count { $0.level == .usedUp }
    belowZero = holdings.filter { $0.total < .zero }.map(\.item.title).sorted()
    leftBehind = household.all(.stockItem)
      .filter { $0.isTombstone && stock.isOurs($0) && stock.leftBehind(of: $0) != nil }
      .map(\.title).sorted()
    let today = survey.calendar.today
    low = holdings.count { $0.isLow(on: today) && $0.level != .usedUp }
    let days = household.own?.expiringWithinDays ?? 0
    expired = Lot.grouped(stock.expired(on: today)).count
    pastBest = Lot.grouped(stock.pastBest(on: today)).count
    due = (Lot.grouped(stock.due(from: today, days: days)).count, days)
  }
}

/// The last known position of a branch relative to its upstream.
public struct UpstreamStatus: Sendable {
  /// The remote and its branch, such as `origin/main`.
  public let name: String
  /// The number of commits that only this device has; nil if the remote's branch is unknown.
  public let ahead: Int?
  /// The number of commits that only the remote has; nil if the remote's branch is unknown.
  public let behind: Int?

  /// Reads the position; nil if the branch has nothing to sync with.
  init?(of repository: Repository, branch: String?, commit: ObjectID?) throws(GitError) {
    guard let branch, let remote = try repository.syncRemote(ofBranch: branch) else { return nil }
    let upstream = try repository.upstream(ofBranch: branch)
    // Git takes an address in the place of a remote's name.
    name = "\(remote)/\(upstream?.branch ?? branch)".withoutSecrets
    let reference = upstream?.tracking ?? "refs/remotes/\(remote)/\(branch)"
    guard let commit, let there = try repository.reference(reference) else {
      (ahead, behind) = (nil, nil)
      return
    }
    let distance = try repository.aheadBehind(commit, there)
    (ahead, behind) = (distance.ahead, distance.behind)
  }
}

extension Larder {
  /// Returns the overall state, and writes nothing.
  public func status() async throws -> HouseholdStatus {
    let reading = try read()
    let household = reading.household
    let repository = store.repository
    let branch = try reading.head.flatMap { try store.branch(of: $0) }
    let commit = reading.head?.commit
    return HouseholdStatus(
      household: household, root: root, isReadOnly: isReadOnly, branch: branch, commit: commit,
      // Without a repository there is no earlier version to compare files with.
      edited: repository == nil ? [] : reading.edited, plainCommits: reading.plainCommits,
      untaken: household.untaken.keys.sorted(),
      stock: StockStatus(Survey(household, now: context.now())),
      upstream: try repository.flatMap { repository in
        try UpstreamStatus(of: repository, branch: branch, commit: commit)
      },
      remotes: try repository?.remotes() ?? [], syncs: try syncStandings(),
      looseHead: repository == nil ? nil : try store.looseHead(),
      filters: reading.edited.isEmpty && reading.plainCommits == 0 && household.untaken.isEmpty
        ? [] : try store.filters(),
      setUp: repository == nil ? [] : try store.setUpProblems(),
      operation: repository?.operationInProgress(),
      lastFetch: repository.flatMap { FileState(of: $0.gitDirectory + "/FETCH_HEAD") }
        .map { Instant(milliseconds: $0.modified / 1_000_000) },
      lost: repository == nil ? [] : try store.lossesOfLastMerge(in: household),
      kept: try keptVersions(), cloud: isReadOnly ? nil : try await cloud()?.state())
  }
}

extension Repository {
  /// Returns the remote of a branch's upstream, otherwise origin, otherwise the only remote.
  fileprivate func syncRemote(ofBranch branch: String) throws(GitError) -> String? {
    if let upstream = try upstream(ofBranch: branch) { return upstream.remote }
    let remotes = try remotes()
    return remotes.contains("origin") || remotes.count != 1
      ? remotes.first { $0 == "origin" } : remotes.first
  }
}
