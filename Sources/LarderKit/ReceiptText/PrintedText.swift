internal import LarderModel

/// The lines of a text without decoration.
enum PrintedText {
  /// Returns the first lines of a text, with plain spaces and minus signs.
  ///
  /// Marks of quoted mail and dots before amounts are removed.
  static func lines(of text: String, atMost count: Int) -> [String] {
    let breaks: Set<Character> = ["\n", "\r\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}"]
    let lines = text.split(
      maxSplits: count, omittingEmptySubsequences: false, whereSeparator: breaks.contains)
    return lines.prefix(count).map { line in
      var plain = plain(line.prefix(400))
      while plain.drop(while: { $0 == " " }).first == ">" {
        // The text behind the mark keeps its column.
        let rest = plain.drop { $0 == " " }.dropFirst()
        plain = String(rest.first == " " ? rest.dropFirst() : rest)
      }
      return withoutLetterSpacing(withWholeAmounts(withMarks(withoutLeaders(plain)))).trimmingEnd
    }
  }

  private static func plain(_ line: Substring) -> String {
    var plain = ""
    for character in line {
      switch character {
      case "\t": plain += "    "
      case "|", "│", "┃": plain += "  "
      case "−", "–", "‐", "‑": plain.append("-")
      case "×", "✕": plain.append("x")
      case "…": plain += "..."
      default:
        if character.isWhitespace {
          plain.append(" ")
        } else if !character.isUnseen {
          plain.append(character)
        }
      }
    }
    return plain
  }

  /// Returns a line with spaces in place of the dots or lines between a name and its amount:
  /// `Tea....1.20`.
  private static func withoutLeaders(_ line: String) -> String {
    var characters = Array(line)
    var index = 0
    while index < characters.count {
      let sign = characters[index]
      guard leaders.contains(sign) else {
        index += 1
        continue
      }
      var end = index
      while end < characters.count, characters[end] == sign { end += 1 }
      let isAlone =
        (index == 0 || characters[index - 1] == " ")
        && (end == characters.count || characters[end] == " ")
      let isMark =
        end == index + 1 && index > 1 && characters[index - 2].isASCIIDigit
        && index + 2 < characters.count && characters[index + 2].isASCIIDigit
      let most = sign == "-" || sign == "=" ? 3 : 2
      if end - index >= most || (isAlone && !isMark && sign != "-" && sign != "=") {
        for place in index..<end { characters[place] = " " }
      }
      index = end
    }
    return String(characters)
  }

  private static let leaders: Set<Character> = [".", "·", "•", "_", "-", "=", "—"]

  /// Returns a line with a decimal mark where the euro sign is used as one: `6€50`, `2 €18`.
  private static func withMarks(_ line: String) -> String {
    guard line.contains("€") else { return line }
    var characters = Array(line)
    for place in characters.indices.reversed() where characters[place] == "€" {
      let behind = characters[(place + 1)...]
      let isCents =
        behind.prefix(while: \.isASCIIDigit).count == 2
        && !".,".contains(behind.dropFirst(2).first ?? " ")
      let isSpaced = place > 1 && characters[place - 1] == " "
      let before = isSpaced ? place - 2 : place - 1
      guard isCents, before >= 0, characters[before].isASCIIDigit else { continue }
      var start = before
      while start > 0, characters[start - 1].isASCIIDigit { start -= 1 }
      guard start == 0 || !".,".contains(characters[start - 1]) else { continue }
      characters.replaceSubrange((before + 1)...place, with: [","])
    }
    return String(characters)
  }

  /// Returns a line with zeros where dashes stand for decimals: `6.-`, `12,--`.
  private static func withWholeAmounts(_ line: String) -> String {
    let characters = Array(line)
    var result: [Character] = []
    var index = 0
    while index < characters.count {
      let mark = characters[index]
      result.append(mark)
      index += 1
      guard ".,".contains(mark), result.count > 1, result[result.count - 2].isASCIIDigit else {
        continue
      }
      var end = index
      while end < characters.count, "-—=".contains(characters[end]) { end += 1 }
      guard (1...2).contains(end - index),
        end == characters.count || !characters[end].isLetter && !characters[end].isASCIIDigit
      else { continue }
      result += ["0", "0"]
      index = end
    }
    return String(result)
  }

  /// Returns a line whose spaced letters are joined into words: `S U M M E`.
  private static func withoutLetterSpacing(_ line: String) -> String {
    let characters = Array(line)
    let isLetter = { (place: Int) in
      characters[place].isLetter && (place == 0 || characters[place - 1] == " ")
        && (place + 1 == characters.count || " :".contains(characters[place + 1]))
    }
    var result = ""
    var wasSpaced = false
    var index = 0
    while index < characters.count {
      var end = index
      while end < characters.count, isLetter(end), end == index || characters[end - 1] == " " {
        end += 2
      }
      guard end > index + 4 else {
        wasSpaced = wasSpaced && characters[index] == " "
        result.append(characters[index])
        index += 1
        continue
      }
      if wasSpaced { result = result.trimmingEnd + " " }
      result += String(characters[index..<min(end, characters.count)].filter { $0 != " " })
      wasSpaced = true
      // The space after the last letter.
      index = min(end, characters.count) - (end <= characters.count ? 1 : 0)
    }
    return result
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Character {
  /// Whether it is invisible, or only controls a terminal or the direction of text.
  fileprivate var isUnseen: Bool {
    unicodeScalars.allSatisfy { scalar in
      [.control, .format, .privateUse].contains(scalar.properties.generalCategory)
    }
  }
}

/// A search for the shop's name, which is printed above the things.
enum PrintedShop {
  /// Returns the first name on a receipt, or the sender of an e-mail; empty if there is none.
  static func name(in lines: [String], head: [String]) -> String {
    lines.prefix(40).lazy.compactMap(sender).first ?? head.lazy.compactMap(name).first ?? ""
  }

  /// Returns the sender of an e-mail, from the line with the sender.
  private static func sender(_ line: String) -> String? {
    guard let colon = line.firstIndex(of: ":"),
      ["from", "von", "de", "dari"].contains(
        fold(String(line[..<colon])).trimmingPrefix("*").description)
    else { return nil }
    let value = line[line.index(after: colon)...]
    guard let at = value.firstIndex(of: "@") else { return nil }
    if let open = value.firstIndex(of: "<"), open < at {
      let name = spaced(value[..<open].filter { $0 != "\"" && $0 != "*" })
      if !name.isEmpty { return name }
    }
    let host = value[value.index(after: at)...].prefix {
      $0.isLetter || $0.isNumber || "-.".contains($0)
    }
    let labels = host.split(separator: ".")
    return labels.dropLast().last.map(String.init)
  }

  /// Returns the name on a line of the head; nil for an address, a number or a greeting.
  private static func name(_ line: String) -> String? {
    // Text far behind the name, such as the branch, is not part of it.
    var columns: [String] = []
    for column in line.split(separator: "    ", omittingEmptySubsequences: true) {
      let column = spaced(String(column))
      if column.contains(where: \.isLetter) { columns.append(column) }
    }
    let text = columns.first.map(trimmed) ?? ""
    let label = ReceiptWords.label(of: text)
    let letters = text.filter(\.isLetter).count
    guard letters > 2, letters * 2 >= text.count(where: { $0 != " " }),
      !text.contains("@"), !text.lowercased().contains("www."),
      !label.allSatisfy(ReceiptWords.greetings.contains), !label.starts(with: ["subject"]),
      text.wholeMatch(of: /.*[0-9][.,][0-9]{2}( ?[A-Z€$£]+)?/) == nil
    else { return nil }
    guard !ReceiptWords.addresses.contains(label.first ?? "") else { return nil }
    return text
  }

  private static func trimmed(_ text: String) -> String {
    let isEdge = { (character: Character) in !character.isLetter && !character.isNumber }
    var name = text[...].drop(while: isEdge)
    while let last = name.last, isEdge(last), last != ".", last != ")", last != "!" {
      name.removeLast()
    }
    return String(name)
  }
}
