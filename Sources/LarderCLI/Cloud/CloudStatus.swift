import LarderKit

/// `larder cloud status`: the last known state of the project's copy.
enum CloudStatusCommand {
  static let command = Command("cloud status", records: CloudStatus.forms) { invocation in
    try invocation.withLarder { larder in
      let cloud = try larder.connectedCloud()
      let state = try cloud.state()
      let household = try larder.read().household
      let report = CloudStatus(
        project: cloud.url, email: try cloud.email, isSignedIn: try cloud.isSignedIn,
        isLocalOnly: try larder.isOn(.localOnly), state: state, household: household,
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
        JSONMember(
          kind.rawValue,
          .object(
            zip(Standing.allCases, counts).map {
              JSONMember($0.rawValue, .number(String($1)))
            }))
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
  var sentence: String? {
    isComplete ? nil : "for the cloud: " + lacking.joined(separator: ", ")
  }
}

/// The household's state in its project.
struct CloudStatus {
  let project: String
  let email: String?
  let isSignedIn: Bool
  let isLocalOnly: Bool
  let state: CloudState
  let household: Household
  let time: LocalTime

  func show(_ output: Output) {
    switch output.mode {
    case .json: output.json(members)
    case .plain: showRecords(output)
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
    if let pulled = state.lastPulledAt {
      output.line("last pulled at \(time.text(of: pulled))")
    } else if !state.hasExchanged {
      output.line("nothing was exchanged yet")
    }
    let columns =
      [Table.Layout("Kind")]
      + CloudState.Standing.allCases.map {
        Table.Layout($0.title, .right)
      }
    output.table(
      Table(
        columns: columns,
        rows: state.kinds.map { kind, counts in
          [.init(kind.rawValue)] + counts.map { .init($0 == 0 ? "" : String($0)) }
        }
      ).withoutEmptyColumns)
    showRefusals(output)
    showLeft(output)
    if !state.untaken.isEmpty {
      output.hint("'larder check' shows the broken and refused files, which no push sends")
    }
    if state.count(.pending) + state.count(.failed) > 0 {
      output.hint("'larder sync' sends what is pending")
    }
  }

  var refusals: [Outbox.Entry] {
    state.refusals.values.sorted { ($0.createdAt, $0.key.id) < ($1.createdAt, $1.key.id) }
  }

  private func showRefusals(_ output: Output) {
    guard !refusals.isEmpty else { return }
    output.line("what the project refused:")
    output.table(
      Table(
        columns: [
          .init("Name"), .init("State"), .init("Tries", .right), .init("Last try"), .init("Reason"),
        ],
        rows: refusals.map { entry in
          [
            .init(household[entry.key]?.title ?? entry.key.id),
            .init(state[entry.key].rawValue), .init(String(entry.retryCount)),
            .init(time.text(of: entry.lastAttempt)), .init(entry.reason),
          ]
        }))
    if state.count(.parked) > 0 {
      output.hint("'larder cloud retry' tries again what is parked")
    }
  }

  private func showLeft(_ output: Output) {
    guard !state.left.isEmpty else { return }
    output.line("what was left in the cloud:")
    output.table(
      Table(
        columns: [.init("Table"), .init("Id"), .init("Reason")],
        rows: state.left.map { [.init($0.table), .init($0.id), .init($0.reason.words)] }))
    output.hint("rows that are corrected there come with the next pull")
  }

  private func lastSyncedAt(_ key: EntityKey) -> JSONMember {
    JSONMember(
      "lastSyncedAt", state.lastSyncedAt(key).map { .string($0.description) } ?? .null)
  }

  private var members: [JSONMember] {
    [
      JSONMember("project", .string(project)),
      JSONMember("email", email.map { .string($0) } ?? .null),
      JSONMember("isSignedIn", .bool(isSignedIn)), JSONMember("isLocalOnly", .bool(isLocalOnly)),
      JSONMember("isMember", .bool(state.isMember)),
      JSONMember("lastPulledAt", state.lastPulledAt.map { .string($0.description) } ?? .null),
      JSONMember("kinds", state.json),
      JSONMember(
        "pending",
        .array(
          state.waiting.sorted { EntityKey.precedes($0.key, $1.key) }.map { key, standing in
            .object([
              JSONMember("kind", .string(key.kind.rawValue)), JSONMember("id", .string(key.id)),
              JSONMember("state", .string(standing.rawValue)), lastSyncedAt(key),
            ])
          })),
      JSONMember(
        "refused",
        .array(
          state.refusals.values.sorted { EntityKey.precedes($0.key, $1.key) }.map(\.json))),
      JSONMember("left", .array(state.left.map(\.json))),
    ]
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

extension CloudStatus {
  /// The forms of the records, for the help.
  static var forms: [RecordForm] {
    [
      Record.named.form("project, email and isSignedIn"), countRecord.form("each kind of thing"),
      refusalRecord.form("what the project refused"), leftRecord.form("what was left there"),
    ]
  }

  func showRecords(_ output: Output) {
    let email = email.map { [("email", $0)] } ?? []
    output.records([("project", project)] + email + [("isSignedIn", String(isSignedIn))])
    output.records(state.kinds.map { Counts(kind: $0.kind, counts: $0.counts) }, Self.countRecord)
    output.records(
      refusals.map { Refusal(entry: $0, standing: state[$0.key]) }, Self.refusalRecord)
    output.records(state.left, Self.leftRecord)
  }

  /// The number of a kind's entities in each state.
  private struct Counts {
    let kind: Kind
    let counts: [Int]

    func text(_ standing: CloudState.Standing) -> String {
      zip(CloudState.Standing.allCases, counts).first { $0.0 == standing }.map { String($0.1) }
        ?? ""
    }
  }

  /// An entity that the project refused.
  private struct Refusal {
    let entry: Outbox.Entry
    let standing: CloudState.Standing
  }

  private static let countRecord = Record<Counts>(
    ("kind", { $0.kind.rawValue }), ("synced", { $0.text(.synced) }),
    ("pending", { $0.text(.pending) }), ("syncing", { $0.text(.syncing) }),
    ("failed", { $0.text(.failed) }), ("parked", { $0.text(.parked) }))

  private static let refusalRecord = Record<Refusal>(
    ("'refused'", { _ in "refused" }), ("kind", { $0.entry.key.kind.rawValue }),
    ("id", { $0.entry.key.id }), ("state", { $0.standing.rawValue }),
    ("tries", { String($0.entry.retryCount) }), ("lastTry", { $0.entry.lastAttempt.description }),
    ("reason", { $0.entry.errorMessage }))

  private static let leftRecord = Record<LeftRow>(
    ("'left'", { _ in "left" }), ("table", { $0.table }), ("id", { $0.id }),
    ("reason", { $0.reason.rawValue }))
}
