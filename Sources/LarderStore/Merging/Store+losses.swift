public import LarderGit
public import LarderModel

extension Store {
  /// Returns the computation of values that merges did not take.
  public func mergeLosses() throws(StoreError) -> MergeLosses {
    MergeLosses(try commitReader())
  }

  /// Visits the values that merges and joins with the cloud did not take, newest first, until a
  /// visit returns false.
  ///
  /// With `known`, it visits only merges that are not ancestors of it, and no joins with the cloud.
  /// Values are computed from the merges' parents, so merges by plain git are included. A value
  /// that lost in several merges is visited once, with the newest. Writes nothing.
  public func losses(
    since known: ObjectID? = nil, _ visit: (LostWrite) -> Bool
  ) throws(StoreError) {
    let search = try mergeLosses()
    try git { repository throws(GitError) in
      var seen: Set<String> = []
      func visitAll(_ merge: Commit) throws(GitError) -> Bool {
        for loss in try search.losses(in: merge) where seen.insert(loss.id).inserted {
          guard visit(loss) else { return false }
        }
        return true
      }
      var cloudMerges = known == nil ? try cloudMerges(repository)[...] : []
      func visitCloud(from time: Int64) throws(GitError) -> Bool {
        while let next = cloudMerges.first, next.committer.seconds >= time {
          cloudMerges.removeFirst()
          guard try visitAll(next) else { return false }
        }
        return true
      }
      var goesOn = true
      if let head = try repository.head().commit {
        try repository.history(from: head, hiding: known.map { [$0] } ?? []) {
          (commit) throws(GitError) in
          guard commit.parents.count > 1 else { return true }
          goesOn = try visitCloud(from: commit.committer.seconds)
          if goesOn { goesOn = try visitAll(commit) }
          return goesOn
        }
      }
      if goesOn { _ = try visitCloud(from: .min) }
    }
  }

  /// Returns the joins with the cloud in which values lost, newest first.
  private func cloudMerges(_ repository: Repository) throws(GitError) -> [Commit] {
    guard let last = try repository.reference(Store.cloudMergesReference) else { return [] }
    var merges: [Commit] = []
    try repository.history(from: last) { commit in
      if commit.parents.count > 1 { merges.append(commit) }
      return true
    }
    return merges
  }

  /// Returns the values that lost in the last merge, whose winning values are still there, and that
  /// are not dismissed.
  ///
  /// Follows first parents only, at most 1000 commits, so it is fast.
  public func lossesOfLastMerge(in household: Household) throws(StoreError) -> [LostWrite] {
    let search = try mergeLosses()
    let dismissed = try dismissedLosses()
    return try git { repository throws(GitError) in
      var next = try repository.head().commit
      for _ in 0..<1000 {
        guard let id = next, case let commit = try repository.commit(id) else { return [] }
        guard commit.parents.count < 2 else {
          return try search.losses(in: commit).filter { loss in
            !dismissed.contains(loss.id)
              && household[loss.value.key].map { loss.value.isKept(in: $0) } ?? false
          }
        }
        next = commit.parents.first
      }
      return []
    }
  }
}

/// The lost values that are settled on this device; other devices settle their own.
extension Store {
  private static let dismissedFile = "dismissed"

  /// Returns the ids of the lost values that were dismissed on this device.
  public func dismissedLosses() throws(StoreError) -> Set<String> {
    let bytes = try deviceFile(Self.dismissedFile) ?? []
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Remembers that lost values are settled, by their ids.
  public func dismissLosses(_ ids: [String]) throws(StoreError) {
    try whileLocked { () throws(StoreError) in
      let all = try dismissedLosses().union(ids).sorted()
      try writeDeviceFile(Self.dismissedFile, Array((all.joined(separator: "\n") + "\n").utf8))
    }
  }
}

/// A value that lost in a merge, and the commits that wrote both values.
public struct LostWrite: Sendable {
  public let value: LostValue
  public let merge: Commit
  /// The commit that wrote the lost value; nil if unknown.
  public let lostBy: Commit?
  /// The commit that wrote the winning value; nil if unknown.
  public let keptBy: Commit?

  /// The id of the lost value, which is the same on all devices and in all merges.
  public var id: String {
    Identifier.derived(
      from: "lost", value.key.kind.rawValue, value.key.id,
      value.names.map(\.text).joined(separator: ","), value.lostAt.description)
  }
}
