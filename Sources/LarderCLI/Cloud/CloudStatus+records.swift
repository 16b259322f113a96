import LarderKit
import LarderModel

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
