internal import Clibgit2

/// The kind of an entry in a tree; git knows no finer permissions.
public enum FileMode: Sendable, Hashable {
  /// An ordinary file.
  case file
  /// An executable file.
  case executable
  /// A symbolic link; its content is the path of its target.
  case symlink
  /// A submodule: another repository, named by a commit.
  case submodule

  /// Nil for a folder, because folders are not entries here.
  init?(_ mode: git_filemode_t) {
    switch mode {
    case GIT_FILEMODE_BLOB: self = .file
    case GIT_FILEMODE_BLOB_EXECUTABLE: self = .executable
    case GIT_FILEMODE_LINK: self = .symlink
    case GIT_FILEMODE_COMMIT: self = .submodule
    default: return nil
    }
  }

  /// Reads the number used in trees and in the index.
  init?(_ number: UInt32) {
    self.init(git_filemode_t(rawValue: number))
  }

  /// The number used in trees and in the index.
  var number: UInt32 { gitMode.rawValue }

  var gitMode: git_filemode_t {
    switch self {
    case .file: GIT_FILEMODE_BLOB
    case .executable: GIT_FILEMODE_BLOB_EXECUTABLE
    case .symlink: GIT_FILEMODE_LINK
    case .submodule: GIT_FILEMODE_COMMIT
    }
  }
}
