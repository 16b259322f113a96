internal import LarderModel
internal import LarderStore

extension Larder {
  /// Takes back what a commit changed, as a new commit: by default this device's last command that is
  /// not taken back, edits by hand included.
  ///
  /// Throws `UndoError`, and changes nothing, if something written since would be lost.
  public func undo(_ revision: String? = nil) throws -> Reversal {
    reversal(try store.undo(revision, adopted: tell))
  }

  /// Brings back what this device's last undo took back, as a new commit.
  ///
  /// Throws `UndoError`.
  public func redo() throws -> Reversal { reversal(try store.redo(adopted: tell)) }

  private func reversal(_ undoing: Undoing) -> Reversal {
    let (writing, now) = (undoing.writing, context.now())
    return Reversal(
      command: undoing.command, isRedo: undoing.isRedo,
      outcome: Outcome(
        writing: writing, before: Survey(undoing.before, now: now),
        after: Survey(writing.household, now: now), own: writing.changed))
  }
}

/// The outcome of an undo or a redo.
public struct Reversal {
  /// The commit whose change was taken back, or brought back.
  public let command: Commit
  /// Whether it was brought back.
  public let isRedo: Bool
  public let outcome: Outcome
}

/// What lost where two people changed the same thing.
extension Larder {
  /// Visits the values that merges did not take, newest first, until a visit returns false.
  public func losses(_ visit: (LostWrite) -> Bool) throws(StoreError) {
    try store.losses(visit)
  }

  /// The second versions of files that both sides of a merge changed.
  public func keptVersions() throws(StoreError) -> [KeptVersion] { try store.keptVersions() }

  /// Puts a second version into the place of the first, which stays in the history.
  public func restore(_ version: KeptVersion) throws -> Writing {
    let writing = try store.restore(version, adopted: tell)
    tell(writing.adoption, writing.household)
    return writing
  }
}
