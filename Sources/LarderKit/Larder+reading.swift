public import LarderModel

extension Larder {
  /// Reads the household as it is meant, edits by hand included, and writes nothing.
  public func read() throws(StoreError) -> Reading { try store.read() }

  /// Reads the household with all that can be looked up in it.
  public func survey() throws(StoreError) -> Survey {
    Survey(try read().household, now: context.now())
  }

  /// The household as a commit has it; nil if there is no such commit.
  ///
  /// `revision` is a name for a commit that git understands, such as `HEAD~3`.
  public func household(at revision: String) throws(StoreError) -> Household? {
    try store.household(at: revision)
  }
}
