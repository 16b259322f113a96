import Foundation
import LarderKit

/// The words for all errors, in one place for all commands.
///
/// The message says what failed and why. Every mistake in a file is a problem with its position.
/// Hints say what to do next.
struct MessageWords: Sendable {
  /// The household's folder, for showing the lines of mistakes; nil if there is none.
  var root: String?
  /// Whether the clone is shallow, so something missing may only be missing here.
  var isShallow: Bool
  /// Whether the clone is partial, so some objects may be missing.
  var isPartial = false

  init(root: String? = nil, isShallow: Bool = false) {
    self.root = root
    self.isShallow = isShallow
  }

  /// Creates the words for errors of a household; nil if it could not be opened.
  init(about larder: Larder?) {
    self.init(root: larder?.root, isShallow: larder?.isShallow ?? false)
    isPartial = larder?.isPartial ?? false
  }

  /// Returns the words for any error of the libraries.
  func commandError(for error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let error as UsageError: error.commandError
    case let error as RuleError: error.commandError
    case let error as SheetMistakes: commandError(for: error)
    case let error as ImportMistakes: commandError(for: error)
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
    case let error as ThingMistakes: error.commandError
    case let error as ReceiptForm.Mistakes: error.commandError
    case let error as FileMistakes: commandError(for: error, path: nil)
    default:
      systemError(error as NSError)
        ?? CommandError(.failed, "something went wrong that has no words yet: \(error)")
    }
  }

  /// Returns the words for a system error from Foundation; nil for other errors.
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
