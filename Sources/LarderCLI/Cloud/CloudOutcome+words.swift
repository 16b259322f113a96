import LarderJSON
import LarderKit
import LarderModel

extension CloudOutcome {
  /// The error of the project or this device, in words.
  var refusal: CommandError? { failure.map { MessageWords().commandError(for: $0) } }

  /// The values that both sides had written and that were not taken, in words.
  var lossWords: [LossWords] { household.map { LossWords.all(losses, in: $0) } ?? [] }

  /// Reports the outcome, after the result of the sync by git if there was one.
  ///
  /// Throws the exit code for a cloud that refuses something.
  func report(_ words: SyncWords?, _ output: Output) throws {
    note(output)
    if let words {
      words.report(output, also: member)
    } else {
      reportAlone(output)
    }
    try check()
  }

  /// Writes the outcome and its warnings to standard error.
  func note(_ output: Output) {
    if let pulled { CloudWords.warn(about: pulled.refused, output) }
    if let pushed { CloudWords.warn(about: pushed.failed, in: pushed.household, output) }
    if let offline {
      output.note(
        .warning,
        "the cloud can't be reached: \(offlineWords(offline.reason)); \(counted(offline.pending, "thing")) wait\(offline.pending == 1 ? "s" : "") for it"
      )
    } else if let pulled, let pushed {
      output.note(CloudWords.verdict(pulled, pushed), CloudWords.line(pulled, pushed))
      CloudWords.hint(about: pulled, output)
    }
  }

  func check() throws {
    if let pushed { try CloudWords.check(pushed.state) }
  }

  var member: JSONMember { JSONMember("cloud", json) }

  private func reportAlone(_ output: Output) {
    switch output.mode {
    case .json:
      output.changed(
        changed, in: household ?? Household(),
        [member, LossWords.member(lossWords)])
    case .plain: output.records([("changed", String(changed.count))])
    case .human:
      if let pulled {
        output.changes(pulled.changed, from: pulled.before, to: pulled.household)
      }
    }
  }

  private var json: JSON {
    var members: [JSONMember] = []
    if let pulled { members.append(JSONMember("pulled", .object(CloudWords.pullMembers(pulled)))) }
    if let pushed { members.append(JSONMember("pushed", .object(CloudWords.pushMembers(pushed)))) }
    if let offline {
      members.append(JSONMember("offline", .string(offlineWords(offline.reason))))
      members.append(JSONMember("pending", .number(String(offline.pending))))
    }
    return .object(members)
  }

  private func offlineWords(_ error: TransportError) -> String {
    MessageWords().commandError(for: error).message
  }
}
