internal import LarderStore
internal import Foundation

/// A watch over a household's files in a separate thread, until it is ended.
final class InventoryWatch: Sendable {
  /// The result of a look at the changes.
  enum Look {
    case done
    /// The household could not be read now.
    case failed
    /// The household is no longer there.
    case gone
  }

  private let stop = Pipe()

  /// The time without changes before a look, so a burst counts as one change; and the longest time
  /// that continuous writing can delay the look.
  private static let quiet = Duration.milliseconds(100)
  private static let patience = Duration.seconds(1)

  /// Starts the watch; calls `look` once at the beginning and after every change.
  ///
  /// Calls `ended` if the watch fails, but not after ``end()``.
  func start(
    _ places: [NoticedPlace], look: @escaping @Sendable () -> Look,
    ended: @escaping @Sendable () -> Void
  ) {
    Thread.detachNewThread { [self] in
      do throws(StoreError) {
        try run(try FileNotices(of: places), look)
      } catch {
        ended()
      }
    }
  }

  func end() { stop.fileHandleForWriting.write(Data([0])) }

  private func run(_ notices: FileNotices, _ look: () -> Look) throws(StoreError) {
    let stop = stop.fileHandleForReading.fileDescriptor
    // The first look finds what changed before the watch began.
    var isDue = true
    while true {
      let limit = isDue ? .zero : Duration.seconds(3600)
      var heard = try notices.wait(atMost: limit, orReadable: [stop])
      let end = ContinuousClock.now + Self.patience
      while heard.hasChanged, !heard.readable.contains(stop), ContinuousClock.now < end {
        isDue = true
        heard = try notices.wait(atMost: Self.quiet, orReadable: [stop])
      }
      if heard.readable.contains(stop) { return }
      guard isDue else { continue }
      switch look() {
      case .done: isDue = false
      case .failed: _ = try notices.wait(atMost: Self.patience, orReadable: [stop])
      case .gone: throw .notAHousehold(directory: "")
      }
    }
  }
}
