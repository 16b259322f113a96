internal import Foundation
internal import LarderGit
public import LarderModel
internal import LarderStore

extension Inventory {
  /// Changes of the household at one time, and their cause.
  public struct Change: Sendable {
    public enum Cause: Hashable, Sendable {
      /// A method of this inventory, by the name of its command, such as `inventory add`.
      case command(String)
      /// People: they saved, removed or renamed a file, or committed with plain git.
      case edits
      /// Another program on this device, such as `larder`.
      case otherProgram
      /// Other devices, whose commits were received.
      case sync
    }

    /// The cause; if there were several, the last one in the order of these cases.
    public let cause: Cause
    /// The changed entities, each with its version before and after, in the order of their files.
    public let differences: [EntityDifference]
  }

  /// Returns a stream of all changes of the household from now on, from any source.
  ///
  /// Changes by this inventory are sent before its method returns, others within about a second
  /// (half a minute if the system can't report file changes, or for many files). There may be any
  /// number of listeners, each with its own `for await`; changes wait in memory until a listener
  /// takes them. Changes of a broken or refused file are sent when it is mended. The stream ends
  /// when its task is cancelled, or when the household's folder is gone; until then it keeps the
  /// inventory alive.
  ///
  /// Throws `.store`.
  public func changes() throws(InventoryError) -> AsyncStream<Change> {
    try mapError(try tellNews(), InventoryError.store)
    let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
    let number = listeners.add(continuation)
    continuation.onTermination = { [weak self] _ in
      Task { await self?.leave(number) }
    }
    if listeners.watch == nil { startWatching() }
    return stream
  }

  private func startWatching() {
    let watch = InventoryWatch()
    listeners.watch = watch
    watch.start(store.noticedPlaces) {
      self.queue.run { self.assumeIsolated { $0.look() } }
    } ended: {
      self.queue.run { self.assumeIsolated { $0.finish(watch) } }
    }
  }

  private func leave(_ listener: Int) {
    listeners.remove(listener)
  }

  private func finish(_ watch: InventoryWatch) {
    if listeners.watch === watch { listeners.finish() }
  }

  private func look() -> InventoryWatch.Look {
    do throws(StoreError) {
      if !listeners.isEmpty { try tellNews() }
      return .done
    } catch {
      return store.isThere ? .failed : .gone
    }
  }

  /// Sends the changes of others since the last time.
  private func tellNews() throws(StoreError) {
    let reading = try store.read()
    let commit = reading.head?.commit
    tellNews(reading.household, commit)
    listeners.known = (reading.household, commit)
  }

  private func tellNews(_ household: Household, _ commit: ObjectID?) {
    guard let known = listeners.known else { return }
    let cause = commit.map { self.cause(of: $0, since: known.commit) }
    listeners.tell(cause ?? .edits, from: known.household, to: household)
  }

  /// Sends the changes of a method of this inventory, and before that the changes that the method
  /// found.
  func heard(_ writing: Writing, of command: String) {
    guard !listeners.isEmpty else { return }
    tellNews(writing.base.household, writing.base.commit)
    listeners.tell(.command(command), from: writing.base.household, to: writing.household)
    listeners.known = (writing.household, writing.commit ?? writing.base.commit)
  }

  /// Returns who made the commits since a known one.
  private func cause(of commit: ObjectID, since known: ObjectID?) -> Change.Cause {
    guard commit != known else { return .edits }
    var cause = Change.Cause.edits
    do {
      let own = try store.ownCommits()
      try store.git { repository throws(GitError) in
        try repository.history(from: commit, hiding: [known].compactMap(\.self)) { made in
          let trailers = Trailers(made.message)
          let isForeign = trailers["Larder-Device"] != nil && !own.contains(made)
          if isForeign || made.parents.count > 1 {
            cause = .sync
          } else if let command = trailers["Larder-Command"], command != "adopt" {
            cause = .otherProgram
          }
          return cause != .sync
        }
      }
    } catch {
      // The known commit may be gone because somebody rewrote the history.
      return .otherProgram
    }
    return cause
  }
}

/// The listeners of an inventory, and the last version that they know.
struct Listeners {
  /// The last version that was sent, and its commit; nil if nobody listens.
  var known: (household: Household, commit: ObjectID?)?
  var watch: InventoryWatch?
  private var continuations: [Int: AsyncStream<Inventory.Change>.Continuation] = [:]
  private var count = 0

  var isEmpty: Bool { continuations.isEmpty }

  mutating func add(_ continuation: AsyncStream<Inventory.Change>.Continuation) -> Int {
    count += 1
    continuations[count] = continuation
    return count
  }

  mutating func remove(_ listener: Int) {
    continuations[listener] = nil
    if isEmpty { finish() }
  }

  mutating func finish() {
    let all = continuations.values
    continuations = [:]
    known = nil
    watch?.end()
    watch = nil
    for continuation in all { continuation.finish() }
  }

  func tell(_ cause: Inventory.Change.Cause, from old: Household, to new: Household) {
    let stock = Stock(new)
    let differences = new.differences(from: old).filter { difference in
      [difference.before, difference.after].compactMap(\.self).allSatisfy { stock.isOurs($0) }
    }
    guard !differences.isEmpty else { return }
    let change = Inventory.Change(cause: cause, differences: differences)
    for continuation in continuations.values { continuation.yield(change) }
  }
}

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
