internal import LarderStore
internal import Foundation

/// Notices in a thread of its own what happens to a household's files, until it is ended.
final class InventoryWatch: Sendable {
  /// What came of looking at what has changed.
  enum Look {
    case done
    /// It could not be seen just now.
    case failed
    /// The household is no longer there.
    case gone
  }

  private let stop = Pipe()

  /// How long nothing may change before it is looked at, so that a burst is one change, and how long
  /// somebody who goes on writing can put that off.
  private static let quiet = Duration.milliseconds(100)
  private static let patience = Duration.seconds(1)

  /// Calls `look` whenever something has changed, and once at the beginning; `ended` where it can't go
  /// on, not where it is ended.
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
    // What has changed before the files were watched is looked for once.
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
