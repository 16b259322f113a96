import LarderJSON
import LarderKit
import LarderModel

/// `larder status`: pending changes and problems.
enum StatusCommand {
  static let command = Command(
    "status", summary: "Show what is waiting and what needs attention",
    discussion: """
      Shows edits by hand that no command has adopted yet, commits of plain git, commits that only \
      this device or only the remote has, broken and refused files with their first mistakes, values that lost in the last merge, \
      items that are low, and missing setup of this device. It changes nothing.
      """,
    group: "Household", examples: [Example("larder status"), Example("larder status --json")],
    records: [Record.named.form()]
  ) { invocation in
    try invocation.withLarder { larder in
      let status = try larder.status()
      switch invocation.output.mode {
      case .json: invocation.output.json(status.json)
      case .plain: invocation.output.records(status.rows)
      case .human: show(status, invocation.output)
      }
    }
  }

  static func show(_ status: HouseholdStatus, _ output: Output) {
    output.write(output.paint(status.name, .bold) + "  " + output.paint(status.root, .dim) + "\n")
    for line in status.lines { output.line(line) }
    showMistakes(of: status, output)
    for hint in status.hints { output.hint(hint) }
  }

  private static func showMistakes(of status: HouseholdStatus, _ output: Output) {
    guard !status.untaken.isEmpty else { return }
    output.line(status.leftFiles + ":")
    let mistakes = status.mistakes
    for problem in mistakes.prefix(mostMistakes) { output.finding(problem) }
    let rest = mistakes.count - mostMistakes
    if rest > 0 { output.line("and \(counted(rest, "more mistake")): 'larder check'") }
  }

  private static let mostMistakes = 5
}
