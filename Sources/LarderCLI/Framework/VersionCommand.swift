import LarderJSON
import LarderKit
import LarderModel

/// `larder version`: the versions of this program, of its format and of git.
enum VersionCommand {
  static let command = Command(
    "version", summary: "Show the versions of larder, its format and git", group: "Help",
    examples: [Example("larder version"), Example("larder version --json")],
    records: [Record.named.form()]
  ) { invocation in
    let git = GitVersion.program()
    let rows: [NamedText] = [
      ("larder", Root.version), ("format", Schema.format), ("libgit2", GitVersion.library),
      ("git", git ?? "none"),
    ]
    switch invocation.output.mode {
    case .json:
      invocation.output.json([
        JSONMember("larder", .string(Root.version)), JSONMember("format", .number(Schema.format)),
        JSONMember("libgit2", .string(GitVersion.library)),
        JSONMember("git", git.map { .string($0) } ?? .null),
      ])
    case .plain: invocation.output.records(rows)
    case .human: rows.forEach { invocation.output.line("\($0.0) \($0.1)") }
    }
  }
}
