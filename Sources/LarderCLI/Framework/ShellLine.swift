/// A shell whose lines Larder reads and completes.
enum Shell: String, CaseIterable {
  case bash, zsh, fish
}

/// A line that somebody types in a shell, read as the shell does: quotes and backslashes are taken
/// off, and nothing is expanded.
struct ShellLine {
  /// The quotes that a line may end in.
  enum Quote {
    case none, single, double
  }

  /// The words as the program gets them.
  ///
  /// The last one is being typed, and may be empty.
  private(set) var words: [String]
  /// The last word as it is in the line.
  private(set) var typed: String
  /// The quotes in which the line ends.
  private(set) var quote = Quote.none

  init(_ line: String, in shell: Shell) {
    var (word, raw) = (String.UnicodeScalarView(), String.UnicodeScalarView())
    var isEscaped = false
    words = []
    for scalar in line.unicodeScalars {
      if isEscaped {
        if !quote.drops(backslashBefore: scalar) { word.append("\\") }
        word.append(scalar)
        isEscaped = false
      } else {
        switch (quote, scalar) {
        case (.none, "\\"), (.double, "\\"): isEscaped = true
        case (.single, "\\") where shell == .fish: isEscaped = true
        case (.none, "'"): quote = .single
        case (.none, "\""): quote = .double
        case (.single, "'"), (.double, "\""): quote = .none
        case (.none, " "), (.none, "\t"), (.none, "\n"):
          if !raw.isEmpty { words.append(String(word)) }
          (word, raw) = (String.UnicodeScalarView(), String.UnicodeScalarView())
          continue
        default: word.append(scalar)
        }
      }
      raw.append(scalar)
    }
    words.append(String(word))
    typed = String(raw)
  }

  /// Returns what bash writes instead of the end of the typed word, so that the word becomes another one.
  ///
  /// What it replaces begins behind a colon or an equals sign too, and it leaves an open quote.
  func replacement(of end: String, by word: String) -> String {
    guard typed.hasSuffix(end), typed.utf8.count > end.utf8.count else {
      return Self.quoted(word, in: quote)
    }
    let kept = ShellLine(String(typed.dropLast(end.count)), in: .bash)
    return Self.quoted(String(word.dropFirst(kept.words[0].count)), in: quote)
  }

  /// Returns what continues a line so that the shell reads it as a text, which has no controls.
  ///
  /// In double quotes, a backslash before `!` stays in the word, so the quotes end for it.
  static func quoted(_ text: String, in quote: Quote) -> String {
    var quoted = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch (quote, scalar) {
      case (.single, "'"): quoted.append(contentsOf: "'\\''".unicodeScalars)
      case (.double, "!"): quoted.append(contentsOf: "\"\\!\"".unicodeScalars)
      case (.double, "$"), (.double, "`"), (.double, "\""), (.double, "\\"):
        quoted.append("\\")
        quoted.append(scalar)
      case (.none, _) where !scalar.isPlainInShell:
        quoted.append("\\")
        quoted.append(scalar)
      default: quoted.append(scalar)
      }
    }
    return String(quoted)
  }
}

extension ShellLine.Quote {
  /// Whether a backslash only says that the character after it is meant as it is.
  fileprivate func drops(backslashBefore scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .none: true
    case .single: scalar == "'" || scalar == "\\"
    case .double: "$`\"\\\n".unicodeScalars.contains(scalar)
    }
  }
}

extension Unicode.Scalar {
  /// Whether no shell acts on the character, wherever it is in a word.
  fileprivate var isPlainInShell: Bool {
    isASCII
      ? properties.isAlphabetic || properties.numericType != nil
        || "-_./,@%+".unicodeScalars.contains(self)
      : !properties.isWhitespace
  }
}

/// Returns a name as one word of a command, for a sentence.
///
/// The name is cleaned first. Sentences put whole commands into single quotes. Whether somebody pastes
/// the command with these quotes or without, the shell acts on nothing in the name: what is between
/// double quotes has no single quote, and elsewhere each character that a shell acts on has its
/// backslash.
func shellWord(_ text: String) -> String {
  let clean = sanitize(text)
  if clean.isEmpty { return "\"\"" }
  let scalars = clean.unicodeScalars
  if scalars.allSatisfy({ $0.isPlainInShell || $0 == ":" }) { return clean }
  guard scalars.contains(where: { "'\"$`\\!".unicodeScalars.contains($0) }) else {
    return "\"\(clean)\""
  }
  return ShellLine.quoted(clean, in: .none)
}
