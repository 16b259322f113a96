import LarderJSON
package import LarderModel
import Libc

extension MessageWords {
  /// Returns the words for a broken or refused file that a command needs.
  func errorWords(for mistakes: FileMistakes, path: String?) -> ErrorWords {
    let name = path ?? "the file"
    let count = mistakes.all.count
    guard !mistakes.isSyncCopy else {
      return ErrorWords(
        .invalidData, "\(name) is a copy that a program for syncing folders left",
        problems: problems(mistakes, path: path, severity: .error), hints: hints(for: mistakes)
      ).tellingOfUntakenFile
    }
    let mistake = count == 1 ? "there is a mistake" : "there are \(count) mistakes"
    return ErrorWords(
      .invalidData,
      mistakes.isRefused
        ? "the edit of \(name) is refused: \(mistake) in it"
        : "\(name) is broken: \(mistake) in it",
      problems: problems(mistakes, path: path, severity: .error), hints: hints(for: mistakes)
    ).tellingOfUntakenFile
  }

  /// Returns the words for files that are broken or refused.
  package static func left(_ paths: Set<FilePath>, in household: Household) -> String {
    guard let path = paths.first, paths.count == 1 else {
      return count(ofLeft: paths, in: household)
    }
    let name = safePath(path.text)
    let mistakes = household.untaken[path]
    if mistakes?.isSyncCopy ?? false { return "\(name) is a copy that a sync of folders left" }
    return mistakes?.isRefused ?? false ? "the edit of \(name) is refused" : "\(name) is broken"
  }

  /// Returns the same for any number of them, without their paths.
  package static func count(ofLeft paths: Set<FilePath>, in household: Household) -> String {
    let copies = paths.count { household.untaken[$0]?.isSyncCopy ?? false }
    let refused = paths.count { household.untaken[$0]?.isRefused ?? false } - copies
    let broken = paths.count - refused - copies
    let parts = [
      broken > 0 ? "\(counted(broken, "file")) \(broken == 1 ? "is" : "are") broken" : nil,
      refused > 0
        ? refused == 1 ? "1 edit is refused" : "the edits of \(refused) files are refused" : nil,
      copies > 0
        ? "\(counted(copies, "file")) \(copies == 1 ? "is a copy" : "are copies") that a sync of "
          + "folders left" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// Returns what can be done with the copies that a sync of folders left.
  package static func hints(ofCopiesIn household: Household) -> [String] {
    household.syncCopies.flatMap { MessageWords().hints(for: $0.mistakes) }.unique
  }

  /// Returns every mistake of a file with its position and, if the file is readable, its line.
  package func problems(_ mistakes: FileMistakes, path: String?, severity: Problem.Severity)
    -> [Problem]
  {
    let lines = path.map { SourceLines(root: root, path: $0) }
    return mistakes.all.map { mistake in
      let position = mistake.position
      return Problem(
        message(mistake), path: path, line: position?.line, column: position?.column,
        sourceLine: position.flatMap { lines?[$0.line] }, severity: severity)
    }
  }

  /// Returns the hints for a file's mistakes that need more than a correction of the line.
  package func hints(for mistakes: FileMistakes) -> [String] {
    var hints: [String] = []
    for mistake in mistakes.all {
      switch mistake {
      case .syntax(let mistake) where mistake.kind == .conflictMarker:
        hints.append(
          "git merged without larder's merge driver: 'larder doctor --fix' sets it up, and joins both "
            + "sides of the file")
      case .refused(let problem, at: _):
        if case .unitMismatch(_, let ledger) = problem.kind {
          hints.append("write \(ledger) again, or count the item in the new unit as another item")
        }
      case .badPath: hints.append("give the file another name, or move it")
      case .misplaced: hints.append("move it back, or to a place where it may be")
      case .isFolder:
        hints.append(
          "move the folder away; if it replaced a file of the household, 'larder doctor --fix' does "
            + "that, and keeps it")
      case .duplicateID:
        hints.append("take the id out of one of the two files, and that one gets a new id")
      case .syncCopy(of: .some):
        hints.append(
          "'larder doctor --fix' joins it with that file, and keeps it in .git/larder/kept; 'rm' "
            + "drops it; without its id, and under another file name, it is a thing of its own")
      case .syncCopy(of: nil):
        hints.append("under another file name it is taken in; 'rm' drops it")
      default: break
      }
    }
    return hints.unique
  }

  package func message(_ mistake: FileMistakes.Mistake) -> String {
    switch mistake {
    case .syntax(let mistake): message(mistake.kind)
    case .content(let problem, at: _), .refused(let problem, at: _): message(problem)
    case .notAFile: "this is no ordinary file; links are not followed"
    case .isFolder: "there is a folder in the place of a file"
    case .badPath(let fault): message(fault)
    case .misplaced(let path):
      "its file was moved to \(safePath(path.text)), where no file of the household may be"
    case .tooLarge(let bytes): tooLarge(bytes)
    case .notReadable(let code): "the file can't be opened: \(String(cString: strerror(code)))"
    case .duplicateID(let id, let path): "\(path) has the id \(id) too"
    case .incomplete: "id, createdAt or userId is missing, though larder committed the file"
    case .refusedEarlier:
      "an edit of this file was refused in an earlier commit, and is still in it"
    case .syncCopy(of: let original?):
      "this is a copy of \(safePath(original.text)) that a sync of folders left, and counts for nothing"
    case .syncCopy(of: nil):
      "a sync of folders left this, by its name, as a copy of a file that is gone; it counts for nothing"
    }
  }

  private func tooLarge(_ bytes: Int) -> String {
    "the file has \(bytes) bytes; 16777216 (16 MiB) are the most"
  }

  func message(_ kind: JSONMistake.Kind) -> String {
    switch kind {
    case .tooLarge(let bytes): tooLarge(bytes)
    case .byteOrderMark: "the file begins with a byte order mark; save it as UTF-8 without one"
    case .invalidUTF8: "these bytes are no UTF-8; save the file as UTF-8"
    case .nullCharacter: "U+0000 has no place in a file of the household"
    case .tooDeep: "this is nested more than 64 deep"
    case .duplicateKey(let key): "\"\(key)\" is there twice in one object; remove one of them"
    case .unexpected(let found, let expected): unexpected(found, expected)
    case .unexpectedEnd(let expected): "the file ends where \(expected) is needed"
    case .badEscape: "this is no escape that JSON knows; a backslash itself is written \\\\"
    case .loneSurrogate: "this escape is half of a pair (U+D800 to U+DFFF) without its other half"
    case .controlCharacter: "a control character has to be written as an escape, such as \\u0009"
    case .badNumber(let text): "\(text) is no number as JSON writes them"
    case .exponentTooLarge(let text): "the exponent of \(text) is too large"
    case .trailingContent: "something follows the end of the value"
    case .conflictMarker: "git left this line of a merge that was not resolved"
    }
  }

  private func unexpected(_ found: String, _ expected: String) -> String {
    let isBehindComma =
      (found == "}" && expected.hasPrefix("a key")) || (found == "]" && expected == "a value")
    return isBehindComma
      ? "there is a comma before this \(found), but nothing follows; take it out"
      : "\(expected) is needed here, found \(found)"
  }

  func message(_ problem: EntityProblem) -> String {
    let name = name(of: problem.path)
    let subject = name.isEmpty ? "" : "\(name): "
    switch problem.kind {
    case .unexpected(let found, let expected):
      return "\(subject)\(expected) is needed, found \(found)"
    case .notAmong(let found, let choices):
      return "\(subject)one of \(choices.joined(separator: ", ")) is needed, found \(found)"
        + question(about: found, choices)
    case .missing(let field, let expected):
      let whole = name.isEmpty ? field : "\(name).\(field)"
      return "\(whole) is missing: \(expected) is needed"
    case .ambiguousChange:
      return "\(subject)exactly one of delta, set and undoes is needed"
    case .tooMany(let found, let most):
      return "\(subject)there are \(found) here; \(most) are the most"
    case .namesNothing: return "a shopping entry needs an itemId or a name"
    case .unitMismatch(let written, let ledger):
      return "\(subject)the unit can't become \(written): what was counted so far is in \(ledger)"
    case .newerFormat(let format):
      return
        "\(subject)format \(format) is newer than this program, which writes format \(Schema.format)"
    }
  }

  /// Returns the question about the allowed word that may be meant.
  private func question(about found: String, _ choices: [String]) -> String {
    let word = found.split(separator: "\"").joined()
    guard let meant = suggestions(for: word, among: choices).first else { return "" }
    return "; did you mean \"\(meant)\"?"
  }

  /// Returns the path of a value as programs write it, such as `changes[2].delta`.
  private func name(of path: [JSONStep]) -> String {
    path.reduce(into: "") { name, step in
      switch step {
      case .key(let key): name += name.isEmpty ? key : ".\(key)"
      case .index(let index): name += "[\(index)]"
      }
    }
  }

  /// Returns all problems of a household's files, ordered by path and position.
  package func problems(of household: Household, now: Instant) -> [Problem] {
    let untaken = household.untaken.flatMap { path, mistakes in
      problems(mistakes, path: path.text, severity: .error)
    }
    let findings = HouseholdCheck.findings(in: household, now: now).filter(isWorthTelling)
      .map { problem($0, in: household) }
    return (untaken + findings).enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.path != other.path { return JSON.precedes(one.path ?? "", other.path ?? "") }
      if one.line != other.line { return one.line ?? 0 < other.line ?? 0 }
      return left.offset < right.offset
    }.map(\.element)
  }

  /// Whether to report a finding; an unknown key counts only if it is similar to a known one.
  private func isWorthTelling(_ finding: HouseholdCheck.Finding) -> Bool {
    guard case .unknownKey(let key, let known) = finding.kind else { return true }
    return meant(by: key, among: known) != nil
  }

  private func meant(by key: String, among known: [String]) -> String? {
    let one = fold(key)
    let near = suggestions(for: key, among: known).first { candidate in
      let other = fold(candidate)
      return other.hasPrefix(one) || editDistance(one, other) * 4 <= one.count
    }
    // A part of a name is meant too, such as "minimum" for "quantityMinimum".
    return near ?? (one.count < 4 ? nil : known.first { fold($0).contains(one) })
  }

  private func problem(_ finding: HouseholdCheck.Finding, in household: Household) -> Problem {
    let source = SourceLines(root: root, path: finding.path.text)
    let position = position(of: finding.place, in: source.bytes)
    let words = LocalTime(of: household)
    return Problem(
      message(finding.kind, words), path: finding.path.text, line: position?.line,
      column: position?.column, sourceLine: position.flatMap { source[$0.line] },
      severity: severity(finding.kind))
  }

  private func position(of place: HouseholdCheck.Place, in bytes: [UInt8]) -> TextPosition? {
    switch place {
    case .value(let path): return JSON.position(of: path, in: bytes)
    case .key(let path): return JSON.position(of: path, in: bytes, key: true)
    case .entry(let id):
      // In an edited file, the entries may be in any order.
      guard let entries = (try? JSON(parsing: bytes))?[.changes]?.array,
        let index = entries.firstIndex(where: { $0[.id]?.string?.lowercased() == id })
      else { return JSON.position(of: [.key("changes")], in: bytes) }
      return JSON.position(of: [.key("changes"), .index(index)], in: bytes)
    }
  }

  private func severity(_ kind: HouseholdCheck.Kind) -> Problem.Severity {
    switch kind {
    case .contestedProduct, .unconvertible, .unconvertibleBatch, .otherHousehold: .error
    case .sharedName, .batchBelowZero, .afterDiscard, .archivedWithQuantity, .aheadOfClock,
      .servedTwice, .unknownTimeZone,
      .unknownReference, .unclaimedProduct, .receiptDiffers, .wrongCheckDigit:
      .warning
    case .longLedger, .unknownKey: .note
    }
  }

  private func message(_ kind: HouseholdCheck.Kind, _ time: LocalTime) -> String {
    switch kind {
    case .contestedProduct(let product, let other):
      return "\(product) is also a product of \(other), which has it; take it out of one of them"
    case .sharedName(let name, let other):
      return "\(other) is called \(name) too, so commands don't know which one is meant"
    case .unconvertible(let entry, let unit):
      return
        "\(entry.unit.rawValue) does not convert to \(unit.rawValue): this change is not counted"
    case .unconvertibleBatch(let unit, let item, let itemUnit):
      return "\(unit.rawValue) does not convert to \(itemUnit.rawValue), the unit of \(item): this "
        + "batch is not in its total"
    case .afterDiscard(_, let discarded):
      return "this is later than \(time.text(of: discarded)), when the batch was thrown away"
    case .archivedWithQuantity(let quantity):
      return
        "\(quantity) is archived here and does not count; 'larder stock restore' brings it back, a "
        + "batch with --batch, and 'larder stock merge' takes it into another item"
    case .batchBelowZero(let quantity):
      return
        "\(quantity) is less than nothing: more was used of this batch than was in it; 'larder "
        + "stock count' with --batch says what is there"
    case .longLedger(let count):
      return
        "\(count) changes are in this ledger, and every new one writes the whole file again; 'larder "
        + "count' with what there is begins a new page, and git keeps the old one"
    case .aheadOfClock(let field, let instant):
      let what = field == "changes" ? "this change is" : "\(field) is stamped"
      return "\(what) \(time.text(of: instant)), more than a day ahead of the clock"
    case .servedTwice(let request, let other, let devices):
      return
        "request '\(request)' was served here and in \(other), by \(devices.joined(separator: " and "))"
        + ": it may count twice"
    case .unknownTimeZone(let name):
      return
        "there is no time zone called '\(name)', so days begin and end in UTC; names are such as "
        + "Europe/London"
    case .otherHousehold(let id): return "this belongs to another household, \(id)"
    case .unknownReference(to: let kind, let id):
      return "there is no \(kind.noun) with the id \(id)"
    case .unclaimedProduct(let id):
      return "no item has the product \(id), so this batch counts for none"
    case .receiptDiffers(let item, let bought, let ledger):
      let came = ledger.map { "the ledger of \(item) has \($0) of it" }
      return "\(bought) of \(item) on this receipt, but "
        + (came ?? "the ledger of \(item) has nothing of it")
        + "; 'larder receipt void' and then 'restore' correct it, 'larder stock count' says what "
        + "is there"
    case .wrongCheckDigit(let barcode, let text):
      return "\(text) may be mistyped: \(barcode.mistake)"
    case .unknownKey(let key, let known):
      let meant = meant(by: key, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
      return "\"\(key)\" is no key that larder knows\(meant)"
    }
  }

  /// Returns the problems of adopted files, including the mistakes of broken and refused ones.
  package func problems(_ notes: [HouseholdAdoption.Note], in household: Household) -> [Problem] {
    var seen: Set<HouseholdAdoption.Note> = []
    return notes.filter { seen.insert($0).inserted }.flatMap { note -> [Problem] in
      switch note {
      case .stale(let path, let fields):
        return [
          warning(
            "this is an older version of the file (\(names(fields))); later changes are still valid, so a "
              + "revert or an old editor buffer changes nothing", path)
        ]
      case .outlived(let path, let fields):
        return [
          warning(
            "this edit has no effect (\(names(fields))): the earlier value carries the last time that "
              + "can be written, and nothing comes after it", path)
        ]
      case .removed(let path):
        let becomes =
          path == Kind.householdPath
          ? "the household stays, and the file comes back"
          : "its content is kept and marked as deleted"
        return [warning("the file is gone; \(becomes)", path)]
      case .copied(let path, let original):
        return [warning("this is a copy of \(original) and gets an id of its own", path)]
      case .untaken(let path):
        guard let mistakes = household.untaken[path] else { return [] }
        return problems(mistakes, path: path.text, severity: .warning)
      }
    }
  }

  private func names(_ fields: [FieldName]) -> String {
    fields.map { $0 == .changes ? "the ledger" : EntityWords.label($0) }.joined(separator: ", ")
  }

  private func warning(_ message: String, _ path: FilePath) -> Problem {
    Problem(message, path: path.text, severity: .warning)
  }
}

extension FileMistakes.Mistake {
  /// The position; nil for a mistake of the whole file.
  var position: TextPosition? {
    switch self {
    case .syntax(let mistake):
      if case .tooLarge = mistake.kind { nil } else { mistake.position }
    case .content(_, at: let position), .refused(_, at: let position): position
    default: nil
    }
  }
}

/// The lines of a file, for showing the one with a mistake; empty if the file is no longer
/// readable.
package struct SourceLines {
  /// The file's bytes; empty if it can't be read.
  let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a file of the household; empty without the household's folder.
  init(root: String?, path: String) {
    // If the file can't be read, the mistake is still reported, but without its line.
    bytes = root.flatMap { try? Larder.bytes(of: FilePath(path), in: $0) } ?? []
  }

  /// Returns a line by its number from 1, without its ending and with damaged bytes replaced.
  package subscript(number: Int) -> String? {
    guard number > 0, !bytes.isEmpty else { return nil }
    let lines = bytes.split(separator: 10, maxSplits: number, omittingEmptySubsequences: false)
    guard number <= lines.count else { return nil }
    var line = lines[number - 1]
    if line.last == 13 { line = line.dropLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
