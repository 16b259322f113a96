import LarderGit
import LarderJSON
import LarderModel

/// One commit as the history tells it.
struct Chapter: Sendable {
  let commit: Commit
  /// How the household differs from the version before; nothing for a merge, which only joins.
  let differences: [EntityDifference]

  /// The chapter's part of JSON output.
  func json(_ words: DifferenceWords) -> JSON {
    .object(
      commit.json + [JSONMember("differences", .array(differences.map(words.json)))])
  }
}
