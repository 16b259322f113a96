import LarderKit
import LarderModel

/// `larder check`: reports mistakes in the household's files.
enum CheckCommand {
  private static let record = Column<Problem>.records(
    ("path", { $0.path ?? "" }), ("line", { $0.line.map(String.init) ?? "" }),
    ("column", { $0.column.map(String.init) ?? "" }), ("severity", { $0.severity.rawValue }),
    ("message", { $0.message }))

  static let command = Command("check", group: "Files", records: [record.form()]) { invocation in
    try await invocation.withLarder { larder in
      let reading = try larder.read()
      let prose = MessageWords(root: larder.root)
      let problems =
        prose.problems(of: reading.household, now: try invocation.clock()())
        + prose.problems(staleEdits(reading.notes), in: reading.household)
      let versions = try larder.keptVersions()
      let hints = hints(reading.household, prose) + (versions.isEmpty ? [] : [KeptVersion.hint])
      try report(problems + versions.map(\.problem), hints, invocation.output)
    }
  }

  private static func staleEdits(_ notes: [HouseholdAdoption.Note]) -> [HouseholdAdoption.Note] {
    notes.filter { note in
      switch note {
      case .stale, .outlived: true
      case .removed, .copied, .untaken: false
      }
    }
  }

  private static func hints(_ household: Household, _ prose: MessageWords) -> [String] {
    household.untaken.sorted { $0.key < $1.key }.flatMap { prose.hints(for: $0.value) }.unique
  }

  private static func report(_ problems: [Problem], _ hints: [String], _ output: Output) throws {
    switch output.mode {
    case .json:
      output.json(["problems": .array(problems.map(\.json)), "hints": .texts(hints)])
    case .plain: output.records(problems, record)
    case .human:
      for problem in problems { output.finding(problem) }
    }
    let problems = problems.filter { $0.severity != .note }
    guard !problems.isEmpty else { return }
    if output.mode != .json {
      let files = Set(problems.compactMap(\.path)).count
      output.note("\(counted(problems.count, "problem")) in \(counted(files, "file"))")
      for hint in hints { output.hint(hint) }
    }
    throw ExitStatus(code: 1)
  }
}

/// `larder adopt`: makes edits with an editor or plain git a part of the household.
enum AdoptCommand {
  private static let record = Column<EntityDifference>.records(
    ("kind", { $0.key.kind.rawValue }), ("id", { $0.key.id }), ("path", { $0.path?.text ?? "" }))

  static let command = Command("adopt", group: "Files", records: [record.form()]) { invocation in
    try await invocation.withLarder { larder in report(try larder.adopt(), invocation.output) }
  }

  private static func report(_ writing: Writing, _ output: Output) {
    let changed = writing.adoption?.changed ?? []
    if output.mode == .json { return output.changed(changed, in: writing.household) }
    guard let before = writing.adoption?.before, !changed.isEmpty else {
      guard output.mode == .human else { return }
      let isDone = writing.adoption.map { $0.plainCommits > 0 || !$0.commits.isEmpty } ?? false
      output.line(isDone ? "adopted; nothing in it changed anything" : "nothing to adopt")
      return
    }
    if output.mode == .plain {
      let differences = writing.household.differences(from: before, of: changed)
      return output.records(differences, record)
    }
    let summaries = DifferenceWords.summaries(changed, from: before, to: writing.household)
    for summary in summaries.prefix(most) { output.line("adopted " + summary) }
    if summaries.count > most {
      let commits = writing.adoption.map { $0.plainCommits + $0.commits.count } ?? 1
      output.line(
        "and \(summaries.count - most) more; 'larder diff HEAD~\(commits)' tells them all")
    }
  }

  /// The largest number of changes that are listed.
  private static let most = 20
}

/// `larder fmt`: the canonical form of every file.
enum FmtCommand {
  static let check = Option("check", help: "change nothing; list the files that would change")

  private static let record = Column<String>.records(("path", { $0 }))

  static let command = Command(
    "fmt", group: "Files", options: [check],
    records: [ChangedEntity.record.form(), record.form("with \(check.spelling)")]
  ) { invocation in
    try await invocation.withLarder { larder in
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

/// `larder schema`: the JSON Schema of each kind of file.
enum SchemaCommand {
  static let kind = Argument(
    "KIND", .optional(standard: nil), values: .oneOf(Kind.allCases.map(\.rawValue)),
    help: "the kind of file; without it, all kinds are listed")

  private static let columns: [Column<Kind>] = [
    Column("kind") { .text($0.rawValue) }.inTable("Kind").inRecord(1).inJSON(1),
    Column("files") { .text($0.folder.map { "\($0)/**.json" } ?? Kind.householdPath.text) }
      .inTable("Files").inRecord(2),
    Column("folder") { ListValue($0.folder) }.inJSON(2),
    Column("summary") { .text(Schema.of($0).summary) }
      .inTable("What it is").inRecord(3).inJSON(3),
  ]

  static let command = Command(
    "schema", group: "Files", arguments: [kind], records: [columns.form("without \(kind.name)")]
  ) { invocation in
    guard let kind = invocation.given(kind).flatMap(Kind.init) else {
      return invocation.output.rows(Kind.allCases, columns, as: "kinds")
    }
    invocation.output.write(JSONSchema.of(kind).writeFile())
  }
}
