internal import Foundation
internal import LarderStore

/// The folder beside a new one in which a clone is made, until it takes its place.
///
/// Its lock is held as long as this process, or a git that it started, is at work in it; what a
/// killed one left has no lock any more, and is removed by the next.
final class CloneDraft {
  let path: String
  private let target: String
  private let descriptor: Int32

  /// How many bytes of a name leave room for the draft's own, of the 255 that file systems allow.
  private static let longestName = 240

  /// Waits up to `patience` milliseconds for another that is at work there.
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
    // Not closed in the programs that this one starts, which keep the lock so.
    descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw SyncError.folderInUse(path) }
    // A git that a killed larder had started ends by itself soon.
    let began = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now - began < Duration.milliseconds(patience) else {
        throw SyncError.joining(target)
      }
      usleep(50_000)
    }
    // The other one may have put it in its place meanwhile.
    guard FileManager.default.fileExists(atPath: path) else {
      throw SyncError.folderInUse(target)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
  }

  /// Gives the folder its name; nothing may have come there meanwhile.
  func place() throws {
    guard rename(path, target) == 0 else { throw SyncError.folderInUse(target) }
  }

  deinit {
    close(descriptor)
  }
}
