import LarderJSON
import LarderKit
import LarderModel

/// `larder undo` and `larder redo`.
enum UndoCommand {
  private static let revision = Argument(
    "REV", .optional(standard: nil),
    help: "a commit as git names it; this device's last command if left out")

  static let undo = Command(
    "undo", summary: "Take back what you did last, or any command",
    discussion: """
      Takes back this device's last command that is not taken back yet, so that a second undo takes \
      back the one before; what others did, merges and commits of plain git are passed over. Files \
      that you edited by hand count as a command of their own: if they are the last thing you did, \
      they go back to what they were. With REV, takes back that commit, whoever made it.

      The history stays: an undo is a new commit, which 'larder redo' takes back again, and it works \
      after a sync too. Fields return to what they were; if somebody has changed one since, nothing \
      is done and you are told who and when. Of quantities only what the command did is taken back; \
      what was used or added since still counts. What the command made is marked as deleted, and \
      what it deleted comes back.
      """,
    group: "History",
    examples: [
      Example("larder undo"),
      Example("larder undo HEAD~3", "a commit that 'larder log' shows"),
    ],
    arguments: [revision]
  ) { invocation in
    try run(invocation) { larder in try larder.undo(invocation.given(revision)) }
  }

  static let redo = Command(
    "redo", summary: "Bring back what the last undo took back",
    discussion: """
      After several undos, each redo brings back one command, the one taken back last before the \
      others. It refuses where an undo would.
      """,
    group: "History", examples: [Example("larder redo")]
  ) { invocation in
    try run(invocation) { larder in try larder.redo() }
  }

  private static func run(
    _ invocation: Invocation, _ body: (Larder) throws -> Reversal
  ) throws {
    try invocation.withLarder { larder in
      report(try body(larder), invocation.output)
    }
  }

  private static func report(_ reversal: Reversal, _ output: Output) {
    let outcome = reversal.outcome
    let (before, after) = (outcome.before.household, outcome.after.household)
    let words = DifferenceWords(before: before, after: after)
    let command = reversal.command
    let verb = reversal.isRedo ? "brought back" : "took back"
    let time = words.words.time.text(of: command.at)
    let differences = after.differences(from: before, of: outcome.writing.changed)
    output.report(
      outcome,
      [
        JSONMember("isRedo", .bool(reversal.isRedo)), JSONMember("command", .object(command.json)),
      ],
      lines: ["\(verb): \(command.subject) (\(time), \(command.who))"]
        + differences.map { "  " + words.summary($0) })
  }
}
