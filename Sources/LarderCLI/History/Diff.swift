import LarderKit

/// `larder diff`: the differences between two versions of the household, in words.
enum DiffCommand {
  static let from = Argument(
    "FROM", .optional(standard: "HEAD"),
    help: "the commit to compare with, as git names it, or a day, as it was when that began")
  static let to = Argument(
    "TO", .optional(standard: nil),
    help: "the commit to compare, or a day, as it was at its end; the current files if left out")

  private static let record = Record<(path: String, change: String)>(
    ("path", { $0.path }), ("change", { $0.change }))

  static let command = Command(
    "diff", group: "History", arguments: [from, to], records: [record.form()], isPaged: true
  ) { invocation in
    try invocation.withLarder { larder in
      let before = try household(invocation[from], .since, larder)
      let after =
        try invocation.given(to).map { try household($0, .until, larder) }
        ?? now(larder, invocation)
      show(
        after.differences(from: before), DifferenceWords(before: before, after: after), invocation)
    }
  }

  /// Returns the household of a commit, or as it was when a day began or ended.
  private static func household(
    _ revision: String, _ direction: HouseholdCalendar.Direction, _ larder: Larder
  ) throws -> Household {
    if let household = try larder.household(at: revision) { return household }
    // Before the first commit, everything is new.
    if revision == "HEAD" { return Household() }
    let calendar = HouseholdCalendar(of: try larder.committed(), now: larder.context.now())
    guard let day = calendar.day(typed: revision, direction) else {
      throw MessageWords().unknownCommit(revision)
    }
    let first = direction == .since ? day : day.adding(days: 1)
    return try larder.household(before: calendar.instant(of: first)) ?? Household()
  }

  private static func now(_ larder: Larder, _ invocation: Invocation) throws -> Household {
    let reading = try larder.read()
    invocation.warn(about: reading.notes, in: reading.household, root: larder.root)
    return reading.household
  }

  private static func show(
    _ differences: [EntityDifference], _ words: DifferenceWords, _ invocation: Invocation
  ) {
    let output = invocation.output
    switch output.mode {
    case .json: output.json(["differences": .array(differences.map(words.json))])
    case .plain:
      for difference in differences {
        let path = difference.anyPath
        let lines = [words.heading(difference)] + words.lines(difference)
        output.records(lines.map { (path.text, $0) }, record)
      }
    case .human:
      for difference in differences {
        let path = difference.anyPath
        output.write(
          output.paint(words.heading(difference), .bold) + "  " + output.paint(path.text, .dim)
            + "\n")
        for line in words.lines(difference) { output.line("  " + line) }
      }
    }
  }
}
