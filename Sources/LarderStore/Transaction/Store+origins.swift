package import LarderGit
public import LarderModel
internal import LarderText

/// The origin of a change that was made on another device, such as a phone, which has no clone.
public struct Origin: Sendable {
  /// The moment when somebody made it; a later one than now counts as now.
  public var at: Instant
  /// The device's name, for the ledger and the commit.
  public var device: String
  /// An id of its own; a change whose id is in the history is not made again.
  public var request: String

  public init(at: Instant, device: String, request: String) {
    self.at = at
    self.device = device
    self.request = request
  }
}

extension Origin {
  /// The origin of an act that concerns the household as it is.
  var now: Origin { Origin(at: .latest, device: device, request: request) }
}

/// The requests that the commits of the history served.
struct ServedRequests {
  static let trailer = "Larder-Request"

  private var commits: [String: ObjectID] = [:]
  private var head: ObjectID?

  subscript(request: String) -> ObjectID? { commits[request] }

  /// Reads the commits since the last time; all, if the history was written anew.
  mutating func read(upTo head: ObjectID, of repository: Repository) throws(GitError) {
    guard head != self.head else { return }
    if let known = self.head, try !repository.isAncestor(known, of: head) {
      commits = [:]
      self.head = nil
    }
    try repository.history(from: head, hiding: [self.head].compactMap(\.self)) { commit in
      if let request = Trailers(commit.message)[Self.trailer] { commits[request] = commit.id }
      return true
    }
    self.head = head
  }
}

extension Store {
  /// Returns the commit that served a request, in the history of HEAD; nil if there is none.
  package func commit(serving request: String) throws(StoreError) -> Commit? {
    try git { repository throws(GitError) in
      guard let head = try repository.head().commit else { return nil }
      try requests.read(upTo: head, of: repository)
      return try requests[request].map { id throws(GitError) in try repository.commit(id) }
    }
  }

  /// Returns what a commit changed, by the meaning of its files.
  package func differences(of commit: Commit) throws(StoreError) -> [EntityDifference] {
    let loaded = try load()
    return try git { _ throws(GitError) in try loaded.reader?.changes(of: commit) ?? [] }
  }

  /// Returns the commits that made later writes; nil for one that no commit is known to have made.
  package func commits(overtaking writes: [Overtaken]) throws(StoreError) -> [Commit?] {
    try git { repository throws(GitError) in
      guard let head = try repository.head().commit else { return writes.map { _ in nil } }
      let made = writes.map {
        LaterWrite(key: $0.key, content: .fields($0.names), at: $0.at, isSameValue: false)
      }
      return try WriteSearch(repository: repository).commits(that: made, from: head, hiding: [])
    }
  }

  /// Returns the household as it was at a moment; nil if nothing was written since.
  func household(writtenUntil end: Instant, _ loaded: Loaded) throws(StoreError) -> Household? {
    var failure: StoreError?
    let past = loaded.household.written(until: end) { incomplete in
      do throws(StoreError) {
        return try earlier(incomplete, until: end, loaded)
      } catch {
        failure = error
        return [:]
      }
    }
    if let failure { throw failure }
    return past
  }

  /// Returns entities as the commits before a moment have them; those whose files are not there are
  /// left out.
  private func earlier(
    _ incomplete: [EntityKey: Entity], until end: Instant, _ loaded: Loaded
  ) throws(StoreError) -> [EntityKey: Entity] {
    var found: [EntityKey: Entity] = [:]
    let now = loaded.household
    guard let head = loaded.head.commit, !(repository?.isShallow ?? false) else { return found }
    try git { repository throws(GitError) in
      try repository.history(from: head) { (commit) throws(GitError) in
        // An act that came late has its own moment as author. Commits have whole seconds.
        if Instant(clampingSeconds: commit.author.seconds) <= end {
          for (key, version) in incomplete {
            guard let file = try repository.entity(at: now.path(of: key), in: commit.tree),
              file.key == key, let past = file.written(until: end)
            else { continue }
            found[key] = (found[key] ?? version).joined(with: past)
          }
        }
        return commit.committer.seconds >= end.milliseconds / 1000
      }
    }
    return found
  }
}

/// An act that somebody overtook, kept as a clone would have kept it: in a commit of its moment, and
/// a merge of that.
extension Store {
  /// Joins what an edit of the past changed, so that the values that lose are in the history.
  func join(
    _ edit: Edit, from origin: Origin, _ message: String, _ loaded: inout Loaded
  ) throws(StoreError) -> Household {
    let start = try start(of: edit.changed, before: origin.at, loaded)
    let device = origin.device
    let known = try write(
      start == nil ? edit.before.keys : edit.changed, of: edit.before, onto: start,
      try self.message("what \(device) knew", command: "sync", from: origin), origin)
    let made = try write(edit.changed, of: edit.after, onto: known, message, origin)
    do {
      let joining = try join(
        made.id, from: device, joiningHistories: false, onto: &loaded, adopted: { _, _ in })
      return joining.household ?? loaded.household
    } catch let error as StoreError {
      throw error
    } catch {
      throw .system(action: "join", path: root, code: 0)
    }
  }

  /// Returns the newest commit from before a moment's second; nil if there is none.
  ///
  /// No later write of the entities is in it, whatever clocks say. A commit of the moment on a
  /// start that has later writes would take them back: a join with HEAD that begins at HEAD has
  /// nothing to join.
  private func start(
    of keys: [EntityKey], before end: Instant, _ loaded: Loaded
  ) throws(StoreError) -> Commit? {
    guard let head = loaded.head.commit, let reader = loaded.reader else { return nil }
    let second = end.milliseconds / 1000
    return try git { repository throws(GitError) in
      var found: Commit?
      try repository.history(from: head) { (commit) throws(GitError) in
        guard commit.committer.seconds < second else { return true }
        let household = try reader.meaning(of: commit.id).household
        let isBefore = keys.allSatisfy { key in household[key].map { $0.updatedAt <= end } ?? true }
        if isBefore { found = commit }
        return !isBefore
      }
      return found
    }
  }

  /// Writes a commit with some entities of a household, whose branch is nobody's yet; returns the
  /// start itself if it has them.
  private func write(
    _ keys: [EntityKey], of household: Household, onto start: Commit?, _ message: String,
    _ origin: Origin
  ) throws(StoreError) -> Commit {
    let files = keys.compactMap { key -> (path: FilePath, bytes: [UInt8])? in
      guard let entity = household[key], let path = household.path(of: key) else { return nil }
      return (path, entity.fileBytes)
    }
    let (author, committer) = (try signature(origin), try signature())
    let commit = try git { repository throws(GitError) in
      var changes: [FilePath: (ObjectID, FileMode)?] = [:]
      for (file, blob) in zip(files, try repository.writeBlobs(files.map(\.bytes))) {
        changes[file.path] = .some((blob, .file))
      }
      let tree = try repository.writeTree(from: start?.tree, changing: changes)
      if let start, tree == start.tree { return start }
      let parents = [start?.id].compactMap(\.self)
      let id = try repository.writeCommit(
        tree: tree, parents: parents, author: author, committer: committer,
        message: message + CommitContent.lines(tree: tree, parents: parents, refused: []))
      return try repository.commit(id)
    }
    if commit != start { try noteOwn(commit.id) }
    return commit
  }
}

extension Repository {
  /// Returns the entity in a file of a tree; nil if there is none that can be read.
  fileprivate func entity(at path: FilePath?, in tree: ObjectID) throws(GitError) -> Entity? {
    guard let path, let entry = try entry(at: path, in: tree) else { return nil }
    let written = HouseholdReader.written(path, try ownBytes(entry))
    return try? HouseholdReader.decoded(written).get()
  }
}
