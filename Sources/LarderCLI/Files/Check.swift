import LarderKit

/// `larder check`: reports mistakes in the household's files.
enum CheckCommand {
  private static let record = Record<Problem>(
    ("path", { $0.path ?? "" }), ("line", { $0.line.map(String.init) ?? "" }),
    ("column", { $0.column.map(String.init) ?? "" }), ("severity", { $0.severity.rawValue }),
    ("message", { $0.message }))

  static let command = Command("check", group: "Files", records: [record.form()]) { invocation in
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
