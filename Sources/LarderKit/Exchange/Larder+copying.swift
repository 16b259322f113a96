internal import LarderModel
internal import LarderStore

extension Larder {
  /// Imports a copy of a household in one commit, after adopting what people edited.
  ///
  /// An empty household becomes the copied one, with the same files. Any other household joins with
  /// the copy as two devices join: nothing is lost, and the later write of a field wins. If the
  /// copy is of another household, this one keeps its id and settings, and the copied things become
  /// its own.
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
