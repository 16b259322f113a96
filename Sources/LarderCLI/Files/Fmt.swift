import LarderJSON
import LarderKit

/// `larder fmt`: the canonical form of every file.
enum FmtCommand {
  static let check = Option("check", help: "change nothing; list the files that would change")

  private static let record = Record<String>(("path", { $0 }))

  static let command = Command(
    "fmt", summary: "Write every file in its canonical form",
    discussion: """
      The canonical form has keys in the format's order, one ledger entry per line, plain numbers, \
      and no spaces at the end of a line. No value changes. Broken and refused files are left alone; \
      'larder check' shows them. With --check, the exit code is 1 if a file would change.
      """,
    group: "Files",
    examples: [Example("larder fmt"), Example("larder fmt --check", "in a test or a hook")],
    options: [check],
    records: [ChangedEntity.record.form(), record.form("with \(check.spelling)")]
  ) { invocation in
    try invocation.withLarder { larder in
      if invocation.has(check) {
        try list(larder.unformattedFiles().map(\.text), invocation.output)
      } else {
        let writing = try larder.format()
        invocation.report(writing, counted(writing.changed.count, "file") + " rewritten")
      }
    }
  }

  private static func list(_ paths: [String], _ output: Output) throws {
    switch output.mode {
    case .json: output.json([JSONMember("paths", .array(paths.map { .string($0) }))])
    case .plain: output.records(paths, record)
    case .human: for path in paths { output.line(path) }
    }
    if !paths.isEmpty { throw ExitStatus(code: 1) }
  }
}
