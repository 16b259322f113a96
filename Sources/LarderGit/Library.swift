internal import Clibgit2

/// libgit2 as a whole, which must be started once before anything else.
enum Library {
  private static let started: Int32 = {
    let count = git_libgit2_init()
    // Without this a power cut may leave a commit that names an empty tree.
    _ = larder_git_set_flag(Int32(bitPattern: GIT_OPT_ENABLE_FSYNC_GITDIR.rawValue), 1)
    return count
  }()

  static func start() {
    _ = started
  }
}
