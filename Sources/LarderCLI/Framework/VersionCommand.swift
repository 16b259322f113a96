internal import Ccommit
import LarderKit

/// `larder version`: the versions of this program, of its format and of git.
enum VersionCommand {
  static let command = Command("version", group: "Help", records: [Record.named.form()]) {
    invocation in
    let git = GitVersion.program()
    let commit = SourceCommit.ofThisProgram
    switch invocation.output.mode {
    case .json:
      invocation.output.json([
        "larder": .string(Root.version), "commit": commit.map { .string($0.id) } ?? .null,
        "commitDay": commit.map { .string($0.day) } ?? .null, "format": .number(Schema.format),
        "libgit2": .string(GitVersion.library), "git": git.map { .string($0) } ?? .null,
      ])
    case .plain:
      invocation.output.records([
        ("larder", Root.version), ("commit", commit?.id ?? "unknown"),
        ("commitDay", commit?.day ?? "unknown"), ("format", Schema.format),
        ("libgit2", GitVersion.library), ("git", git ?? "none"),
      ])
    case .human:
      invocation.output.line("larder \(Root.version)")
      invocation.output.line("commit \(commit.map { "\($0.id) of \($0.day)" } ?? "unknown")")
      invocation.output.line("format \(Schema.format)")
      invocation.output.line("libgit2 \(GitVersion.library)")
      invocation.output.line("git \(git ?? "none")")
    }
  }
}

/// A commit of the source, as `scripts/commit-object` writes it.
struct SourceCommit: Equatable {
  let id: String
  let day: String

  /// The one that this program is built from; nil if nobody knows.
  static var ofThisProgram: SourceCommit? { SourceCommit(String(cString: larder_commit())) }

  /// Reads the id and the day with a space between; nil for anything else.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2 else { return nil }
    (id, day) = (String(words[0]), String(words[1]))
  }
}
