import LarderJSON
import LarderModel
import Testing

/// What an edit of a file means, from the texts of its versions.
func adopt(
  _ after: EntityFile, over befores: [EntityFile] = [], known: Entity? = nil, id: String? = nil,
  at: Instant = moment(10), hasReceipt: Bool = false, isCopy: Bool = false,
  history: [EntityFile] = []
) throws -> FileAdoption.Outcome {
  var adoption = FileAdoption(
    after: after, befores: befores, known: known, id: id ?? after.id ?? known?.id ?? uuid(100),
    at: at, userID: uuid(801), householdID: uuid(701), history: { history.map { OlderFile($0) } })
  adoption.hasReceipt = hasReceipt
  adoption.isCopy = isCopy
  let outcome = try adoption.outcome()
  let again = try adoption.outcome()
  #expect(sameBytes(outcome.entity.text, again.entity.text), "adopting twice differs")
  #expect(try outcome.entity.reread() == outcome.entity, "what was adopted reads back differently")
  return outcome
}

/// What an edit of a file that Larder wrote means.
func adoptEdit(
  _ kind: Kind, from before: String, to after: String, at: Instant = moment(10),
  history: [String] = []
) throws -> FileAdoption.Outcome {
  let old = try file(kind, before)
  return try adopt(
    try file(kind, after), over: [old], known: Entity(old), at: at,
    history: try history.map { try file(kind, $0) })
}

/// The canonical text of a version, from what it says beside the frame.
func expectText(
  _ outcome: FileAdoption.Outcome, _ kind: Kind, _ members: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let expected = try text(kind, members)
  #expect(outcome.entity.text == expected, sourceLocation: sourceLocation)
  #expect(sameBytes(outcome.entity.text, expected), sourceLocation: sourceLocation)
}
