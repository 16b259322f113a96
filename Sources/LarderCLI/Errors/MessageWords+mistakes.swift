import LarderJSON
import LarderModel
internal import LarderText
import Libc

extension MessageWords {
  /// Returns the words for a broken or refused file that a command needs.
  func commandError(for mistakes: FileMistakes, path: String?) -> CommandError {
    let name = path ?? "the file"
    let count = mistakes.all.count
    let mistake = count == 1 ? "there is a mistake" : "there are \(count) mistakes"
    return CommandError(
      .invalidData,
      mistakes.isRefused
        ? "the edit of \(name) is refused: \(mistake) in it"
        : "\(name) is broken: \(mistake) in it",
      problems: problems(mistakes, path: path, severity: .error),
      hints: hints(for: mistakes)
    ).tellingOfUntakenFile
  }

  /// Returns the words for files that are broken or refused.
  static func left(_ paths: Set<FilePath>, in household: Household) -> String {
    guard let path = paths.first, paths.count == 1 else {
      return count(ofLeft: paths, in: household)
    }
    let name = safePath(path.text)
    let isRefused = household.untaken[path]?.isRefused ?? false
    return isRefused ? "the edit of \(name) is refused" : "\(name) is broken"
  }

  /// Returns the same for any number of them, without their paths.
  static func count(ofLeft paths: Set<FilePath>, in household: Household) -> String {
    let refused = paths.count { household.untaken[$0]?.isRefused ?? false }
    let broken = paths.count - refused
    let parts = [
      broken > 0 ? "\(counted(broken, "file")) \(broken == 1 ? "is" : "are") broken" : nil,
      refused > 0
        ? refused == 1 ? "1 edit is refused" : "the edits of \(refused) files are refused" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// Returns every mistake of a file with its position and, if the file is readable, its line.
  func problems(
    _ mistakes: FileMistakes, path: String?, severity: Problem.Severity
  ) -> [Problem] {
    let lines = path.map { SourceLines(root: root, path: $0) }
    return mistakes.all.map { mistake in
      let position = mistake.position
      return Problem(
        message(mistake), path: path, line: position?.line, column: position?.column,
        sourceLine: position.flatMap { lines?[$0.line] }, severity: severity)
    }
  }

  /// Returns the hints for a file's mistakes that need more than a correction of the line.
  func hints(for mistakes: FileMistakes) -> [String] {
    var hints: [String] = []
    for mistake in mistakes.all {
      switch mistake {
      case .syntax(let mistake) where mistake.kind == .conflictMarker:
        hints.append(
          "git merged without larder's merge driver: 'larder doctor --fix' sets it up, and joins both "
            + "sides of the file")
      case .refused(let problem, at: _):
        if case .unitMismatch(_, let ledger) = problem.kind {
          hints.append(
            "write \(ledger) again, or count the item in the new unit as another item")
        }
      case .badPath: hints.append("give the file another name, or move it")
      case .misplaced: hints.append("move it back, or to a place where it may be")
      case .isFolder:
        hints.append(
          "move the folder away; if it replaced a file of the household, 'larder doctor --fix' does "
            + "that, and keeps it")
      case .duplicateID:
        hints.append("take the id out of one of the two files, and that one gets a new id")
      default: break
      }
    }
    var unique: [String] = []
    for hint in hints where !unique.contains(hint) { unique.append(hint) }
    return unique
  }

  func message(_ mistake: FileMistakes.Mistake) -> String {
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
    }
  }

  private func tooLarge(_ bytes: Int) -> String {
    "the file has \(bytes) bytes; 16777216 (16 MiB) are the most"
  }

  private func message(_ kind: JSONMistake.Kind) -> String {
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

  private func message(_ problem: EntityProblem) -> String {
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
}

extension FileMistakes.Mistake {
  /// The position; nil for a mistake of the whole file.
  var position: TextPosition? {
    switch self {
    case .syntax(let mistake):
      if case .tooLarge = mistake.kind { nil } else { mistake.position }
    case .content(_, at: let position), .refused(_, at: let position): position
    case .notAFile, .isFolder, .badPath, .misplaced, .tooLarge, .notReadable, .duplicateID,
      .incomplete, .refusedEarlier:
      nil
    }
  }
}
