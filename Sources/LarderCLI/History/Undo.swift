import LarderJSON
import LarderKit
import LarderModel

/// `larder undo` and `larder redo`.
enum UndoCommand {
  private static let revision = Argument(
    "REV", .optional(standard: nil), values: .named(.revision),
    help: "a commit as git names it; this device's last command if left out")

  private static let undone = Argument(
    "REV", .optional(standard: nil), values: .named(.revision),
    help: "an undo as git names it; the last one if left out")
  private static let number = Option(
    "number", short: "n", value: "N", help: "take back the last N commands, one after the other")

  static let undo = Command(
    "undo", summary: "Take back what you did last, or any command",
    discussion: """
      Takes back this device's last command that is not taken back yet; a second undo takes back \
      the one before it. It skips commits of others, merges and commits of plain git. Edits by \
      hand count as one command: if they are the last thing you did, the files go back to their \
      earlier content. With REV, it takes back that commit, by anybody.

      The history stays: an undo is a new commit, which 'larder redo' takes back again, and it \
      works after a sync too. Fields return to their earlier values; if somebody has changed one \
      since then, nothing is done, and you are told who and when. For quantities, only the \
      command's own change is taken back; what was used or added since then still counts. Things \
      that the command created are marked as deleted, and things that it deleted come back.
      """,
    group: "History",
    examples: [
      Example("larder undo"), Example("larder undo -n 2", "the last two commands"),
      Example("larder undo HEAD~3", "a commit that 'larder log' shows"),
    ],
    arguments: [revision], options: [number]
  ) { invocation in
    let count = try invocation.count(number) ?? 1
    if count > 1, invocation.given(revision) != nil || invocation.has(Rehearsal.option) {
      throw CommandError(
        .usage, "\(number.spelling) is about the last commands, which are taken back one by one",
        hints: ["give REV or --dry-run without it"])
    }
    var reversal: Reversal?
    try invocation.withLarder { larder in
      for done in 0..<count {
        do {
          reversal = try larder.undo(invocation.given(revision))
        } catch UndoError.nothing where done > 0 {
          let commands = counted(done, "command")
          return invocation.output.note("that is all: only \(commands) could be taken back")
        }
        if let reversal { report(reversal, invocation) }
      }
    }
    if let plain = reversal?.newerPlain { tell(of: plain, invocation.output) }
  }

  static let redo = Command(
    "redo", summary: "Bring back what the last undo took back",
    discussion: """
      After several undos, each redo brings back one command, beginning with the last one taken \
      back. After another command, as in an editor, there is nothing to bring back any more; with \
      REV, an undo that 'larder log' shows, it is brought back nevertheless. It refuses in the same \
      cases as an undo.
      """,
    group: "History", examples: [Example("larder redo"), Example("larder redo HEAD~1")],
    arguments: [undone]
  ) { invocation in
    try invocation.withLarder { larder in
      report(try larder.redo(invocation.given(undone)), invocation)
    }
  }

  private static func report(_ reversal: Reversal, _ invocation: Invocation) {
    invocation.tellRehearsal()
    let output = invocation.output
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

  private static func tell(of plain: Commit, _ output: Output) {
    guard output.mode == .human else { return }
    output.hint(
      "'\(plain.subject)', which you committed with git later, stays; "
        + "'larder undo \(plain.id.short)' takes it back")
  }
}
