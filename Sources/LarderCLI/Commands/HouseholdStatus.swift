import LarderCloud
import LarderGit
import LarderJSON
import LarderKit
import LarderModel
import LarderStore

/// What there is to know of a household at a glance.
struct HouseholdStatus {
  let name: String
  let root: String
  /// The branch; nil where none is checked out, or there is no repository.
  private(set) var branch: String?
  /// What is checked out; nil before the first commit.
  private(set) var commit: ObjectID?
  /// Files that people edited and no command has adopted.
  let edited: [String]
  /// Commits of plain git that no command has adopted.
  let plainCommits: Int
  let unreadable: [String]
  /// Items that are short of their full stock but not used up.
  let low: Int
  /// Items at zero or below.
  let usedUp: Int
  /// Lots whose day is over, and lots that expire from today on within so many days.
  let expired: Int
  let due: (lots: Int, days: Int)
  /// The names of items below zero, of which more was used than anybody had counted.
  let belowZero: [String]
  private(set) var upstream: UpstreamStatus?
  private(set) var setUp: [SetUpProblem] = []
  private(set) var operation: Operation?
  /// When git fetched last, by this machine's clock; nil where it never did.
  private(set) var lastFetch: Instant?
  /// What the last merge did not take and nobody has written since: `Milk (name)`.
  private(set) var lost: [String] = []
  /// Second versions of files that two sides changed.
  let kept: [KeptVersion]
  let time: LocalTime
  let isReadOnly: Bool
  /// What the cloud has; nil where the household is connected to none.
  var cloud: CloudState?

  /// Looks at everything, and writes nothing.
  init(of store: Store) throws {
    let reading = try store.read()
    let household = reading.household
    name = household.own?.title ?? "the household"
    root = store.root
    // Without a repository there is no version before that files could differ from.
    edited = store.repository == nil ? [] : reading.edited
    plainCommits = reading.plainCommits
    unreadable = household.unreadable.keys.sorted { JSON.precedes($0, $1) }
    time = LocalTime(of: household)
    let stock = Stock(household)
    let items = household.all(.stockItem).filter { !$0.isTombstone }
    usedUp = items.count { stock.total(of: $0) <= .zero }
    belowZero = items.filter { stock.total(of: $0) < .zero }.map(\.title).sorted()
    low = items.count { item in
      let total = stock.total(of: item)
      return total > .zero && total < item.fullStock
    }
    let today = HouseholdCalendar(of: household, now: store.context.now()).today
    let days = household.own?.expiringWithinDays ?? 0
    expired = Lot.grouped(stock.expired(on: today)).count
    due = (Lot.grouped(stock.due(from: today, days: days)).count, days)
    kept = try store.keptVersions()
    isReadOnly = store.repository == nil
    guard let repository = store.repository else { return }
    setUp = try store.setUpProblems()
    operation = repository.operationInProgress()
    commit = reading.head?.commit
    lastFetch = FileBytes.modified(repository.gitDirectory + "/FETCH_HEAD")
    switch reading.head {
    case .branch(let name, _), .unborn(let name): branch = name
    case .detached, nil: branch = nil
    }
    lost = LossWords.all(try store.lossesOfLastMerge(in: household), in: household)
      .map(\.shortText)
    upstream = try UpstreamStatus(of: repository, branch: branch, commit: commit)
  }
}

/// How a branch stands to the one it is synced with, as far as this device has heard.
struct UpstreamStatus {
  /// The remote and the branch over there: `origin/main`.
  let name: String
  /// Commits that only this device has; nil where the remote has not been heard of.
  let ahead: Int?
  /// Commits that only the remote has.
  let behind: Int?

  /// Nil where nothing says what the branch is synced with.
  init?(of repository: Repository, branch: String?, commit: ObjectID?) throws(GitError) {
    guard let branch, let remote = try repository.syncRemote(ofBranch: branch) else { return nil }
    let upstream = try repository.upstream(ofBranch: branch)
    name = "\(remote)/\(upstream?.branch ?? branch)"
    let reference = upstream?.tracking ?? "refs/remotes/\(remote)/\(branch)"
    guard let commit, let there = try repository.reference(reference) else {
      (ahead, behind) = (nil, nil)
      return
    }
    let distance = try repository.aheadBehind(commit, there)
    (ahead, behind) = (distance.ahead, distance.behind)
  }
}

extension Repository {
  /// The remote that a branch follows, else origin, else the only one.
  fileprivate func syncRemote(ofBranch branch: String) throws(GitError) -> String? {
    if let upstream = try upstream(ofBranch: branch) { return upstream.remote }
    let remotes = try remotes()
    return remotes.contains("origin") || remotes.count != 1
      ? remotes.first { $0 == "origin" } : remotes.first
  }
}
