import LarderGit
import LarderJSON
import LarderModel

/// One commit as the history tells it.
struct Chapter: Sendable {
  let commit: Commit
  /// How the household differs from the version before; nothing for a merge, which only joins.
  let differences: [EntityDifference]
  /// What a merge did not take.
  let losses: [LossWords]

  /// A line for each thing that changed or lost.
  func lines(_ words: DifferenceWords) -> [String] {
    differences.map { words.summary($0) } + losses.map(\.summary)
  }

  /// The chapter's part of JSON output.
  func json(_ words: DifferenceWords) -> JSON {
    .object(
      commit.json + [
        JSONMember("differences", .array(differences.map(words.json))),
        JSONMember("lost", .array(losses.map { .object($0.json) })),
      ])
  }
}
