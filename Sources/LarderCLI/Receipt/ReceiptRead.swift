import LarderKit

/// `larder receipt read`.
enum ReceiptRead {
  private static let file = Argument(
    "FILE", .optional(standard: nil), values: .file,
    help: "a text, a PDF or a photo; '-' or nothing is a text on standard input")
  private static let edit = Option("edit", help: "open the editor on it in any case")

  static let command = Command(
    "receipt read", arguments: [file],
    options: [ReceiptOptions.shop, printedAt, edit, keepListed, makeItems, ReceiptOptions.noNew]
  ) { invocation in
    let survey = try await invocation.survey()
    let reader = ReceiptTextReader(survey.calendar, currency: survey.household.own?.currency)
    let source = try ReceiptSource(invocation.given(file), for: reader, invocation)
    let reading = ReceiptReading(
      invocation: invocation, source: source, read: reader.read(source.text),
      shop: try invocation[ReceiptOptions.shop].map {
        try invocation.newName($0, for: ReceiptOptions.shop.spelling)
      },
      paid: try invocation[printedAt].map {
        try invocation.moment($0, for: printedAt.spelling, survey.calendar)
      }, isDayOnly: invocation[printedAt].map(survey.calendar.isDayAlone) ?? false)
    try await reading.save(survey, inEditor: invocation.has(edit))
  }

  private static let printedAt = Option(
    "at", value: "T", help: "when it was paid, if it is not printed: a day, a time, or both")
  private static let keepListed = Option(
    ReceiptOptions.keep.name, help: "leave what was bought on the shopping list")
  private static let makeItems = Option(
    ReceiptOptions.new.name, help: "make items of what nobody knows")
}

/// The saving of a receipt that was read.
struct ReceiptReading {
  let invocation: Invocation
  let source: ReceiptSource
  var read: ReadReceipt
  /// The shop, if an option names it.
  let shop: String?
  /// The time of the payment, if an option has it.
  let paid: Instant?
  /// Whether the option has a day without a time.
  let isDayOnly: Bool

  private typealias Making = @Sendable (Survey, Writer, LineRules) throws -> ReadPurchase

  /// Saves the receipt if it adds up; otherwise opens it in the editor for correction.
  func save(_ survey: Survey, inEditor: Bool) async throws {
    let saved = survey.asSaved(read)
    if let known = survey.household[.receipt, saved.id], !known.isTombstone {
      guard saved.numbers.isEmpty, let number = read.numbers.first else {
        return tellKnown(known, survey)
      }
      // It was saved without its number, so it may as well be another one.
      guard
        invocation.prompt.confirm(
          "\(survey.heading(known)) was saved without the number of the receipt, which is "
            + "\(number); save another one?") == true
      else {
        tellKnown(known, survey)
        return invocation.output.note("if it is another one, --yes saves it")
      }
      return try await save(survey, inEditor: inEditor, isAnother: true)
    }
    var reading = self
    reading.read = saved
    try await reading.save(survey, inEditor: inEditor, isAnother: false)
  }

  private func save(_ survey: Survey, inEditor: Bool, isAnother: Bool) async throws {
    let doubt = ReadingDoubt(
      read, on: survey.calendar.today, hasShop: shop != nil, hasDay: paid != nil)
    guard inEditor || doubt != nil else {
      return try await commit(isAnother: isAnother) { survey, writer, rules in
        let printed = read.paid(survey.calendar)
        return try ReadPurchase(
          of: read, shop: shop ?? survey.shop(of: read), paid: paid ?? printed ?? writer.now,
          isDayOnly: paid == nil ? printed != nil && read.minutes == nil : isDayOnly, survey,
          writer,
          rules)
      }
    }
    if let doubt, !invocation.canEdit || invocation.has(Rehearsal.option) {
      throw doubt.errorWords(in: source)
    }
    try await edit(doubt, survey, isAnother: isAnother)
  }

  /// Commits the purchase.
  ///
  /// If there is a receipt of the same shop, day and amount, and nothing says that this is another
  /// one, the user is asked.
  private func commit(isAnother: Bool, _ make: @escaping Making) async throws {
    do {
      try await save(isAnother: isAnother, make)
    } catch OpenQuestion.isAnother(let twin) {
      try invocation.askForAnother(twin)
      try await save(isAnother: true, make)
    }
  }

  private func save(isAnother: Bool, _ make: @escaping Making) async throws {
    let ((purchase, told), change) = try await invocation.keepingNew { change, rules in
      let survey = change.survey
      let purchase = try make(survey, change.writer, rules)
      let receipt = try purchase.save(in: &change.edit)
      if change.edit.before[receipt.key] == nil, !isAnother, let other = survey.twin(of: receipt) {
        throw OpenQuestion.isAnother(ReceiptSaving.savedTwice(other, survey))
      }
      change.subject = "read a receipt of \(receipt.shop)"
      let told = LineNews(receipt: receipt, taken: purchase.taken)
      return ((purchase, told), change.edit.newThings(on: [receipt.entity]))
    }
    await report(told, purchase, change)
  }

  private func report(_ told: LineNews, _ saved: ReadPurchase, _ change: Outcome) async {
    guard let receipt = told.receipt.flatMap({ change[$0.key] }) else { return }
    guard !change.isNothing else { return tellKnown(receipt, change.after) }
    invocation.output.report(receipt, change, "saved", invocation)
    await invocation.tell(told, change)
    tellDay(of: Receipt(entity: receipt), change.after)
    await tellUnknown(saved.unknownNames, on: Receipt(entity: receipt), change.after)
    for line in saved.uncounted {
      invocation.output.note(
        "\(line.name) is on the receipt only: \(line.item) is counted in "
          + "\(line.unit == .piece ? "pieces" : line.unit.symbol ?? line.unit.noun(for: .zero)), "
          + (line.isInOtherUnit
            ? "and the receipt says it in another unit" : "and the receipt does not say how many")
          + "; " + way(to: line, on: Receipt(entity: receipt), change.after))
    }
  }

  /// Returns the command that counts a line; N stands for its amount.
  private func way(to line: ReadPurchase.Uncounted, on receipt: Receipt, _ survey: Survey) -> String
  {
    guard receipt.isFound(line.name) else {
      return "'larder put \(shellWord(line.item)) N' adds it"
    }
    let assigned = shellWord("\(line.name)=N")
    return "'larder receipt edit \(shellWord(survey.reference(to: receipt))) --line \(assigned)' "
      + "counts it"
  }

  /// Tells what a day that can be read both ways was taken for, and how to give the other.
  private func tellDay(of receipt: Receipt, _ survey: Survey) {
    guard paid == nil, let day = read.day, let other = read.otherDay,
      survey.calendar.day(of: receipt.timestamp) == day
    else { return }
    let moment = survey.calendar.text(of: receipt.timestamp)
      .replacing(day.description, with: other.description)
    let way =
      invocation.has(Rehearsal.option)
      ? "--at \(shellWord(moment)) says so"
      : "'larder receipt edit \(shellWord(survey.reference(to: receipt))) --at \(shellWord(moment))'"
        + " says so"
    invocation.output.note("its day is read as \(day), and could be \(other): " + way)
  }

  /// Tells in one line how unknown printed names become known.
  private func tellUnknown(_ names: [String], on receipt: Receipt, _ survey: Survey) async {
    guard !names.isEmpty else { return }
    guard await !invocation.leavesNew() else {
      return invocation.output.note("on the receipt only: \(inShort(names))")
    }
    invocation.output.note(
      "on the receipt only: \(inShort(names)); "
        + "'larder receipt edit \(shellWord(survey.reference(to: receipt)))' says what they are, "
        + "and --edit does the next time")
  }

  /// Says that a receipt was saved before.
  private func tellKnown(_ receipt: Entity, _ survey: Survey) {
    let output = invocation.output
    if output.mode == .human {
      output.line("unchanged: \(survey.heading(receipt))")
    } else if output.mode == .json {
      output.json(
        ["changed": .array([]), "receipt": survey.listed(receipt)] + survey.stock(of: receipt))
    }
    output.note("nothing was changed: it was saved before")
    let names = Receipt(entity: receipt).lines.filter { $0.itemID == nil }.map(\.itemName)
    guard invocation.lineRules.makesItems,
      let name = names.first(where: Receipt(entity: receipt).isFound)
    else { return }
    let reference = shellWord(survey.reference(to: Receipt(entity: receipt)))
    output.note(
      "'larder receipt edit \(reference) --line \(shellWord(name)) --new' makes an item of a line")
  }

  /// Opens the receipt in the editor, and saves the corrected one.
  private func edit(_ doubt: ReadingDoubt?, _ survey: Survey, isAnother: Bool) async throws {
    let form = ReceiptForm(
      of: read, shop: shop ?? survey.shop(of: read), paid: paid ?? read.paid(survey.calendar))
    let marks = read.doubtfulPlaces
    let text = form.text(
      in: survey, remarks: remarks(doubt),
      doubts: Dictionary(uniqueKeysWithValues: marks.map { ($0, "doubtful: " + printed($0)) }))
    // A receipt that adds up may be saved unchanged.
    let saved: Void? = try await invocation.edited(form: text, takesUnchanged: doubt == nil) {
      text in
      try await commit(isAnother: isAnother) { survey, writer, rules in
        let written = try ReceiptForm(text, in: survey)
        return try ReadPurchase(of: read, correctedTo: written, survey, writer, rules)
      }
    }
    if saved == nil { invocation.output.note("nothing was saved") }
  }

  private func printed(_ place: Int) -> String {
    let line = read.lines[place].line
    return source.lines.indices.contains(line - 1) ? String(source.lines[line - 1]) : ""
  }

  private func remarks(_ doubt: ReadingDoubt?) -> [String] {
    let reasons = (doubt?.reasons ?? []).map { reason in
      let words = reason.words(read)
      return words.prefix(1).uppercased() + words.dropFirst() + "."
    }
    let text = source.lines.filter { !$0.isEmpty }.prefix(150).map { "  " + $0 }
    return reasons + ReceiptFormWords.remarks
      + [
        ReceiptFormWords.learning,
        doubt == nil
          ? "Empty the file, and nothing is saved." : "Without a change, nothing is saved.",
      ]
      + ["", "The text of the receipt:"] + text
  }
}

/// The text of a receipt, and its source.
struct ReceiptSource {
  let text: String
  let lines: [Substring]
  /// The file; nil for standard input.
  private let path: String?

  /// Reads a file, or standard input.
  init(_ path: String?, for reader: ReceiptTextReader, _ invocation: Invocation) throws {
    self.path = path == "-" ? nil : path
    do {
      if let file = self.path {
        text = try ReceiptFile.text(at: file, for: reader)
      } else {
        text = try Self.input(invocation, isAsked: path == "-")
      }
      lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    } catch let error as ReceiptFileError {
      throw error.errorWords(
        named: self.path.map { "'\($0)'" } ?? "standard input",
        word: self.path.map(shellWord) ?? "FILE")
    }
  }

  /// Returns a problem with a line, from 1; a note has no excerpt.
  func problem(_ message: String, line: Int, _ severity: Problem.Severity) -> Problem {
    let words = lines.indices.contains(line - 1) ? String(lines[line - 1]) : nil
    return Problem(
      message, path: path ?? "standard input", line: line,
      sourceLine: severity == .note ? nil : words, severity: severity)
  }

  private static func input(_ invocation: Invocation, isAsked: Bool) throws -> String {
    guard isAsked || !invocation.output.terminal.inputIsTerminal else {
      throw ErrorWords(
        .usage, "the receipt is missing",
        "name a file, or type 'larder receipt read -' and paste a text, with ^D at its end")
    }
    var bytes: [UInt8] = []
    while bytes.count <= ReceiptBytes.most, let line = invocation.prompt.input.readLine() {
      bytes += Array(line.utf8) + [UInt8(ascii: "\n")]
    }
    guard ReceiptBytes.format(of: bytes) == .text else {
      throw ErrorWords(
        .usage, "standard input is no text",
        "name the file of a PDF or a photo: larder receipt read FILE")
    }
    return try mapError(try ReceiptBytes.text(bytes), ReceiptFileError.bytes)
  }
}

extension ReadingDoubt {
  /// The words for the error; `source` has the text.
  func errorWords(in source: ReceiptSource) -> ErrorWords {
    let marks = receipt.doubtfulPlaces
    var error = ErrorWords(self)
    error.problems = receipt.lines.enumerated().map { place, line in
      let mark = marks.contains(place) ? "doubtful: " : ""
      return source.problem(
        mark + line.words(receipt.currency), line: line.line,
        marks.contains(place) ? .warning : .note)
    }
    return error
  }
}
