import LarderGit
import LarderModel
import LarderStore
import LarderSync

/// What a watch says: a line on standard error for each thing that happens, with the time.
struct WatchWords {
  let store: Store
  let interval: Duration
  let clock: @Sendable () -> Instant
  /// Whose time of day the lines have.
  let calendar: HouseholdCalendar
  let output: Output

  /// How many changes are told one by one.
  private static let most = 20

  func report(_ event: WatchEvent) {
    switch event {
    case .began(let isLooking):
      say("🔄 watching \(store.root), \(syncing)")
      if isLooking { sayLooking() }
    case .looking: sayLooking()
    case .adopted(let adoption, let household, let head):
      tell(adoption, household, since: head)
    case .waiting(let error): say("⚠️ waiting: " + prose.commandError(for: error).message)
    case .failed(let error): fail(error)
    case .synced(let outcome, let head): tell(outcome, since: head)
    case .syncFailed(let error, let rest):
      fail(error, ending: "; trying again in \(rest.words), then less and less often")
    }
  }

  /// Says that the watch is over.
  func ended() {
    say("✅ ended")
  }

  private var prose: Prose {
    Prose(root: store.root, isShallow: store.repository?.isShallow ?? false)
  }

  private var syncing: String {
    let remotes = telling { try store.repository?.remotes() }
    return remotes == []
      ? "which has no remote to sync with yet" : "syncing every \(interval.words)"
  }

  private func sayLooking() {
    say("⚠️ the system does not tell of changes, so the files are looked at every few seconds")
  }

  private func fail(_ error: any Error, ending: String = "") {
    let failure = prose.commandError(for: error)
    say("❌ " + failure.message + ending)
    failure.problems.forEach(warn)
  }

  private func warn(_ problem: Problem) {
    say("⚠️ " + [problem.place, problem.message].compactMap(\.self).joined(separator: ": "))
  }

  private func tell(
    _ adoption: Writing.Adoption, _ household: Household, since head: ObjectID?
  ) {
    prose.problems(adoption.notes, in: household).forEach(warn)
    tell(adoption.changed, household, since: head, as: "📝 adopted")
  }

  private func tell(_ outcome: SyncOutcome, since head: ObjectID?) {
    let words = SyncWords(outcome: outcome)
    for warning in words.warnings { say(warning) }
    say("✅ " + words.sentence)
    let adopted = Set(outcome.adoptions.flatMap(\.changed))
    guard !adopted.isEmpty || !outcome.changed.isEmpty, let household = now() else { return }
    for adoption in outcome.adoptions {
      prose.problems(adoption.notes, in: household).forEach(warn)
    }
    tell(Array(adopted), household, since: head, as: "📝 adopted")
    tell(
      outcome.changed.filter { !adopted.contains($0) }, household, since: head, as: "📥 received")
  }

  private func tell(
    _ keys: [EntityKey], _ household: Household, since head: ObjectID?, as verb: String
  ) {
    guard !keys.isEmpty else { return }
    guard let before = head.map({ before($0) }) ?? Household() else { return }
    let words = DifferenceWords(before: before, after: household)
    let wanted = Set(keys)
    let differences = household.differences(from: before).filter { wanted.contains($0.key) }
    for difference in differences.prefix(Self.most) {
      say("\(verb) \(words.summary(difference))")
    }
    let rest = differences.count - Self.most
    if rest > 0 { say("\(verb) \(rest) more; 'larder log' tells them all") }
  }

  private func now() -> Household? {
    telling { try store.read().household }
  }

  private func before(_ head: ObjectID) -> Household? {
    telling { try store.household(at: head.hex) ?? Household() }
  }

  /// What can't be read to tell of it is told as such; the watch goes on.
  private func telling<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      fail(error)
      return nil
    }
  }

  private func say(_ text: String) {
    output.note("\(calendar.text(of: clock())) \(text)")
  }
}
