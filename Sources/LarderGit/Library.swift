internal import Clibgit2

/// libgit2 as a whole, which must be started once before anything else.
enum Library {
  private static let started: Int32 = {
    let count = git_libgit2_init()
    // Without this a power cut may leave a commit that names an empty tree.
    _ = larder_git_set_flag(Int32(bitPattern: GIT_OPT_ENABLE_FSYNC_GITDIR.rawValue), 1)
    // As git has it: zlib's checksum finds what a disk has changed, and doctor looks at the names.
    namesAreVerified(false)
    // Reading a history asks for each folder twice, as it was after one commit and before the next.
    _ = larder_git_keep(GIT_OBJECT_TREE, 1 << 20)
    _ = larder_git_keep_at_most(32 << 20)
    return count
  }()

  /// Whether each object that is read is held against its name, which costs more than reading it.
  ///
  /// It counts for the whole process.
  static func namesAreVerified(_ wish: Bool) {
    _ = larder_git_set_flag(
      Int32(bitPattern: GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION.rawValue), wish ? 1 : 0)
  }

  static func start() {
    _ = started
  }
}
