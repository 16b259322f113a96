import LarderJSON
import LarderKit
import LarderModel

/// A commit of the history in words and as JSON.
struct LogEntryWords {
  let commit: Commit
  /// The number of new files that have no line.
  let unread: Int
  private let differences: [EntityDifference]
  private let losses: [LossWords]
  private let words: DifferenceWords

  init(_ entry: HistoryEntry, in household: Household, _ words: DifferenceWords) {
    commit = entry.commit
    unread = entry.unread
    differences = entry.differences
    losses = LossWords.all(entry.losses, in: household)
    self.words = words
  }

  /// One line for each changed entity and each value that lost.
  var lines: [String] { differences.map { words.summary($0) } + losses.map(\.summary) }

  /// The commit's part of JSON output.
  var json: JSON {
    .object(
      commit.json + [
        JSONMember("differences", .array(differences.map(words.json))),
        JSONMember("lost", .array(losses.map { .object($0.json) })),
      ])
  }
}
