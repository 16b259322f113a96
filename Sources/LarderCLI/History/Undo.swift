import LarderKit

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

  static let undo = Command("undo", group: "History", arguments: [revision], options: [number]) {
    invocation in
    let count = try invocation.count(number) ?? 1
    if count > 1, invocation.given(revision) != nil || invocation.has(Rehearsal.option) {
      throw ErrorWords(
        .usage, "\(number.spelling) is about the last commands, which are taken back one by one",
        "give REV or --dry-run without it")
    }
    let reversal = try await invocation.withLarder { larder in
      var last: Reversal?
      for done in 0..<count {
        do {
          let reversal = try larder.undo(invocation.given(revision))
          report(reversal, invocation)
          last = reversal
        } catch UndoError.nothing where done > 0 {
          let commands = counted(done, "command")
          invocation.output.note("that is all: only \(commands) could be taken back")
          break
        }
      }
      return last
    }
    guard let plain = reversal?.newerPlain, invocation.output.mode == .human else { return }
    invocation.output.hint(
      "'\(plain.subject)', which you committed with git later, stays; "
        + "'larder undo \(plain.id.short)' takes it back")
  }

  static let redo = Command("redo", group: "History", arguments: [undone]) { invocation in
    try await invocation.withLarder { larder in
      report(try larder.redo(invocation.given(undone)), invocation)
    }
  }

  private static func report(_ reversal: Reversal, _ invocation: Invocation) {
    invocation.tellRehearsal()
    let (outcome, command) = (reversal.outcome, reversal.command)
    let verb = reversal.isRedo ? "brought back" : "took back"
    let time = LocalTime(of: outcome.after.household).text(of: command.at)
    invocation.output.report(
      outcome, ["isRedo": .bool(reversal.isRedo), "command": command.json],
      lines: ["\(verb): \(command.subject) (\(time), \(command.who))"]
        + outcome.summaries.map { "  " + $0 })
  }

}
