internal import LarderGit
internal import LarderModel
internal import LarderStore

/// The household's files as such: their canonical form, and what git asks larder to do with them.
extension Larder {
  /// The paths of readable files that are not in canonical form, sorted.
  public func unformattedFiles() throws(StoreError) -> [String] { try store.unformatted() }

  /// Writes every readable file in canonical form, after adopting what people edited.
  public func format() throws -> Writing {
    let writing = try store.reformat()
    tell(writing.adoption, writing.household)
    return writing
  }

  /// Joins two versions of a file; nil if a side can't be read or both are different things.
  ///
  /// `base` is the common ancestor's file, nil if there is none.
  public static func mergeFile(
    base: [UInt8]?, ours: [UInt8], theirs: [UInt8], path: String
  ) -> [UInt8]? {
    MergeFile.merge(base: base, ours: ours, theirs: theirs, path: path)
  }

  /// Adopts what is staged in the index that git is about to commit, and stages the result there.
  ///
  /// `index` is the path of the index as `GIT_INDEX_FILE` has it; nil for the usual one. Nil if there is
  /// nothing to adopt.
  public func adoptStaged(index: String?) throws(StoreError) -> Staging? {
    guard let repository = store.repository else { return nil }
    let index = index ?? repository.gitDirectory + "/index"
    // Git names it from the work tree's root.
    return try store.stage(intoIndex: index.hasPrefix("/") ? index : "\(root)/\(index)")
  }

  /// The bytes of a file of the household, 16 MiB at most.
  ///
  /// Throws if it can't be read, or if a link leads out of the household.
  public static func bytes(of path: String, in root: String) throws(StoreError) -> [UInt8] {
    try HouseholdFolder(root: root).read(path, atMost: 16 * 1024 * 1024)
  }

  /// A text without the passwords and tokens in its URLs.
  public static func withoutSecrets(_ text: String) -> String { text.withoutSecrets }

  /// Whether the repository has so many loose objects that packing them is due.
  public var isPackingDue: Bool {
    get throws(StoreError) { try store.isUntidy() }
  }

  /// Packs the history, which may take seconds; false if another process is at it.
  public func pack() throws(StoreError) -> Bool { try store.tidy() }
}
