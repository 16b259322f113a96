import LarderKit
internal import LarderText

/// `larder stocktake`: opens a sheet of the stock in the editor, for counting.
enum Stocktake {
  private static let filters = Argument(
    "FILTER", .zeroOrMore, values: .filters,
    help: "words to look for, a location, and other filters as of 'larder stock list'")
  private static let new = Option("new", help: "make items of added things that nobody knows")
  private static let print = Option("print", help: "print the sheet, to be filled in elsewhere")

  static let command = Command(
    "stocktake", group: "Every day", arguments: [filters.choosing(StockRow.self)],
    options: [new, print]
  ) { invocation in
    if invocation.has(print) { return try await show(invocation) }
    if invocation.output.terminal.inputIsTerminal {
      try await edit(invocation)
    } else {
      try await read(invocation)
    }
  }

  private static func show(_ invocation: Invocation) async throws {
    let text = try await text(invocation)
    if invocation.output.mode == .json {
      invocation.output.json(["sheet": .string(text)])
    } else {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        invocation.output.line(String(line))
      }
    }
  }

  private static func edit(_ invocation: Invocation) async throws {
    var sheet = EditedText(
      text: try await text(invocation), name: "stocktake.txt",
      instead:
        "'larder stocktake --print > sheet' makes a sheet, 'larder stocktake < sheet' reads it")
    sheet.resuming = {
      "what you wrote is kept in \($0); 'larder stocktake < \(shellWord($0))' counts it"
    }
    let done: Void? = try await sheet.edited(by: invocation) { try await count($0, invocation) }
    if done == nil { report([], nil, invocation.output) }
  }

  private static func read(_ invocation: Invocation) async throws {
    var lines: [String] = []
    while let line = invocation.prompt.input.readLine() { lines.append(line) }
    guard !lines.isEmpty else {
      throw ErrorWords(
        .usage, "there is no terminal for an editor, and no sheet on standard input",
        "'larder stocktake --print > sheet' makes one, 'larder stocktake < sheet' reads it")
    }
    do {
      try await count(lines.joined(separator: "\n"), invocation)
    } catch var error as ErrorWords {
      for (index, problem) in error.problems.enumerated() {
        // A mistake in a file of the household has its path.
        guard problem.path == nil, let line = problem.line, lines.indices.contains(line - 1) else {
          continue
        }
        error.problems[index].path = "standard input"
        error.problems[index].sourceLine = lines[line - 1]
      }
      throw error
    }
  }

  /// Makes the counts of a sheet in one commit, and reports them.
  private static func count(_ text: String, _ invocation: Invocation) async throws {
    try await invocation.makingUnknown(if: invocation.has(new)) {
      try await count(text, $0, invocation)
    }
  }

  private static func count(_ text: String, _ makes: Bool, _ invocation: Invocation) async throws {
    let (counted, outcome) = try await invocation.commit { change in
      let counted = try change.count(FilledSheet(text), makesItems: makes)
      let things = counted.map { line in
        "\(line.quantity) of \(change.edit.after[line.item]?.title ?? "")"
      }
      change.subject = "stocktake: \(inShort(things))"
      return counted
    }
    report(counted, outcome, invocation.output)
  }

  private static func report(_ counted: [CountedLine], _ outcome: Outcome?, _ output: Output) {
    let told = counted.compactMap { line in outcome?[line.item].map { (line: line, item: $0) } }
    if let outcome {
      output.report(
        outcome, ["things": .array(told.map { $0.line.change.json($0.item) })],
        lines: told.map { line, item in
          line.batch == nil
            ? StockQuantities.counted(line.change, item, outcome)
            : StockQuantities.countedLot(line.change, item, outcome)
        })
    } else if output.mode == .json {
      output.json(["changed": .array([]), "things": .array([])])
    }
    if told.isEmpty, output.mode == .human {
      output.note("nothing was counted: no amount was changed, and no box has an x")
    }
  }

  /// Returns the sheet for the chosen things, below an explanation.
  private static func text(_ invocation: Invocation) async throws -> String {
    let survey = try await invocation.survey()
    let chosen = try Chosen(invocation.all(filters), survey)
    let rows = try mapError(
      try StockRow.listing.choose(chosen.filters, from: StockRow.all(in: survey), in: survey),
      invocation.usage)
    let items = rows.map(\.item)
    let sheet =
      chosen.places.isEmpty
      ? CountSheet(of: items, in: survey) : CountSheet(of: items, in: chosen.places, survey)
    // Nothing may lie in a place; but nobody wants a sheet of things that are not there.
    guard sheet.count > 0 || chosen.filters.isEmpty && !chosen.places.isEmpty else {
      let words = invocation.all(filters)
      throw ErrorWords(
        .notFound,
        words.isEmpty
          ? "there is nothing to count yet" : "no item matches \(words.joined(separator: " "))",
        hints: words.isEmpty ? ["'larder stock new NAME AMOUNT' adds an item"] : [])
    }
    let places = chosen.places.isEmpty ? "" : "\n# Below the heading of a place is what lies there."
    return """
      # Stocktake of \(sanitize(survey.household.own?.title ?? "the household")), \(survey.calendar.today)
      #
      # Change the amounts that are different, and put an x into the boxes of those
      # that are right: both are counted. What you leave as it is, or remove, says
      # nothing.
      # Add a line for what is missing here, such as: 3 Eggs\(places)

      \(sheet.text)
      """
  }

  /// The things that the words choose: locations, and filters of items.
  private struct Chosen {
    private(set) var places: [Entity] = []
    private(set) var filters: [String] = []

    /// Several words without quotes may be one location, also behind words such as `in the`.
    init(_ words: [String], _ survey: Survey) throws {
      var rest = words[...]
      while let word = rest.first {
        let count = (1...rest.count).reversed().first { count in
          survey.place(named: rest.prefix(count).joined(separator: " ")) != nil
        }
        let whole = rest.prefix(count ?? 1).joined(separator: " ")
        rest = rest.dropFirst(count ?? 1)
        guard let found = try Self.places(whole, survey) else {
          filters.append(word)
          continue
        }
        places += found.filter { place in !places.contains { $0.key == place.key } }
      }
    }

    /// Returns the locations that a word names, by its full name or as `location:PLACE`; nil for
    /// another filter.
    private static func places(_ word: String, _ survey: Survey) throws -> [Entity]? {
      let filter = Filter(word)
      if case .word(let name) = filter.condition {
        return survey.place(named: name).map { [$0] }
      }
      return try filter.place.map { operand in
        let found = survey.locations.map(\.entity).named(operand, \.title)
        return found.isEmpty ? [try survey.naming.find(operand, .storageLocation)] : found
      }
    }
  }
}
