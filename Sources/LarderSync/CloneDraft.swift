internal import Foundation
internal import LarderStore

/// The temporary folder, next to a new one, in which a clone is made before it gets its name.
///
/// This process, or a git that it started, holds the folder's lock while it works there. A killed
/// process leaves a folder without a lock, and the next clone removes its content.
final class CloneDraft {
  let path: String
  private let target: String
  private let descriptor: Int32

  /// The longest name of a new folder, in bytes; with the draft's additions it stays below the 255
  /// bytes that file systems allow.
  private static let longestName = 240

  /// Waits up to `patience` milliseconds for another process that works in the folder.
  init(for directory: String, patience: Int64) throws {
    let place = URL(filePath: directory).standardizedFileURL
    target = place.path(percentEncoded: false)
    guard place.lastPathComponent.utf8.count <= CloneDraft.longestName else {
      throw StoreError.system(action: "make", path: target, code: ENAMETOOLONG)
    }
    path =
      place.deletingLastPathComponent()
      .appending(path: ".\(place.lastPathComponent).larder-new").path(percentEncoded: false)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
    // The programs that this process starts inherit the descriptor, so they keep the lock too.
    descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw SyncError.folderInUse(path) }
    // If larder was killed, its git ends by itself soon.
    let began = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now - began < Duration.milliseconds(patience) else {
        throw SyncError.joining(target)
      }
      usleep(50_000)
    }
    // The other process may have renamed the folder meanwhile.
    guard FileManager.default.fileExists(atPath: path) else {
      throw SyncError.folderInUse(target)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
  }

  /// Renames the draft to its final name; fails if something was created there meanwhile.
  func place() throws {
    guard rename(path, target) == 0 else { throw SyncError.folderInUse(target) }
  }

  deinit {
    close(descriptor)
  }
}
