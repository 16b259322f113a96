import Foundation
import LarderKit
import LarderModel

/// Puts the facts of failures into words, once for all commands.
///
/// What could not be done and why becomes the message, every mistake in a file a problem with its
/// place, and what to do next a hint.
struct Prose: Sendable {
  /// The household's folder, where mistakes are shown with their lines; nil where there is none.
  var root: String?
  /// Whether the history was cut off when cloning, so that what seems missing is only not here.
  var isShallow: Bool
  /// Whether git was asked to leave out objects when cloning, so that some may not be here.
  var isPartial = false
  /// Files that are not told as they lie in the folder, but as git is about to commit them.
  var staged: [String: [UInt8]] = [:]

  init(root: String? = nil, isShallow: Bool = false) {
    self.root = root
    self.isShallow = isShallow
  }

  /// The words for errors of a household; nil for one that could not be opened.
  init(about larder: Larder?) {
    self.init(root: larder?.root, isShallow: larder?.isShallow ?? false)
    isPartial = larder?.isPartial ?? false
  }

  /// The words for any error of the libraries.
  func commandError(for error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let error as UsageError: error.commandError
    case let error as RuleError: error.commandError
    case let error as NamingError: commandError(for: error)
    case let error as StoreError: commandError(for: error)
    case let error as UndoError: commandError(for: error)
    case let error as SyncError: commandError(for: error)
    case let error as GitError: commandError(for: error)
    case let error as CloudError: commandError(for: error)
    case let error as CloudSyncError: commandError(for: error)
    case let error as CloudProjectError: commandError(for: error)
    case let error as CredentialsError: commandError(for: error)
    case let error as CloudUseError: commandError(for: error)
    case let error as CloudJoiningError: commandError(for: error)
    case let error as InputError: commandError(for: error)
    case let error as FileMistakes: commandError(for: error, path: nil)
    default:
      systemError(error as NSError)
        ?? CommandError(.failed, "something went wrong that has no words yet: \(error)")
    }
  }

  /// What Foundation says of a call of the system's; nil for anything else.
  private func systemError(_ error: NSError) -> CommandError? {
    var error: NSError? = error
    var path: String?
    while let found = error {
      path =
        path ?? found.userInfo[NSFilePathErrorKey] as? String
        ?? (found.userInfo[NSURLErrorKey] as? URL)?.path(percentEncoded: false)
      if found.domain == NSPOSIXErrorDomain {
        return commandError(
          for: StoreError.system(action: "use", path: path ?? "a file", code: Int32(found.code)))
      }
      error = (found.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
    }
    return nil
  }
}
