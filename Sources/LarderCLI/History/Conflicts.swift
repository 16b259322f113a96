import LarderKit

/// `larder conflicts`: the values that lost when both sides had written one field.
enum ConflictsCommand {
  private static let limit = Option(
    "limit", short: "n", value: "N",
    help: "show at most N, the newest; 0 shows all (20 if left out)")
  private static let id = Argument(
    "ID", values: .named(.item), help: "its number or id in the list, or the name of the thing")
  private static let ids = Argument(
    "ID", .zeroOrMore, values: .named(.item),
    help: "their numbers or ids in the list, or names of the things")
  private static let idOrFile = Argument(
    "ID-or-FILE", values: .named(.item),
    help: "its number or id in the list, the name of the thing, or the file of another version")
  private static let all = Option("all", short: "a", help: "dismiss all that are listed")

  static let command = Command(
    "conflicts", group: "History",
    parts: [
      .init("list") { list },
      .init("show") { show },
      .init("restore") { restore },
      .init("dismiss") { dismiss },
    ], defaultSubcommand: "list")

  private static let columns: [Column<LossWords>] = [
    Column("id") { .text($0.id) }.inTable("Id", isWhole: true).inRecord(1),
    Column("what") { .text($0.title) }.inTable("What").inRecord(2),
    Column("field") { .text($0.field) }.inTable("Field").inRecord(3),
    Column("kept") { .text($0.kept) }.inTable("Kept").inRecord(4),
    Column("lost") { .text($0.lost) }.inTable("Lost").inRecord(5),
    Column("lostBy") { .text($0.lostBy) }.inTable("Written by", need: .little).inRecord(6),
    Column("since") { .text($0.change) }.inTable("Since then", need: .little).inRecord(7),
  ]
  private static let dismissed = Column<LossWords>.records(("id", \.id))

  private static let list = Command(
    "conflicts list", options: [limit], records: [columns.form()], isPaged: true
  ) { invocation in
    let limit = try invocation.most(limit) ?? 20
    // One more than are shown says whether there are older ones.
    let found = try await visit(invocation) { losses, loss in
      losses.append(loss)
      return losses.count <= limit
    }
    let (losses, isCut) = (Array(found.prefix(limit)), found.count > limit)
    let output = invocation.output
    let (versions, household) = try await invocation.withLarder { larder in
      (try larder.keptVersions(), try larder.read().household)
    }
    switch output.mode {
    case .json:
      output.json([
        "conflicts": .array(losses.map(json)), "files": .array(versions.map(\.json)),
        "copies": .texts(household.syncCopies.map(\.path.text)),
      ])
    case .plain: output.records(losses, columns)
    case .human:
      let table = Table(losses, columns)
      let rows = losses.map { ShownList.Row(id: $0.loss.id, title: $0.title) }
      output.table(await invocation.keep(ShownList(of: nil, rows)) ? table.numbered() : table)
    }
    for version in versions { output.note(version.sentence) }
    for copy in household.syncCopies {
      output.note(MessageWords.left([copy.path], in: household))
    }
    if losses.isEmpty, output.mode == .human {
      output.note("no value that lost in a merge is left to settle")
    }
    if isCut { output.note("older ones are left out; --limit 0 shows all") }
    if !losses.isEmpty, output.mode == .human {
      output.hint(
        "'larder conflicts restore NUMBER' takes the value that lost after all, 'dismiss NUMBER' settles one"
      )
    }
    guard output.mode == .human else { return }
    if !versions.isEmpty { output.hint(KeptVersion.hint) }
    for hint in MessageWords.hints(ofCopiesIn: household) { output.hint(hint) }
  }

  private static let show = Command(
    "conflicts show", arguments: [id], records: [Column.named.form()], isPaged: true
  ) { invocation in
    let loss = try await find(invocation[id], invocation)
    switch invocation.output.mode {
    case .json: invocation.output.json(["conflict": json(loss)])
    case .plain: invocation.output.records(rows(loss))
    case .human:
      for row in rows(loss) { invocation.output.line("\(row.name): \(row.text)") }
    }
  }

  private static let restore = Command(
    "conflicts restore", arguments: [idOrFile], records: [ChangedEntity.record.form()]
  ) { invocation in
    if try await restoreFile(invocation) { return }
    let loss = try await find(invocation[idOrFile], invocation)
    let change = try await invocation.change { edit, writer, survey in
      try edit.restore(loss.loss.value, by: writer)
      return "restore \(loss.field) of \(loss.title)"
    }
    invocation.output.report(
      change, lines: change.summaries, nothing: "nothing to restore: it is already so")
  }

  /// Replaces a file by its other version; returns whether the argument names one.
  private static func restoreFile(_ invocation: Invocation) async throws -> Bool {
    try await invocation.withLarder { larder in
      let versions = try larder.keptVersions()
      guard let version = versions.first(where: { $0.path == FilePath(invocation[idOrFile]) })
      else { return false }
      let writing = try larder.restore(version)
      invocation.output.report(
        writing, "\(version.original) is the version that was \(version.path) now")
      return true
    }
  }

  private static let dismiss = Command(
    "conflicts dismiss", arguments: [ids], options: [all], records: [dismissed.form()]
  ) { invocation in
    let words = invocation.all(ids)
    guard words.isEmpty == invocation.has(all) else {
      throw invocation.usage(
        words.isEmpty ? .missingArgument("ID or --all") : .conflictingOptions("ID", "--all"))
    }
    let losses =
      try await invocation.has(all) ? listed(invocation) : find(words, invocation)
    try await invocation.withLarder { larder in try larder.dismissLosses(losses.map(\.loss.id)) }
    let output = invocation.output
    switch output.mode {
    case .json: output.json(["dismissed": .texts(losses.map(\.id))])
    case .plain: output.records(losses, dismissed)
    case .human:
      for loss in losses { output.line("dismissed \(loss.id): \(loss.summary)") }
      if losses.isEmpty { output.note("there is nothing to dismiss") }
    }
  }

  private static func json(_ loss: LossWords) -> JSON { ["conflict": .string(loss.id)] + loss.json }

  private static func rows(_ loss: LossWords) -> [NamedText] {
    [
      ("what", [loss.title, loss.path].compactMap(\.self).joined(separator: ", ")),
      ("field", loss.field), ("merged", loss.mergedAt),
      ("kept", "\(loss.kept), by \(loss.keptBy)"), ("lost", "\(loss.lost), by \(loss.lostBy)"),
      ("now", loss.now),
    ]
  }

  private static func isID(_ text: String) -> Bool {
    text.count >= 4 && text.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  private static func find(_ words: [String], _ invocation: Invocation) async throws -> [LossWords]
  {
    var losses: [LossWords] = []
    for word in words { losses.append(try await find(word, invocation)) }
    return losses
  }

  /// Returns the lost value with this number in the list that was last shown here, or with this
  /// beginning of an id, even if it is dismissed; otherwise the listed one of a thing with this name.
  private static func find(_ text: String, _ invocation: Invocation) async throws -> LossWords {
    var text = text
    if let number = ShownList.number(text) {
      let list = try await invocation.withLarder { larder in try larder.shownList() }
      if let list, list.kind == nil, let row = list[number] { text = row.id }
    }
    return try await findNamed(text, invocation)
  }

  private static func findNamed(_ text: String, _ invocation: Invocation) async throws -> LossWords
  {
    @Sendable func isNamed(_ loss: LossWords) -> Bool {
      isID(text) && loss.loss.id.hasPrefix(text.lowercased())
    }
    let all = try await visit(invocation, withDismissed: true) { losses, loss in
      losses.append(loss)
      return text.count < 8 || !isNamed(loss)
    }
    var found = all.filter(isNamed)
    if found.isEmpty {
      found = try await listed(invocation).filter { fold($0.title).contains(fold(text)) }
    }
    guard let loss = found.first else {
      guard isID(text) else {
        throw invocation.unreadable(
          text, for: id.name,
          "a number, an id or a name of a value that lost is needed, as 'larder conflicts' lists them"
        )
      }
      throw ErrorWords(
        .notFound, "no value has the id \(text): \(counted(all.count, "value")) lost in merges",
        "'larder conflicts --limit 0' lists them")
    }
    guard found.count == 1 else {
      throw ErrorWords(
        .ambiguous, "'\(text)' could be \(found.count) values",
        "write the id, or more of it", problems: found.map { Problem("\($0.id): \($0.shortText)") })
    }
    return loss
  }

  /// Returns all values that lost and are not settled.
  private static func listed(_ invocation: Invocation) async throws -> [LossWords] {
    try await visit(invocation) { losses, loss in
      losses.append(loss)
      return true
    }
  }

  /// Visits the values that lost, the newest merge first, without those that read the same; returns
  /// those that the visits took.
  private static func visit(
    _ invocation: Invocation, withDismissed: Bool = false,
    _ visit: @Sendable (inout [LossWords], LossWords) -> Bool
  ) async throws -> [LossWords] {
    try await invocation.withLarder { larder in
      let household = try larder.read().household
      let words = EntityWords(of: household)
      let dismissed = try withDismissed ? [] : larder.dismissedLosses()
      return try larder.losses(into: []) { losses, loss in
        let words = LossWords(loss: loss, household: household, words: words)
        return dismissed.contains(loss.id) || words.readsSame || visit(&losses, words)
      }
    }
  }
}
