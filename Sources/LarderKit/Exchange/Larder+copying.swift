internal import LarderModel
internal import LarderStore

extension Larder {
  /// Takes over a copy of a household, after adopting what people edited, in one commit.
  ///
  /// A household that holds nothing yet becomes the one of the copy, with the same files. Any other one
  /// joins with it as two devices join: nothing of either is lost, and the later write of a field
  /// stands. It keeps its own id and settings if the copy is of another household, whose things become
  /// its own then.
  ///
  /// Throws `StoreError.newerFormat`.
  public func take(_ copy: HouseholdCopy) throws -> Outcome {
    let writing = try store.take(
      copy.entities, subject: "import \(copy.count) things of a copy", context.command,
      adopted: tell)
    let before = Survey(writing.base.household, now: context.now())
    let after = Survey(writing.household, now: context.now())
    return Outcome(writing: writing, before: before, after: after, own: writing.changed)
  }
}
