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
    "number", short: "n", value: "N", isBareNumber: true,
    help: "take back the last N commands, one after the other; -N does the same")
  private static let undos = Option(
    "number", short: "n", value: "N", isBareNumber: true,
    help: "bring back the last N, one after the other; -N does the same")

  static let undo = Command("undo", group: "History", arguments: [revision], options: [number]) {
    invocation in
    let last = try await turn(number, revision, invocation, could: "taken back") { larder, name in
      try larder.undo(name)
    }
    guard let plain = last?.newerPlain, invocation.output.mode == .human else { return }
    invocation.output.hint(
      "'\(plain.subject)', which you committed with git later, stays; "
        + "'larder undo \(plain.id.short)' takes it back")
  }

  static let redo = Command("redo", group: "History", arguments: [undone], options: [undos]) {
    invocation in
    _ = try await turn(undos, undone, invocation, could: "brought back") { larder, name in
      try larder.redo(name)
    }
  }

  /// Takes back or brings back one command, or the last ones that an option says; returns the last
  /// of them.
  private static func turn(
    _ number: Option, _ revision: Argument, _ invocation: Invocation, could: String,
    _ body: @Sendable (isolated Larder, String?) throws -> Reversal
  ) async throws -> Reversal? {
    let count = try invocation.count(number) ?? 1
    if count > 1, invocation.given(revision) != nil || invocation.has(Rehearsal.option) {
      throw ErrorWords(
        .usage, "\(number.spelling) is about the last commands, which are \(could) one by one",
        "give REV or --dry-run without it")
    }
    return try await invocation.withLarder { larder in
      var last: Reversal?
      for done in 0..<count {
        do {
          let reversal = try body(larder, invocation.given(revision))
          report(reversal, invocation)
          last = reversal
        } catch let error as UndoError where done > 0 && error.isEnd {
          invocation.output.note("that is all: only \(counted(done, "command")) could be \(could)")
          break
        }
      }
      return last
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

extension UndoError {
  /// Whether it says that nothing more is left to take back or to bring back.
  fileprivate var isEnd: Bool {
    switch self {
    case .nothing, .doneSince: true
    default: false
    }
  }
}
