public import LarderModel

extension Larder {
  /// Reads the meaning of the household, including edits by hand, and writes nothing.
  public func read() throws(StoreError) -> Reading { try store.read() }

  /// Reads the household and prepares it for looking things up.
  public func survey() throws(StoreError) -> Survey {
    Survey(try read().household, now: context.now())
  }

  /// Returns the household of a commit; nil if there is no such commit.
  ///
  /// `revision` is a revision as git understands it, such as `HEAD~3`.
  public func household(at revision: String) throws(StoreError) -> Household? {
    try store.household(at: revision)
  }
}
