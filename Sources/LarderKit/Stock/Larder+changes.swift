internal import Foundation
internal import LarderGit
public import LarderModel
internal import LarderStore
internal import Libc

extension Larder {
  /// Changes of the household at one time, and their cause.
  public struct Changes: Sendable {
    public enum Cause: Hashable, Sendable {
      /// A call of this larder.
      case own
      /// People: they saved, removed or renamed a file, or committed with plain git.
      case edits
      /// Another program on this device, such as `larder`, or another larder of this one.
      case otherProgram
      /// Other devices, whose commits were received.
      case sync
    }

    /// The cause; if there were several, the last one in the order of these cases.
    public let cause: Cause
    /// The changed entities, each with its version before and after, in the order of their files.
    public let differences: [EntityDifference]
  }

  /// Returns a stream of the household: as it is now, and after each change by anyone.
  ///
  /// Changes by this larder are sent before its call returns, others within about a second (half a
  /// minute if the system can't report file changes, or for many files). Only the newest household
  /// waits for a slow reader. There may be any number of readers, each with its own stream. It begins
  /// as soon as the household can be read, and ends when its task is cancelled, or when the
  /// household's folder is gone; until then it keeps the larder alive.
  public nonisolated func surveys() -> AsyncStream<Survey> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Survey.self, bufferingPolicy: .bufferingNewest(1))
    Task {
      await listen(.surveys(continuation))
      _ = await look()
    }
    return stream
  }

  /// Returns a stream of all changes of the household from now on, by anyone.
  ///
  /// They are sent as soon as those of ``surveys()``. All of them wait in memory until a reader takes
  /// them. Changes of a broken or refused file are sent when it is mended.
  public func changes() throws -> AsyncStream<Changes> {
    try tellNews()
    let (stream, continuation) = AsyncStream.makeStream(of: Changes.self)
    listen(.changes(continuation))
    return stream
  }

  private func listen(_ listener: Listener) {
    let number = listeners.add(listener)
    listener.atEnd { [weak self] in
      Task { await self?.leave(number) }
    }
    if listeners.watch == nil { startWatching() }
  }

  private func startWatching() {
    let watch = HouseholdWatch()
    listeners.watch = watch
    watch.start(store.noticedPlaces) {
      CallingThread.run { _ in await self.look() }
    } ended: {
      CallingThread.run { _ in await self.finish(watch) }
    }
  }

  private func leave(_ listener: Int) {
    listeners.remove(listener)
  }

  private func finish(_ watch: HouseholdWatch) {
    if listeners.watch === watch { listeners.finish() }
  }

  private func look() -> HouseholdWatch.Look {
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
    tellNews(reading.household, reading.head?.commit)
  }

  private func tellNews(_ household: Household, _ commit: ObjectID?) {
    var cause = Changes.Cause.edits
    if let known = listeners.known, let commit {
      cause = self.cause(of: commit, since: known.commit)
    }
    listeners.tell(cause, from: listeners.known?.household, to: household, now: context.now())
    listeners.known = (household, commit)
  }

  /// Sends the changes of a call of this larder, and before that the changes that the call found.
  func heard(_ writing: Writing) {
    guard !listeners.isEmpty, !context.isRehearsal else { return }
    let (household, commit) = writing.base
    tellNews(household, commit)
    listeners.tell(.own, from: household, to: writing.household, now: context.now())
    listeners.known = (writing.household, writing.commit ?? commit)
  }

  /// Returns who made the commits since a known one.
  private func cause(of commit: ObjectID, since known: ObjectID?) -> Changes.Cause {
    guard commit != known else { return .edits }
    var cause = Changes.Cause.edits
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

/// A reader of a larder's streams.
enum Listener: Sendable {
  case changes(AsyncStream<Larder.Changes>.Continuation)
  case surveys(AsyncStream<Survey>.Continuation)

  func atEnd(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .changes(let continuation): continuation.onTermination = { _ in body() }
    case .surveys(let continuation): continuation.onTermination = { _ in body() }
    }
  }

  func finish() {
    switch self {
    case .changes(let continuation): continuation.finish()
    case .surveys(let continuation): continuation.finish()
    }
  }
}

/// The readers of a larder's streams, and the last version that they know.
struct Listeners {
  /// The last version that was sent, and its commit; nil if nobody listens.
  var known: (household: Household, commit: ObjectID?)?
  var watch: HouseholdWatch?
  private var all: [Int: Listener] = [:]
  /// The readers who have had nothing yet.
  private var new: Set<Int> = []
  private var count = 0

  var isEmpty: Bool { all.isEmpty }

  mutating func add(_ listener: Listener) -> Int {
    count += 1
    all[count] = listener
    new.insert(count)
    return count
  }

  mutating func remove(_ listener: Int) {
    all[listener] = nil
    new.remove(listener)
    if isEmpty { finish() }
  }

  mutating func finish() {
    let left = all.values
    all = [:]
    new = []
    known = nil
    watch?.end()
    watch = nil
    for listener in left { listener.finish() }
  }

  /// Sends what differs between two versions, and to who has had nothing yet the newer one.
  mutating func tell(
    _ cause: Larder.Changes.Cause, from old: Household?, to household: Household, now: Instant
  ) {
    let differences = old.map { household.toldDifferences(from: $0) } ?? []
    let hasChanged = !differences.isEmpty || old?.untaken != household.untaken
    lazy var survey = Survey(household, now: now)
    lazy var own = differences.filter { difference in
      [difference.before, difference.after].compactMap(\.self)
        .allSatisfy { survey.stock.isOurs($0) }
    }
    for (number, listener) in all {
      switch listener {
      case .changes(let continuation):
        if hasChanged, !own.isEmpty {
          continuation.yield(Larder.Changes(cause: cause, differences: own))
        }
      case .surveys(let continuation):
        guard hasChanged || new.contains(number) else { continue }
        // Who left before the first one has not been told from.
        if case .terminated = continuation.yield(survey) { all[number] = nil }
      }
    }
    new = []
    if isEmpty { finish() }
  }
}

/// A watch over a household's files in a separate thread, until it is ended.
final class HouseholdWatch: Sendable {
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
