internal import Clibgit2

/// What kind of file an entry of a tree is; git knows no finer permissions.
public enum FileMode: Sendable, Hashable {
  /// An ordinary file.
  case file
  /// A file that may be run.
  case executable
  /// A symbolic link, whose content is the path it points to.
  case symlink
  /// Another repository, of which only a commit is named.
  case submodule

  /// The mode of a folder is nil: folders aren't entries of their own here.
  init?(_ mode: git_filemode_t) {
    switch mode {
    case GIT_FILEMODE_BLOB: self = .file
    case GIT_FILEMODE_BLOB_EXECUTABLE: self = .executable
    case GIT_FILEMODE_LINK: self = .symlink
    case GIT_FILEMODE_COMMIT: self = .submodule
    default: return nil
    }
  }

  /// Reads the number that stands in trees and in the index.
  init?(_ number: UInt32) {
    self.init(git_filemode_t(rawValue: number))
  }

  /// The number that stands in trees and in the index.
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
