import LarderGit
import LarderJSON
import LarderModel
import LarderStore

/// One commit as the history tells it.
struct Chapter: Sendable {
  let commit: Commit
  /// How the household differs from the version before; nothing for a merge, which only joins.
  let differences: [EntityDifference]

  var subject: String {
    commit.message.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
  }

  /// The device that made it; nil for a commit of plain git.
  var device: String? { Trailers(commit.message)["Larder-Device"] }

  /// The command that made it; nil for a commit of plain git.
  var command: String? { Trailers(commit.message)["Larder-Command"] }

  var at: Instant { Instant(clampingSeconds: commit.author.seconds) }

  /// Who made it and where: `Anna on phone`.
  var who: String {
    let name = commit.author.name
    guard let device else { return "\(name), with git" }
    return name == device ? device : "\(name) on \(device)"
  }

  /// The chapter's part of JSON output.
  func json(_ words: DifferenceWords) -> JSON {
    var members = [
      JSONMember("commit", .string(commit.id.hex)), JSONMember("at", .string(at.description)),
      JSONMember("author", .string(commit.author.name)),
      JSONMember("email", .string(commit.author.email)),
    ]
    if let device { members.append(JSONMember("device", .string(device))) }
    if let command { members.append(JSONMember("command", .string(command))) }
    members.append(JSONMember("subject", .string(subject)))
    members.append(JSONMember("differences", .array(differences.map(words.json))))
    return .object(members)
  }
}
