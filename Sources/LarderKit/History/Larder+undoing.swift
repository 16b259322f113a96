internal import LarderModel
internal import LarderStore

extension Larder {
  /// Undoes the changes of a commit in a new commit.
  ///
  /// The default is this device's last command that is not undone; edits by hand count as commands.
  /// Throws `UndoError`, and changes nothing, if something written later would be lost.
  public func undo(_ revision: String? = nil) throws -> Reversal {
    reversal(try store.undo(revision, adopted: tell))
  }

  /// Redoes what an undo took back, in a new commit.
  ///
  /// The default is this device's last undo, if it has done nothing else since. Throws `UndoError`.
  public func redo(_ revision: String? = nil) throws -> Reversal {
    reversal(try store.redo(revision, adopted: tell))
  }

  private func reversal(_ undoing: Undoing) -> Reversal {
    let (writing, now) = (undoing.writing, context.now())
    return Reversal(
      command: undoing.command, isRedo: undoing.isRedo, newerPlain: undoing.newerPlain,
      outcome: Outcome(
        writing: writing, before: Survey(undoing.before, now: now),
        after: Survey(writing.household, now: now), own: writing.changed))
  }
}

/// The outcome of an undo or a redo.
public struct Reversal {
  /// The commit whose change was undone or redone.
  public let command: Commit
  /// Whether it was redone.
  public let isRedo: Bool
  /// The author's newest commit of plain git, if an undo without a revision skipped one.
  public let newerPlain: Commit?
  public let outcome: Outcome
}

/// The values that lost when two people changed the same thing.
extension Larder {
  /// Visits the values that merges did not take, newest first, until a visit returns false.
  public func losses(_ visit: (LostWrite) -> Bool) throws(StoreError) {
    try store.losses(visit)
  }

  /// Returns the ids of the lost values that are settled on this device.
  public func dismissedLosses() throws(StoreError) -> Set<String> { try store.dismissedLosses() }

  /// Settles lost values on this device, by their ids; they stay in the history.
  public func dismissLosses(_ ids: [String]) throws(StoreError) { try store.dismissLosses(ids) }

  /// Returns the second versions of files that both sides of a merge changed.
  public func keptVersions() throws(StoreError) -> [KeptVersion] { try store.keptVersions() }

  /// Replaces the first version of a file by the second; the first one stays in the history.
  public func restore(_ version: KeptVersion) throws -> Writing {
    let writing = try store.restore(version, adopted: tell)
    tell(writing.adoption, writing.household)
    return writing
  }
}
