import LarderModel

extension MessageWords {
  /// Returns the words for a file with mistakes, each with its line.
  func errorWords(for mistakes: ImportMistakes) -> ErrorWords {
    let whole = mistakes.all.filter { $0.line == 0 }
    if let first = whole.first {
      return ErrorWords(
        .invalidData, "nothing was imported: \(message(first.reason))", hints: hints([first]))
    }
    let told = mistakes.all.map { mistake in
      Problem(
        message(mistake.reason), path: mistake.file, line: mistake.line, column: mistake.column,
        sourceLine: mistake.source)
    }
    let rest = mistakes.count - told.count
    let more = rest > 0 ? [Problem("and \(counted(rest, "more mistake", "more mistakes"))")] : []
    return ErrorWords(
      .invalidData,
      "nothing was imported: there \(mistakes.count == 1 ? "is a mistake" : "are \(mistakes.count) mistakes") in the file",
      problems: told + more, hints: hints(mistakes.all))
  }

  func message(_ reason: ImportMistake.Reason) -> String {
    switch reason {
    case .decoding(let mistake): message(mistake)
    case .daysDiffer(let text, let other):
      "day and month of '\(text)' and '\(other)' are in different orders; write the dates of a table in "
        + "one, or like 2026-03-04"
    case .strayQuote: "a quote inside a cell; the whole cell needs quotes, and this one is doubled"
    case .textBehindQuote: "there is text behind the closing quote; a quote in a cell is doubled"
    case .openQuote: "this quote is never closed"
    case .tooManyColumns(let count, let most):
      "the file has \(count) columns; a table has at most \(most)"
    case .longCell(let most): "this cell has more than \(most) bytes; a quote may be missing"
    case .tooManyCells(let count, let columns):
      "the row has \(counted(count, "cell")), and there are \(counted(columns, "heading")); a text with the separator needs quotes"
    case .tooManyRows(let most): "the file has more than \(most) rows"
    case .tooManyNew(let most): "the file has more than \(most) new things"
    case .empty: "the file has no headings"
    case .noKnownColumn(let headings):
      "no heading is known: \(inShort(headings.map { "'\($0)'" }))"
    case .noSuchColumn(let heading, let known):
      "there is no column '\(heading)'; there are \(known.map { "'\($0)'" }.joined(separator: ", "))"
    case .notInTable(let field, let heading, let table, let others):
      "'\(heading)' can't be \(field): the table \(table.rawValue) has no such column"
        + (others.isEmpty ? "" : ", but \(others.map(\.rawValue).joined(separator: ", "))")
    case .noAmounts(let unread):
      "no column says how much there is, and these are not known: "
        + inShort(unread.map { "'\($0)'" })
    case .columnTwice(let field, let first):
      "this column is \(field) too, as '\(first)' is"
    case .amount(let text, let mistake): "'\(text)' is no amount: \(mistake.reason)"
    case .money(let text, let mistake): "'\(text)' is no sum of money: \(mistake.reason)"
    case .day(let text, let mistake): "'\(text)' is no day: \(HouseholdCalendar.reason(mistake))"
    case .flag(let text): "'\(text)' is neither yes nor no"
    case .unit(let text): "'\(text)' is no unit (\(Unit.choices))"
    case .length(let text):
      "'\(text)' is no number of days; write it as 7, 3w or 6m"
    case .currency(let text): "'\(text)' is no currency; a code has three letters, as EUR"
    case .rounded(let text):
      "a spreadsheet has rounded this number to '\(text)'; make the column one of text and write it again"
    case .needed(let field): "\(field) is missing"
    case .fixed(let field, let known):
      known.isEmpty
        ? "\(field) can't be changed here; it was empty"
        : "\(field) can't be changed here; it was '\(known)'"
          + (field == .name ? ", and the table stock changes it" : "")
    case .unknownID(let id, let kind, .some(let actual)):
      "\(id) is no \(kind.noun), but the id of another sort of thing (\(actual.noun))"
    case .unknownID(let id, let kind, nil):
      "no \(kind.noun) has the id \(id); without an id, the row makes a new one"
    case .unknownLine(let id):
      "the receipt has no line with the id \(id); without an id, the row adds one"
    case .severalBatches(let title, let count):
      "there are \(count) batches of \(title) in this place; a date or an id says which one it is"
    case .currencies(let one, let other):
      "the sum is in \(one), and the receipt in \(other); a receipt has one currency"
    case .gone(let title, let kind):
      "\(title) is \(kind.deletedWord)"
        + (kind.commandNoun.map {
          ": 'larder \($0) restore \(shellWord(title))' brings it back; or leave the row out"
        } ?? "; leave the row out")
    case .unknownVersion(let version):
      "the row was exported from the version \(version), which is not here; 'larder sync' may bring it, or "
        + "empty the column \(FieldName.asOf) to compare with what there is now"
    case .otherUnit(let title):
      "the unit of \(title) was changed since the export; export it again"
    case .twice(let title, 0): "\(title) has an id that is there already; keep one of the two"
    case .twice(let title, let line): "line \(line) is about \(title) too; keep one of the two rows"
    case .differs(let field, let thing, let line):
      "line \(line) says another \(field) of \(thing); write the same in both"
    case .rule(let error): text(error.errorWords)
    case .todo(let mistake): message(mistake)
    case .json(let mistake): message(.syntax(mistake))
    case .noFile: "a file needs a path and a content"
    case .noPath(let path): "no file of a household can be at '\(path)'"
    case .file(let path, let mistake): "\(path): \(message(mistake))"
    case .fileTwice(let path): "\(path) or its id is in the file twice"
    case .noCopy: "this is no copy of a household; 'larder export json' makes one"
    case .noHousehold: "the copy lacks household.json, so it is only a part of one"
    case .grocyUnknown:
      "this is not a known answer; known are products, locations, stock, shopping_list, quantity_units, product_groups, product_barcodes or quantity_unit_conversions"
    case .grocyRefused(let message):
      "Grocy did not answer; it said: \(message); check the key for its API, and save the answer again"
    case .grocyMissing(let key):
      "\(key) is missing, so this is only a part of an answer; save the answer again"
    case .grocyUnknownID(let id, let sort):
      "no answer has \(id) of /api/objects/\(sort.rawValue); give the file with it too"
    case .newerCopy(let version):
      "a newer larder wrote this copy, in version \(version); only a newer one reads it"
    }
  }

  func message(_ mistake: DecodingMistake) -> String {
    switch mistake {
    case .badByte(let byte, let line, .utf8):
      "line \(line) is no UTF-8 (byte \(String(byte, radix: 16, uppercase: true)))"
    case .badByte(_, let line, let encoding): "line \(line) is no \(encoding.rawValue)"
    case .notText: "the file is no text, or in another encoding"
    case .spreadsheet: "this is a spreadsheet's own file; save it there as CSV, and import that"
    }
  }

  func message(_ mistake: TodoMistake) -> String {
    switch mistake {
    case .decoding(let mistake): message(mistake)
    case .unknownID(let id):
      "no shopping entry has the id \(id); without larder:\(id), the line becomes a new entry"
    case .thing(let error): text(errorWords(for: error))
    case .noThing: "the name of a thing is missing"
    case .longLine(let most): "this line has more than \(most) bytes"
    }
  }

  private func hints(_ mistakes: [ImportMistake]) -> [String] {
    for mistake in mistakes {
      switch mistake.reason {
      case .decoding(.spreadsheet), .todo(.decoding(.spreadsheet)): continue
      case .decoding(.badByte(_, _, .utf8)):
        return [
          "save it as UTF-8, or name its encoding: --encoding windows-1252 for an older spreadsheet"
        ]
      case .decoding:
        return [
          "--encoding says what it is: \(TextEncodingName.allCases.map(\.rawValue).joined(separator: ", "))"
        ]
      case .todo(.decoding): return ["save it as UTF-8"]
      case .noAmounts(let unread):
        return [
          "--map \(shellWord("\(unread[0])=\(FieldName("total"))")) says which one does; --map "
            + "\(shellWord("\(unread[0])=")) leaves one out"
        ]
      case .notInTable(_, let heading, _, let others):
        return [
          "--map \(shellWord("\(heading)=")) leaves the column out"
            + (others.first.map { "; --kind \($0.rawValue) reads the rows as another table" } ?? "")
        ]
      case .noKnownColumn, .noSuchColumn, .columnTwice:
        return ["--map 'COLUMN=FIELD' says what a column is; 'larder export csv' shows the fields"]
      case .tooManyRows, .tooManyNew: return ["import it in several parts"]
      case .day(_, .dayOrMonth)
      where !mistakes.contains { if case .daysDiffer = $0.reason { true } else { false } }:
        return [
          "--days day-month, or --days month-day, says which comes first in all dates of the table"
        ]
      default: continue
      }
    }
    return []
  }

  /// Returns an error on one line: its message, the names to choose from and its first hint.
  func text(_ error: ErrorWords) -> String {
    let choices = error.problems.prefix(3).map(\.message).joined(separator: "; ")
    let message = choices.isEmpty ? error.message : "\(error.message) (\(choices))"
    return ([message] + error.hints.prefix(1)).joined(separator: "; ")
  }

  /// Returns the words for a count sheet with mistakes, each with its line.
  func errorWords(for mistakes: SheetMistakes) -> ErrorWords {
    let count = mistakes.all.count
    let errors = mistakes.all.map { mistake -> ErrorWords? in
      if case .naming(let error) = mistake.reason { errorWords(for: error) } else { nil }
    }
    var error = ErrorWords(
      .invalidData,
      "nothing was counted: there \(count == 1 ? "is a mistake" : "are \(count) mistakes") in the sheet",
      problems: mistakes.all.prefix(50).map { mistake in
        Problem(message(mistake.reason), line: mistake.line, column: mistake.column)
      })
    if errors.allSatisfy({ $0?.unknownNames.isEmpty == false }) {
      error.unknownNames = errors.compactMap(\.self).flatMap(\.unknownNames).unique
    }
    return error
  }

  func message(_ reason: SheetMistake.Reason) -> String {
    switch reason {
    case .box(let sign): "a box is empty or has an x in it, found '\(sign)'"
    case .longLine: "this line has more than \(longestLine) bytes"
    case .amount(let text, let reason): "'\(text)' is no amount: \(reason.reason)"
    case .noAmount(let thing):
      "the amount of \(thing) is missing; write how much there is, or remove the line"
    case .noThing(let amount):
      amount.isEmpty
        ? "the name of a thing is missing" : "the name of a thing is needed beside \(amount)"
    case .twice(let thing, let line): "\(thing) is counted in line \(line) already"
    case .severalLots(let thing, let place):
      "several batches of \(thing) are in \(place): change their lines"
    case .naming(let error): text(errorWords(for: error))
    case .rule(let error): text(error.errorWords)
    }
  }
}

extension ReceiptFileError {
  /// Returns the words for a file by its name in sentences, and by its word in commands.
  package func errorWords(named name: String, word: String) -> ErrorWords {
    switch self {
    case .bytes(let mistake): return mistake.errorWords(name, word)
    case .format(.heic):
      return ErrorWords(
        .invalidData, "\(name) is a photo in the format HEIC, which can't be read here",
        "'heif-convert \(word) receipt.jpg' makes a JPEG of it")
    case .format(.archive):
      return ErrorWords(
        .invalidData, "\(name) is an archive", "unpack it, and read the receipt in it")
    case .format: return ErrorWords(.invalidData, "\(name) is no text, PDF or photo")
    case .notInstalled(let program, let package):
      return ErrorWords(
        .failed, "\(name) is read by '\(program)', which is not installed",
        "'sudo apt-get install \(package)' installs it; with Homebrew, \(brew(program))")
    case .unreadable(let program, let status):
      let reason = status > 128 ? "a signal ended it, perhaps for its memory" : "exit \(status)"
      return ErrorWords(
        .invalidData, "\(name) can't be read: '\(program)' did not end well (\(reason))",
        "'\(program)' shows why; or copy the text: larder receipt read -")
    case .tookTooLong(let program, let seconds):
      return ErrorWords(
        .failed, "\(name) can't be read: '\(program)' took more than \(seconds) seconds",
        "a smaller picture or a single page may do")
    case .noText(let program):
      return ErrorWords(
        .invalidData, "'\(program)' found no text in \(name)",
        program == "pdftotext"
          ? "if it is a picture: 'pdftoppm -r 300 -png \(word) page', then read page-1.png"
          : "a picture from above, in good light, reads best")
    }
  }

  private func brew(_ program: String) -> String {
    "'brew install \(program == "pdftotext" ? "poppler" : program)'"
  }
}

extension ReceiptBytes.Mistake {
  func errorWords(_ name: String, _ word: String) -> ErrorWords {
    switch self {
    case .encoding(let encoding?):
      ErrorWords(
        .invalidData, "\(name) is not UTF-8; it seems to be \(encoding)",
        "'iconv -f \(encoding) -t UTF-8 \(word) | larder receipt read -' reads it")
    case .encoding(nil):
      ErrorWords(
        .invalidData, "\(name) is not UTF-8",
        "'iconv -f WINDOWS-1252 -t UTF-8' or '-f SHIFT_JIS' before the pipe rewrites it")
    case .noText:
      ErrorWords(
        .invalidData, "\(name) is no text, and no PDF or photo that is known",
        "save it as a text, a PDF, a JPEG or a PNG, or paste its text: larder receipt read -")
    case .tooLarge:
      ErrorWords(
        .invalidData, "\(name) is larger than \(ReceiptBytes.most >> 20) MiB",
        "a receipt is smaller; cut out its part")
    case .tooManyLines:
      ErrorWords(
        .invalidData, "\(name) has more than \(ReceiptTextReader.mostLines) lines",
        "a receipt is shorter; cut out its part")
    }
  }
}

extension ReadingDoubt: HasErrorWords {
  package var errorWords: ErrorWords {
    ErrorWords(
      .invalidData,
      "nothing was saved: " + reasons.map { $0.words(receipt) }.joined(separator: "; "),
      hints: hints)
  }

  /// The printed day with its time, as `--at` takes them.
  private func moment(on day: Day) -> String {
    guard let minutes = receipt.minutes else { return day.description }
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "\(day) \(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  private var hints: [String] {
    var hints: [String] = []
    for reason in reasons {
      switch reason {
      case .noDay: hints.append("--at DAY says when it was paid")
      case .dayAhead(let day), .dayLongAgo(let day):
        hints.append("if the day is right, --at '\(moment(on: day))' says so; otherwise --at DAY")
      default: break
      }
    }
    if reasons.contains(.noShop) { hints.append("--shop S names the shop") }
    hints.append("at a terminal, you can correct what was read in your editor")
    return hints
  }
}

extension ReadingDoubt.Reason {
  /// The reason, for a sentence.
  package func words(_ receipt: ReadReceipt) -> String {
    let money = { (number: Number) in TypedMoney(number, receipt.currency).description }
    switch self {
    case .noLines: return "no line with a price was found"
    case .noTotal: return "no total was found"
    case .belowZero: return "the total is below zero, so it is no purchase"
    case .noDay: return "no day is printed"
    case .noShop: return "no name of a shop was found"
    case .dayAhead(let day): return "the day on it, \(day), is in the future"
    case .dayLongAgo(let day): return "the day on it, \(day), is more than a year ago"
    case .quantities(1): return "the numbers of a line contradict its quantity"
    case .quantities(let count): return "the numbers of \(count) lines contradict their quantities"
    case .signs(1): return "a line is a discount without a minus, or a thing with one"
    case .signs(let count):
      return "\(count) lines are discounts without a minus, or things with one"
    case .difference(let gap):
      let size = gap < .zero ? -gap : gap
      return "the lines make \(money(receipt.sum)), and the total is "
        + "\(money(receipt.total ?? .zero)), \(money(size)) \(gap < .zero ? "less" : "more")"
    }
  }
}

extension ReadLine {
  /// The line in short, such as `2 x Milk, 2.38 EUR`.
  package func words(_ currency: String?) -> String {
    let amount = Quantity(quantity, unit ?? .piece).description
    let count = quantity == Number(1) && unit == nil ? "" : "\(amount) "
    return "\(count)\(title), \(TypedMoney(self.amount, currency))"
  }
}
