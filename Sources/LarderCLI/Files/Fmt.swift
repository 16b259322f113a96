import LarderKit

/// `larder fmt`: the canonical form of every file.
enum FmtCommand {
  static let check = Option("check", help: "change nothing; list the files that would change")

  private static let record = Record<String>(("path", { $0 }))

  static let command = Command(
    "fmt", group: "Files", options: [check],
    records: [ChangedEntity.record.form(), record.form("with \(check.spelling)")]
  ) { invocation in
    try invocation.withLarder { larder in
      if invocation.has(check) {
        try list(larder.unformattedFiles().map(\.text), invocation.output)
      } else {
        let writing = try larder.format()
        invocation.output.report(writing, counted(writing.changed.count, "file") + " rewritten")
      }
    }
  }

  private static func list(_ paths: [String], _ output: Output) throws {
    switch output.mode {
    case .json: output.json(["paths": .texts(paths)])
    case .plain: output.records(paths, record)
    case .human: for path in paths { output.line(path) }
    }
    if !paths.isEmpty { throw ExitStatus(code: 1) }
  }
}
