import LarderJSON
import LarderKit
import LarderModel

/// `larder check`: reports mistakes in the household's files.
enum CheckCommand {
  private static let record = Record<Problem>(
    ("path", { $0.path ?? "" }), ("line", { $0.line.map(String.init) ?? "" }),
    ("column", { $0.column.map(String.init) ?? "" }), ("severity", { $0.severity.rawValue }),
    ("message", { $0.message }))

  static let command = Command(
    "check", summary: "Report what is wrong with the household's files",
    discussion: """
      Reads every file and changes nothing. It reports broken and refused files with all their mistakes; \
      products that two items claim; changes and batches whose unit does not convert to their \
      item's; changes after the time at which a batch was thrown away; times more than a day ahead \
      of the clock; requests that two devices served; receipts that differ from the ledgers of the \
      stock; ids that lead nowhere or to another household; edits of old versions, which will have \
      no effect; and second versions of files that both sides changed. An unknown key that may be \
      mistyped is a note.

      Prints nothing and ends with exit code 0 if all is well; ends with exit code 1 if there is \
      more than notes.
      """,
    group: "Files",
    examples: [
      Example("larder check"), Example("larder check --json", "for editors and scripts"),
    ], records: [record.form()]
  ) { invocation in
    try invocation.withLarder { larder in
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
    var hints: [String] = []
    for (_, mistakes) in household.untaken.sorted(by: { $0.key < $1.key }) {
      for hint in prose.hints(for: mistakes) where !hints.contains(hint) { hints.append(hint) }
    }
    return hints
  }

  private static func report(_ problems: [Problem], _ hints: [String], _ output: Output) throws {
    switch output.mode {
    case .json:
      output.json([
        JSONMember("problems", .array(problems.map(\.json))),
        JSONMember("hints", .array(hints.map { .string($0) })),
      ])
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
