import LarderGit
import LarderJSON
import LarderModel
import LarderStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Invocation {
  /// The folder that the command works in, as `-C` or the shell has it.
  var directory: String { self[GlobalOption.directory] ?? "." }

  /// The clock: `LARDER_NOW` where it is set, else the machine's.
  func clock() throws -> @Sendable () -> Instant {
    guard let text = environment["LARDER_NOW"] else { return { Instant.current } }
    guard let instant = Instant(text) else {
      throw unreadable(text, for: "LARDER_NOW", "an instant like 2026-11-03T19:12:44Z is needed")
    }
    return { instant }
  }

  /// What a store takes from the surroundings of this run.
  func storeContext() throws -> StoreContext {
    let device = environment["LARDER_DEVICE"]
    if let device { try checkDevice(device, for: "LARDER_DEVICE") }
    var context = StoreContext(now: try clock(), device: device)
    // Elsewhere the same option agrees to what the command itself asks.
    context.acceptsManyRemovals = has(GlobalOption.yes) && ["adopt", "sync"].contains(path.last)
    return context
  }

  /// A device's name stands in a line of commits and ledgers.
  func checkDevice(_ name: String, for source: String) throws {
    guard !name.isEmpty, Signature.cleaned(name) == name, sanitize(name) == name else {
      throw unreadable(
        name, for: source, "a name of one line without < and > is needed, such as kitchen-tablet")
    }
  }

  /// Runs something on the household that the command is about, with its errors in words.
  func withStore<Value>(_ body: (Store) throws -> Value) throws -> Value {
    var opened: Store?
    do {
      let store = try Store.open(from: directory, context: storeContext())
      opened = store
      log(.store, "opened \(store.root)")
      // A command that fails may have committed before.
      defer {
        if store.hasCommitted { log(.store, "committed") }
        TidyCommand.startIfDue(for: store, self)
        AutoSync.startIfDue(for: store, self)
      }
      return try body(store)
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw Prose(about: opened).commandError(for: error)
    }
  }

  /// Says on standard error what adopting people's edits brought up.
  func warn(about adoption: Writing.Adoption?, in store: Store, _ household: Household) {
    guard let adoption else { return }
    warn(about: adoption.notes, in: store, household)
  }

  /// Says on standard error what reading people's edits brought up.
  func warn(about notes: [HouseholdAdoption.Note], in store: Store, _ household: Household) {
    for problem in Prose(root: store.root).problems(notes, in: household) { output.warn(problem) }
  }
}

extension Instant {
  /// What the machine's clock says.
  static var current: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
