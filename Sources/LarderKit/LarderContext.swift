public import LarderModel
internal import LarderStore

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The surroundings of a household: the clock, the device, the user, and who hears what happens.
///
/// The defaults suit an app on a user's own machine.
public struct LarderContext: Sendable {
  /// The clock for everything that is written.
  public var now: @Sendable () -> Instant = { Instant.current }
  /// Makes a new id; the instant is the time of the write.
  public var newID: @Sendable (Instant) -> String = { Identifier.random(at: $0) }
  /// The device's name, if it is not the one in the repository's settings.
  public var device: String?
  /// The command that commits name in their `Larder-Command` trailer.
  public var command = "app"
  /// Gives the shell command by which git calls larder to merge, show and adopt files.
  public var program: @Sendable () -> String = { "larder" }
  /// Whether the user has agreed that many files at once were meant to be removed.
  public var acceptsManyRemovals = false
  /// The version of the app, which requests to a project name.
  public var version = "app"
  /// The variables `XDG_CONFIG_HOME` and `HOME`, which say where the credentials file is.
  public var environment: [String: String]
  /// Hears what happens during a call, on any thread.
  public var report: @Sendable (LarderEvent) -> Void = { _ in }

  /// A context with the machine's clock and the process's environment.
  public init() {
    self.init(environment: LarderContext.processEnvironment)
  }

  /// A context with the machine's clock and the given environment.
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
    return context
  }
}

/// A step of a call, told as it happens.
public enum LarderEvent: Sendable {
  /// Edits by hand or commits of plain git were adopted, and stay so if the call fails.
  ///
  /// `root` is the folder of the household.
  case adopted(Writing.Adoption, Household, root: String)
  /// A step of a sync by git.
  case sync(SyncEvent)
  /// An exchange with the project begins.
  case exchangeBegan
  /// The progress of an exchange with the project.
  case progress(CloudProgress)
  /// An exchange with the project is over, whatever came of it.
  case exchangeEnded
  /// A sync's visit to the project is over. The sync itself may still fail.
  case exchanged(CloudOutcome)
  /// So many entities that were made here before anybody signed in name the user now.
  case namedUser(entities: Int)
  /// A request to the project was answered, or failed.
  case request(RequestNote)
}

extension Instant {
  /// The time of the machine's clock.
  public static var current: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
