import LarderGit
import LarderModel

extension Synchronizer {
  /// Syncs the current branch with every remote, until the changes of each have reached the others.
  ///
  /// The upstream's remote comes first, else origin. A remote that fails does not stop the others;
  /// its error is in its result. Throws an error that stops all remotes: ``SyncError`` or
  /// `StoreError`.
  public func syncAll(joiningHistories: Bool = false, isDryRun: Bool = false) throws
    -> RemoteResults
  {
    let repository = try readyRepository()
    let routes = try routes(repository)
    var results = RemoteResults()
    func attempt(_ route: Route) throws -> Result<SyncOutcome, any Error> {
      let outcome = try reached { try sync(repository, route, joiningHistories, isDryRun) }
      if case .success(let outcome) = outcome { results.add(outcome) }
      return outcome
    }
    for route in routes {
      results.each.append(.init(remote: route.remote, outcome: try attempt(route)))
    }
    guard !isDryRun else { return results }
    // The last remote has everything; the earlier ones lack what came later.
    for (index, route) in routes.enumerated().dropLast() {
      guard case .success(let first) = results.each[index].outcome,
        try repository.reference(route.tracking) != repository.head().commit
      else { continue }
      results.each[index].outcome = try attempt(route).map { first.followed(by: $0) }
    }
    return results
  }

  /// Returns the route for each remote; only the first may become the branch's upstream.
  private func routes(_ repository: Repository) throws -> [Route] {
    let names = try repository.remotes()
    guard names.count > 1 else { return [try route(repository, names.first)] }
    let routes = try names.map { try route(repository, $0) }
    let followed = try repository.upstream(ofBranch: routes[0].branch)?.remote ?? "origin"
    let ordered = routes.filter { $0.remote == followed } + routes.filter { $0.remote != followed }
    return ordered.enumerated().map { index, route in
      var route = route
      route.isNew = route.isNew && index == 0
      return route
    }
  }

  /// Catches the errors that may concern one remote only.
  private func reached(
    _ sync: () throws -> SyncOutcome
  ) throws -> Result<SyncOutcome, any Error> {
    do {
      return .success(try sync())
    } catch let error as GitError {
      return .failure(error)
    } catch let error as SyncError {
      return .failure(error)
    }
  }
}

extension SyncOutcome {
  /// Combines two syncs in a row, with the same remote or with different ones.
  package func followed(by later: SyncOutcome) -> SyncOutcome {
    var both = later
    both.before = before
    both.received += received
    both.sent += sent
    both.hasJoined = hasJoined || later.hasJoined
    both.changed = later.after.keys(differingFrom: before)
    both.conflicts = conflicts + later.conflicts
    both.namesakes = Set(namesakes + later.namesakes).sorted()
    both.waiting = max(waiting, later.waiting)
    both.retries += retries
    return both
  }
}

/// The results of a sync with all remotes.
public struct RemoteResults: Sendable {
  /// The result of one remote.
  public struct One: Sendable {
    public let remote: String
    /// The outcome, or the error if the sync failed.
    public internal(set) var outcome: Result<SyncOutcome, any Error>
  }

  /// The remotes, in the order in which they were first synced.
  public internal(set) var each: [One] = []
  /// All successful syncs combined, in the order in which they happened; nil if none succeeded.
  public internal(set) var together: SyncOutcome?

  /// Combines two rounds with the same remotes; a remote that failed first may have succeeded
  /// later.
  public func followed(by later: RemoteResults) -> RemoteResults {
    var both = later
    for (index, one) in both.each.enumerated() {
      guard let first = each.first(where: { $0.remote == one.remote }),
        case .success(let before) = first.outcome
      else { continue }
      both.each[index].outcome = one.outcome.map { before.followed(by: $0) }
    }
    both.together = later.together.map { together?.followed(by: $0) ?? $0 } ?? together
    return both
  }

  mutating func add(_ outcome: SyncOutcome) {
    together = together?.followed(by: outcome) ?? outcome
  }
}
