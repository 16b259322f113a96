internal import LarderGit
internal import LarderModel

extension Synchronizer {
  /// Syncs the branch that is checked out with every remote, until what came from one has reached
  /// the others.
  ///
  /// The remote that the branch follows comes first, else origin. One that can't be synced doesn't
  /// keep the others from it; its error is in its result. Throws what stands in the way of all:
  /// ``SyncError`` and `StoreError`.
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
    // The last one has everything; those before it lack what came after them.
    for (index, route) in routes.enumerated().dropLast() {
      guard case .success(let first) = results.each[index].outcome,
        try repository.reference(route.tracking) != repository.head().commit
      else { continue }
      results.each[index].outcome = try attempt(route).map { first.followed(by: $0) }
    }
    return results
  }

  /// Where the branch goes on every remote; only the first may become what it follows.
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

  /// What one remote gives, with failures that may be its own alone.
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
  /// Two syncs in a row, with one remote or with two, as one.
  package func followed(by later: SyncOutcome) -> SyncOutcome {
    var both = later
    both.before = before
    both.received += received
    both.sent += sent
    both.hasJoined = hasJoined || later.hasJoined
    both.changed = later.after.keys(differingFrom: before)
    both.conflicts = conflicts + later.conflicts
    both.waiting = max(waiting, later.waiting)
    both.retries += retries
    return both
  }
}
