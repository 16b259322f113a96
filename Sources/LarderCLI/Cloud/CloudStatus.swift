import LarderKit

/// `larder cloud status`: the last known state of the project's copy.
enum CloudStatusCommand {
  static let command = Command("cloud status", records: CloudStatus.forms) { invocation in
    try await invocation.withLarder { larder in
      let cloud = try larder.connectedCloud()
      let state = try await cloud.state()
      let household = try larder.read().household
      let report = CloudStatus(
        project: cloud.url, email: try cloud.email, isSignedIn: try cloud.isSignedIn,
        isLocalOnly: try larder.isOn(.localOnly), state: state, household: household,
        sync: try larder.syncStandings().first { $0.target == .cloud },
        time: LocalTime(of: household))
      report.show(invocation.output)
    }
  }
  .explained("{tries}", "\(Outbox.mostRefusals)")
}

extension CloudState.Standing {
  /// The heading of its column.
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension CloudState {
  /// The number of entities in each state, for every kind that has any.
  var kinds: [(kind: Kind, counts: [Int])] {
    Kind.allCases.compactMap { kind in
      counts[kind].map { counts in (kind, Standing.allCases.map { counts[$0] ?? 0 }) }
    }
  }

  /// The counts by kind and state.
  var json: JSON {
    .object(
      kinds.map { kind, counts in
        let counts = zip(Standing.allCases, counts).map { JSONMember($0.rawValue, .number($1)) }
        return JSONMember(kind.rawValue, .object(counts))
      })
  }

  /// The entities and files that the cloud lacks, counted by reason.
  var lacking: [String] {
    [
      count(.pending) > 0 ? "\(count(.pending)) pending" : nil,
      count(.syncing) > 0 ? "\(count(.syncing)) being sent" : nil,
      count(.failed) > 0 ? "\(count(.failed)) refused" : nil,
      count(.parked) > 0 ? "\(count(.parked)) parked" : nil,
      untaken.isEmpty ? nil : counted(untaken.count, "broken or refused file"),
    ].compactMap { $0 }
  }

  /// The waiting changes, in one line; nil if nothing waits.
  var sentence: String? { isComplete ? nil : "for the cloud: " + lacking.joined(separator: ", ") }
}

/// The household's state in its project.
struct CloudStatus {
  let project: String
  let email: String?
  let isSignedIn: Bool
  let isLocalOnly: Bool
  let state: CloudState
  let household: Household
  /// How the syncs with the project went.
  let sync: SyncStanding?
  let time: LocalTime

  func show(_ output: Output) {
    switch output.mode {
    case .json: output.json(json)
    case .plain:
      let email = email.map { [("email", $0)] } ?? []
      output.records([("project", project)] + email + [("isSignedIn", String(isSignedIn))])
      output.records(state.kinds.map { Counts(kind: $0.kind, counts: $0.counts) }, Counts.columns)
      output.records(refusals, Refusal.columns)
      output.records(state.left, LeftRow.columns)
    case .human: showPeople(output)
    }
  }

  private func showPeople(_ output: Output) {
    output.line(project, .bold)
    if isLocalOnly {
      output.line("this household stays local; 'larder config localOnly no' ends that")
    }
    if isSignedIn, let email {
      output.line("signed in as \(email)")
    } else {
      output.line("nobody is signed in")
      output.hint("'larder cloud login \(shellWord(email ?? "EMAIL"))' signs you in")
    }
    if !state.isMember {
      output.line("you do not belong to this household there")
      output.hint(MessageWords.aboutInvitations)
    }
    times.forEach { output.line($0) }
    output.table(
      Table(state.kinds.map { Counts(kind: $0.kind, counts: $0.counts) }, Counts.columns))
    showRefusals(output)
    showLeft(output)
    if !state.untaken.isEmpty {
      output.hint("'larder check' shows the broken and refused files, which no push sends")
    }
    if !isLocalOnly, isSignedIn, state.count(.pending) + state.count(.failed) > 0 {
      output.hint("'larder sync' sends what is pending")
    }
  }

  /// When there was an exchange, and why there is none now.
  ///
  /// A sync pulls, so what was pulled is told only where it is newer.
  private var times: [String] {
    // Nobody being signed in, and not belonging to it, have their lines.
    let isKnown = !isSignedIn || !state.isMember
    if !isKnown, let failure = sync?.sentence(time) { return [failure] }
    let lastSync = sync?.lastSync
    let pulled = state.lastPulledAt.map { max($0, lastSync ?? $0) }
    switch (lastSync, pulled) {
    case (let synced?, let pulled?) where pulled.milliseconds - synced.milliseconds > 60_000:
      return ["last synced at \(time.text(of: synced)), last pulled at \(time.text(of: pulled))"]
    case (let synced?, _): return ["last synced at \(time.text(of: synced))"]
    case (nil, let pulled?):
      return ["last pulled at \(time.text(of: pulled)); never synced both ways"]
    case (nil, nil):
      return [state.hasExchanged ? "something was sent, and nothing pulled yet" : "never synced"]
    }
  }

  private var refusals: [Refusal] {
    state.refusals.values.sorted { ($0.createdAt, $0.key.id) < ($1.createdAt, $1.key.id) }
      .map { entry in
        Refusal(
          entry: entry, standing: state[entry.key].rawValue,
          title: household[entry.key]?.title ?? entry.key.id,
          lastTry: time.text(of: entry.lastAttempt))
      }
  }

  private func showRefusals(_ output: Output) {
    guard !refusals.isEmpty else { return }
    output.line("what the project refused:")
    output.table(Table(refusals, Refusal.columns))
    if state.count(.parked) > 0 {
      output.hint("'larder cloud retry' tries again what is parked")
    }
  }

  private func showLeft(_ output: Output) {
    guard !state.left.isEmpty else { return }
    output.line("what was left in the cloud:")
    output.table(Table(state.left, LeftRow.columns))
    output.hint("rows that are corrected there come with the next pull")
  }

  private var json: JSON {
    let waiting = state.waiting.sorted { EntityKey.precedes($0.key, $1.key) }
    let refused = state.refusals.values.sorted { EntityKey.precedes($0.key, $1.key) }
    return [
      "project": .string(project), "email": email.json, "isSignedIn": .bool(isSignedIn),
      "isLocalOnly": .bool(isLocalOnly), "isMember": .bool(state.isMember),
      "lastSync": (sync?.lastSync).json, "failure": sync?.failure.map { .string($0.reason) },
      "lastPulledAt": state.lastPulledAt.json, "kinds": state.json,
      "pending": .array(waiting.map(json)), "refused": .array(refused.map(\.json)),
      "left": .array(state.left.map(\.json)),
    ]
  }

  private func json(_ key: EntityKey, _ standing: CloudState.Standing) -> JSON {
    [
      "kind": .string(key.kind.rawValue), "id": .string(key.id),
      "state": .string(standing.rawValue), "lastSyncedAt": state.lastSyncedAt(key).json,
    ]
  }

  /// The forms of the records, for the help.
  static var forms: [RecordForm] {
    [
      Column.named.form("project, email and isSignedIn"),
      Counts.columns.form("each kind of thing"), Refusal.columns.form("what the project refused"),
      LeftRow.columns.form("what was left there"),
    ]
  }

  /// The number of a kind's entities in each state.
  private struct Counts {
    let kind: Kind
    let counts: [Int]

    static var columns: [Column<Counts>] {
      [Column("kind") { .text($0.kind.rawValue) }.inTable("Kind").inRecord(1)]
        + CloudState.Standing.allCases.enumerated().map { place, standing in
          Column(standing.rawValue) { .text(String($0.counts[place])) }
            .inTable(standing.title, .right) {
              .init($0.counts[place] == 0 ? "" : String($0.counts[place]))
            }
            .inRecord(place + 2)
        }
    }
  }

  /// An entity that the project refused.
  private struct Refusal {
    let entry: Outbox.Entry
    let standing: String
    let title: String
    let lastTry: String

    static var columns: [Column<Refusal>] {
      [
        Column("'refused'") { _ in .text("refused") }.inRecord(1),
        Column("kind") { .text($0.entry.key.kind.rawValue) }.inRecord(2),
        Column("id") { .text($0.entry.key.id) }.inRecord(3),
        Column(.init("Name")) { .init($0.title) },
        Column("state") { .text($0.standing) }.inTable("State").inRecord(4),
        Column("tries") { .text(String($0.entry.retryCount)) }.inTable("Tries", .right).inRecord(5),
        Column("lastTry") { .text($0.entry.lastAttempt.description) }
          .inTable("Last try") { .init($0.lastTry) }.inRecord(6),
        Column("reason") { .text($0.entry.errorMessage) }
          .inTable("Reason") { .init($0.entry.reason) }.inRecord(7),
      ]
    }
  }
}

extension LeftRow.Reason {
  fileprivate var words: String {
    switch self {
    case .notAllowed: "it is not what the format allows"
    case .tooLong: "it is over 16 MiB"
    }
  }
}

extension LeftRow {
  fileprivate static var columns: [Column<LeftRow>] {
    [
      Column("'left'") { _ in .text("left") }.inRecord(1),
      Column("table") { .text($0.table) }.inTable("Table").inRecord(2),
      Column("id") { .text($0.id) }.inTable("Id").inRecord(3),
      Column("reason") { .text($0.reason.rawValue) }
        .inTable("Reason") { .init($0.reason.words) }.inRecord(4),
    ]
  }
}
