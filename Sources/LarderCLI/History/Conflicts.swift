import LarderJSON
import LarderKit
import LarderModel

/// `larder conflicts`: the values that lost when both sides had written one field.
enum ConflictsCommand {
  private static let limit = Option(
    "limit", short: "n", value: "N",
    help: "show at most N, the newest; 0 shows all (20 if left out)")
  private static let number = Argument("N", help: "its number in the list")
  private static let numberOrFile = Argument(
    "N-or-FILE", help: "its number in the list, or the file of another version")

  static let command = Command(
    "conflicts", summary: "Show values that lost when two people changed the same thing",
    discussion: """
      If both sides of a sync or a merge had written one field, the later write wins. This lists \
      the values that lost, with the values that won and who wrote them, newest merge first. It \
      includes merges made by plain git, and what this device joined with the cloud. 'larder \
      conflicts restore N' takes the other value after all. Quantities never lose: they add up.

      If a file can't be joined by its fields, both versions are kept: the other one is beside it, \
      as FILE.conflict-ID, until it is restored or removed. 'larder conflicts restore \
      FILE.conflict-ID' puts it in the file's place.
      """,
    group: "History",
    examples: [
      Example("larder conflicts"), Example("larder conflicts restore 2", "the other one was right"),
    ],
    subcommands: [list, show, restore], defaultSubcommand: "list")

  private static let list = Command(
    "list", summary: "List values that lost, newest merge first",
    examples: [Example("larder conflicts --limit 0", "all there ever were")],
    options: [limit]
  ) { invocation in
    let limit = try invocation.most(limit) ?? 20
    var isCut = false
    var losses: [LossWords] = []
    try visit(invocation) { _, loss in
      isCut = losses.count == limit
      if !isCut { losses.append(loss) }
      return !isCut
    }
    let output = invocation.output
    let versions = try invocation.withLarder { larder in try larder.keptVersions() }
    let items = losses.enumerated().map { json($0.element, $0.offset + 1) }
    if output.mode == .json {
      output.json([
        JSONMember("conflicts", .array(items)), JSONMember("files", .array(versions.map(\.json))),
      ])
    } else {
      output.table(table(losses))
    }
    for version in versions { output.note(version.sentence) }
    if losses.isEmpty, output.mode == .human {
      output.note("no field has lost a value in any merge")
    }
    if isCut { output.note("older ones are left out; --limit 0 shows all") }
    if !losses.isEmpty, output.mode == .human {
      output.hint("'larder conflicts restore N' takes the value that lost after all")
    }
    if !versions.isEmpty, output.mode == .human { output.hint(KeptVersion.hint) }
  }

  private static let show = Command(
    "show", summary: "Show one of them, with both values and the current one",
    examples: [Example("larder conflicts show 1")], arguments: [number]
  ) { invocation in
    let (number, loss) = try find(invocation)
    switch invocation.output.mode {
    case .json: invocation.output.json([JSONMember("conflict", json(loss, number))])
    case .plain: for row in rows(loss) { invocation.output.record([row.0, row.1]) }
    case .human:
      for row in rows(loss) { invocation.output.line("\(row.0): \(row.1)") }
    }
  }

  private static let restore = Command(
    "restore", summary: "Write the value that lost as a new edit",
    discussion: """
      It is the value on every device from then on; 'larder undo' takes it back. A file with \
      another version replaces the first one, which stays in the history.
      """,
    examples: [
      Example("larder conflicts restore 1"),
      Example("larder conflicts restore notes.txt.conflict-4f2a91c"),
    ],
    arguments: [numberOrFile]
  ) { invocation in
    if Int(invocation[numberOrFile]) == nil { return try restoreFile(invocation) }
    let (_, loss) = try find(invocation)
    let change = try invocation.change { edit, writer, survey in
      try edit.restore(loss.loss.value, by: writer)
      return "restore \(loss.field) of \(loss.title)"
    }
    let words = DifferenceWords(before: change.before.household, after: change.after.household)
    let differences = change.after.household.differences(
      from: change.before.household, of: change.writing.changed)
    invocation.output.report(change, lines: differences.map(words.summary))
    if change.isNothing { invocation.output.note("nothing to restore: it is already so") }
  }

  private static func restoreFile(_ invocation: Invocation) throws {
    try invocation.withLarder { larder in
      let text = invocation[numberOrFile]
      let versions = try larder.keptVersions()
      guard let version = versions.first(where: { $0.path == text }) else {
        throw invocation.unreadable(
          text, for: numberOrFile.name,
          "a number or a file is needed, as 'larder conflicts' lists them")
      }
      let writing = try larder.restore(version)
      invocation.report(writing, "\(version.original) is the version that was \(version.path) now")
    }
  }

  private static func json(_ loss: LossWords, _ number: Int) -> JSON {
    .object([JSONMember("number", .number(String(number)))] + loss.json)
  }

  private static func table(_ losses: [LossWords]) -> Table {
    Table(
      columns: [
        .init("N", .right, minimumWidth: 1), .init("What"), .init("Field"), .init("Kept"),
        .init("Lost"), .init("Written by"), .init("Since then"),
      ],
      rows: losses.enumerated().map { index, loss in
        [
          .init(String(index + 1)), .init(loss.title), .init(loss.field), .init(loss.kept),
          .init(loss.lost), .init(loss.lostBy),
          .init(loss.state == .kept ? "" : loss.state.rawValue),
        ]
      })
  }

  private static func rows(_ loss: LossWords) -> [(String, String)] {
    [
      ("what", [loss.title, loss.path].compactMap { $0 }.joined(separator: ", ")),
      ("field", loss.field), ("merged", loss.mergedAt),
      ("kept", "\(loss.kept), by \(loss.keptBy)"), ("lost", "\(loss.lost), by \(loss.lostBy)"),
      ("now", loss.now),
    ]
  }

  private static func find(_ invocation: Invocation) throws -> (Int, LossWords) {
    let argument = invocation.given(number) == nil ? numberOrFile : number
    let text = invocation[argument]
    guard let wanted = Int(text), wanted > 0 else {
      throw invocation.unreadable(text, for: argument.name, "a number from the list is needed")
    }
    var found: LossWords?
    var count = 0
    try visit(invocation) { number, loss in
      count = number
      if number == wanted { found = loss }
      return found == nil
    }
    guard let found else {
      throw CommandError(
        .notFound, "there is no number \(wanted): \(counted(count, "value")) lost in merges",
        hints: ["'larder conflicts --limit 0' lists them all"])
    }
    return (wanted, found)
  }

  /// Visits the values that lost, with their numbers from 1, the newest merge first.
  private static func visit(
    _ invocation: Invocation, _ visit: (Int, LossWords) -> Bool
  ) throws {
    try invocation.withLarder { larder in
      let household = try larder.read().household
      let words = DifferenceWords(before: household, after: household).words
      var number = 0
      try larder.losses { loss in
        number += 1
        return visit(number, LossWords(loss, in: household, words))
      }
    }
  }
}
