import LarderModel
import Testing

@Suite("What two versions of one entity come to, case by case")
struct JoinCaseTests {
  @Test("the join is as written", arguments: fieldCases + groupCases + tombstoneCases + ledgerCases)
  func join(_ example: JoinCase) throws {
    let ours = try readCanonical(example.kind, example.ours)
    let theirs = try readCanonical(example.kind, example.theirs)
    let expected = try text(example.kind, example.joined)
    #expect(ours.joined(with: theirs).text == expected)
    #expect(sameBytes(ours.joined(with: theirs).text, expected))
    #expect(sameBytes(theirs.joined(with: ours).text, expected))
  }

  /// Reads a version whose text has to be canonical, the derived values in it too.
  private func readCanonical(_ kind: Kind, _ members: String) throws -> Entity {
    let entity = try entity(kind, members)
    #expect(sameBytes(entity.text, try text(kind, members)), "not canonical: \(entity.text)")
    return entity
  }
}
