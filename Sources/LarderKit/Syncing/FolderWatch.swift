internal import Foundation
internal import LarderStore
internal import Libc

extension Larder {
  /// Watches the household: adopts edits when they are saved, and syncs with git and the project in
  /// the background.
  ///
  /// The watch works beside this larder, in a thread of its own, from now until `stop` ends it or
  /// nobody reads its events any more; a write in progress is finished first. `interval`, at least a
  /// second, is the time between syncs if nothing changes here. The stream throws
  /// `StoreError.watched` if another process watches the household, and `StoreError.notAHousehold` or
  /// ``ActError/otherHousehold(root:)`` if it is gone, or another one is in its place, for longer than a
  /// minute. Every other error is an event, and the watch goes on.
  public nonisolated func watch(
    every interval: Duration = .seconds(300), until stop: WatchStop = WatchStop()
  ) -> AsyncThrowingStream<WatchEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: WatchEvent.self)
    let left = WatchStop()
    continuation.onTermination = { _ in left.stop() }
    Thread.detachNewThread { [root, context] in
      let watched = Result {
        let stops = [stop.descriptor, left.descriptor]
        try FolderWatch(root: root, context: context, interval: interval, stops: stops) {
          continuation.yield($0)
        }.run()
      }
      switch watched {
      case .success: continuation.finish()
      case .failure(let error): continuation.finish(throwing: error)
      }
    }
    return stream
  }
}

/// A watch of a folder, in which the household may be gone for a while: a backup is put back, or a
/// disk is taken out and comes again.
private struct FolderWatch {
  /// The longest time for which the household may be gone.
  private static let patience = Duration.seconds(60)

  let root: String
  let context: LarderContext
  let interval: Duration
  /// The descriptors of which one is readable at the end.
  let stops: [Int32]
  let report: (WatchEvent) -> Void

  func run() throws {
    var household: String?
    while true {
      do {
        let store = try opened(household)
        household = try household ?? store.read().household.own?.id
        return try Watcher(store, context, every: interval, report: report).run(until: stops)
      } catch is Watcher.FolderReplaced {
        continue
      } catch {
        // What never was there is not waited for.
        guard let known = household, let absence = absence(of: known) else { throw error }
        report(.waiting(for: absence))
        switch wait(for: known) {
        case .isBack: continue
        case .isOver: throw absence
        case .isToEnd: return
        }
      }
    }
  }

  /// Opens the household; throws if it is another one than before.
  private func opened(_ household: String?) throws -> Store {
    let store = try Store.open(from: root, context: context.storeContext)
    // The folder may lie in the folder of another household.
    guard store.root == root, household == nil || store.isThere else {
      throw StoreError.notAHousehold(directory: root)
    }
    guard let household, let own = try store.read().household.own, own.id != household else {
      return store
    }
    throw ActError.otherHousehold(root: root)
  }

  /// Why the household is not in its folder; nil if it is.
  private func absence(of household: String) -> (any Error)? {
    do {
      _ = try opened(household)
      return nil
    } catch ActError.otherHousehold(let root) {
      return ActError.otherHousehold(root: root)
    } catch StoreError.notAHousehold(let directory) {
      return StoreError.notAHousehold(directory: directory)
    } catch {
      return nil
    }
  }

  private enum Wait { case isBack, isOver, isToEnd }

  /// Waits for a household that is gone.
  private func wait(for household: String) -> Wait {
    let end = ContinuousClock.now + Self.patience
    while .now < end {
      var entries = stops.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if poll(&entries, nfds_t(entries.count), 200) > 0 { return .isToEnd }
      if absence(of: household) == nil { return .isBack }
    }
    return .isOver
  }
}
