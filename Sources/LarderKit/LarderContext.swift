public import LarderModel
package import LarderStore
internal import Libc
internal import Synchronization

/// The surroundings of a household: the clock, the device, the user, and the receiver of events.
///
/// The defaults suit an app on a user's own machine.
public struct LarderContext: Sendable {
  /// The clock for all writes.
  public var now: @Sendable () -> Instant = { Instant.current }
  /// Makes a new id; the instant is the time of the write.
  public var newID: @Sendable (Instant) -> String = { Identifier.random(at: $0) }
  /// The device's name, if it differs from the one in the repository's settings.
  public var device: String?
  /// The command for the `Larder-Command` trailer of commits.
  public var command = "app"
  /// Returns the shell command that git uses to call larder to merge, show and adopt files.
  public var program: @Sendable () -> String = { "larder" }
  /// Whether the user has confirmed the removal of many files at once.
  public var acceptsManyRemovals = false
  /// How long a change waits for another program that is writing, in milliseconds; then it throws
  /// `StoreError.locked`.
  public var patience: Int64 = 60_000
  /// Whether commits, undos and redos are only rehearsed.
  ///
  /// A rehearsal has the outcome of the real call, but nothing is changed, adopted or sent.
  public var isRehearsal = false
  /// The version of the app, which is sent with requests to a project.
  public var version = "app"
  /// The variables `XDG_CONFIG_HOME` and `HOME`, which determine the path of the credentials file.
  public var environment: [String: String]
  /// Where the larder's calls run; nil for a queue of its own.
  package var executor: (any StoreExecutor)?
  /// Receives the events of a call, on any thread.
  public var report: @Sendable (LarderEvent) -> Void = { _ in }

  /// Creates a context with the machine's clock and the process's environment.
  public init() {
    self.init(environment: LarderContext.processEnvironment)
  }

  /// Creates a context with the machine's clock and the given environment.
  public init(environment: [String: String]) {
    self.environment = environment
  }

  private static var processEnvironment: [String: String] {
    var environment: [String: String] = [:]
    for name in ["XDG_CONFIG_HOME", "HOME"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    return environment
  }

  var storeContext: StoreContext {
    var context = StoreContext(now: now, newID: newID, device: device)
    context.acceptsManyRemovals = acceptsManyRemovals
    context.isRehearsal = isRehearsal
    context.patience = patience
    context.waits = { [report] in report(.waiting) }
    return context
  }
}

/// A step of a call, reported when it happens.
public enum LarderEvent: Sendable {
  /// Edits by hand or commits of plain git were adopted; they stay adopted if the call fails.
  ///
  /// `root` is the folder of the household.
  case adopted(Writing.Adoption, Household, root: String)
  /// Another process is writing, and the call waits for it; reported many times a second.
  case waiting
  /// A step of a sync by git.
  case sync(SyncEvent)
  /// An exchange with the project begins.
  case exchangeBegan
  /// The progress of an exchange with the project.
  case progress(CloudProgress)
  /// An exchange with the project ended, with success or failure.
  case exchangeEnded
  /// The project's part of a sync ended; the sync itself may still fail.
  case exchanged(CloudOutcome)
  /// This number of entities, created here before anybody signed in, now name the user.
  case namedUser(entities: Int)
  /// A request to the project was answered or failed.
  case request(RequestNote)
}

/// The readers of a larder's events.
final class EventReaders: Sendable {
  private let readers = Mutex<(all: [Int: AsyncStream<LarderEvent>.Continuation], count: Int)>(
    ([:], 0))

  func stream() -> AsyncStream<LarderEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: LarderEvent.self)
    let number = readers.withLock { readers in
      readers.count += 1
      readers.all[readers.count] = continuation
      return readers.count
    }
    continuation.onTermination = { [weak self] _ in
      self?.readers.withLock { $0.all[number] = nil }
    }
    return stream
  }

  func send(_ event: LarderEvent) {
    for reader in readers.withLock({ Array($0.all.values) }) { reader.yield(event) }
  }

  deinit {
    for reader in readers.withLock({ Array($0.all.values) }) { reader.finish() }
  }
}

extension Instant {
  /// The time of the machine's clock.
  public static var current: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
