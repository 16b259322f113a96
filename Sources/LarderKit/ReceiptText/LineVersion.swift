internal import LarderModel

/// One of a few versions of a text's lines, each with other corrections.
///
/// A version changes all lines by one rule, never only some of them.
struct LineVersion: Equatable {
  var lines: [String]
  var style: NumberStyle

  /// Returns the versions of a text, the likeliest first.
  static func all(of lines: [String], _ style: NumberStyle) -> [LineVersion] {
    let closed = closed(lines)
    let turned = turned(closed, style)
    let forms = [
      lines, closed, zipped(lines, style), zipped(closed, style), turned, corrected(closed),
    ]
    var versions = forms.map { LineVersion(lines: $0, style: style) }
    if let whole = style.whole(in: lines) {
      versions += [lines, turned].map { LineVersion(lines: $0, style: whole) }
    }
    return versions.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Returns lines without the spaces that text recognition puts into amounts: `12, 90`, `7 ,50`.
  private static func closed(_ lines: [String]) -> [String] {
    lines.map { line in
      let characters = Array(line)
      var result: [Character] = []
      for (index, character) in characters.enumerated() {
        let isGap = character == " " && isGapOfAmount(index, in: characters)
        if !isGap { result.append(character) }
      }
      return String(result)
    }
  }

  /// Whether a space stands between an amount's whole digits and its decimal mark, or between the
  /// mark and two or three decimals.
  private static func isGapOfAmount(_ index: Int, in characters: [Character]) -> Bool {
    for mark in [index - 1, index + 1, index - 2, index + 2] {
      guard characters.indices.contains(mark), ".,".contains(characters[mark]) else { continue }
      var before = mark - 1
      if before >= 0, characters[before] == " " { before -= 1 }
      var after = mark + 1
      if after < characters.count, characters[after] == " " { after += 1 }
      guard before >= 0, characters[before].isASCIIDigit, after + 1 < characters.count,
        characters[after].isASCIIDigit, characters[after + 1].isASCIIDigit,
        characters[after...].prefix(while: \.isASCIIDigit).count <= 3,
        (before...after).contains(index)
      else { continue }
      return true
    }
    return false
  }

  /// Returns lines without the space that separates thousands: `1 049,00`.
  static func grouped(_ lines: [String]) -> [String] {
    lines.map { line in
      let characters = Array(line)
      var result: [Character] = []
      for (index, character) in characters.enumerated() {
        let isGap = character == " " && isGapOfThousands(index, in: characters)
        if !isGap { result.append(character) }
      }
      return String(result)
    }
  }

  private static func isGapOfThousands(_ index: Int, in characters: [Character]) -> Bool {
    var start = index
    while start > 0, characters[start - 1].isASCIIDigit { start -= 1 }
    let rest = characters[(index + 1)...]
    guard (1...3).contains(index - start), characters[start] != "0",
      start == 0 || " -+€£$¥₹".contains(characters[start - 1]),
      rest.prefix(4).prefix(while: \.isASCIIDigit).count == 3
    else { return false }
    let behind = rest.dropFirst(3)
    // Thousands are joined only in amounts: numbers with decimals, or the last number of a line.
    return behind.isEmpty || " €".contains(behind.first ?? "-")
      || (".,".contains(behind.first ?? "-") && behind.dropFirst().first?.isASCIIDigit ?? false)
  }

  /// Returns lines with digits in place of the letters that text recognition read: `1O,5O`, `l.99`.
  private static func corrected(_ lines: [String]) -> [String] {
    let letters: [Character: Character] = ["O": "0", "o": "0", "l": "1", "I": "1"]
    return lines.map { line in
      line.split(separator: " ", omittingEmptySubsequences: false).map { word in
        let digits = word.map { letters[$0] ?? $0 }
        guard digits.count > 3, ".,".contains(digits[digits.count - 3]),
          word.contains(where: \.isASCIIDigit), digits.filter({ ".,".contains($0) }).count == 1,
          digits.allSatisfy({ $0.isASCIIDigit || ".,-€£$".contains($0) })
        else { return String(word) }
        return String(digits)
      }.joined(separator: " ")
    }
  }

  /// Returns lines with a leading amount moved to the end: `2.50 Bread` becomes `Bread 2.50`.
  private static func turned(_ lines: [String], _ style: NumberStyle) -> [String] {
    lines.map { line in
      let printed = PrintedLine(line, number: 1, style)
      guard let first = printed.pieces.firstIndex(where: { $0.number != nil }),
        first == 0 || (first == 1 && printed.pieces[0].isCurrency),
        let number = printed.pieces[first].number, !number.isPercent,
        number.decimals == style.decimals || number.currency != nil,
        // `4 50 Bread` has lost its decimal mark.
        first + 1 == printed.pieces.count || printed.pieces[first + 1].number == nil,
        printed.pieces[(first + 1)...].allSatisfy({ $0.number?.decimals != style.decimals }),
        printed.pieces[(first + 1)...].contains(where: { $0.kind == .word })
      else { return line }
      var word = printed.pieces[first].word
      if first + 1 < printed.pieces.count, printed.pieces[first + 1].isCurrency {
        word = printed.pieces[first + 1].word
      }
      let rest = printed.words[(word + 1)...]
      guard !rest.isEmpty else { return line }
      return (rest + [" "] + printed.words[...word]).joined(separator: " ")
    }
  }

  /// Returns lines with each amount next to its name, for a column of amounts that was read after
  /// the names.
  fileprivate static func zipped(_ lines: [String], _ style: NumberStyle) -> [String] {
    let reader = RowReader(style, RowLayout())
    let rows = lines.map { reader.row(PrintedLine($0, number: 1, style)) }
    var result = lines
    var index = 0
    while index < rows.count {
      let start = index
      while index < rows.count, let row = rows[index], row.amount != nil, !row.hasName {
        index += 1
      }
      let amounts = index - start
      guard amounts > 1 else {
        index = max(index, start + 1)
        continue
      }
      let names = rows[..<start].indices.reversed()
        .prefix { rows[$0].map { $0.hasName && $0.amount == nil } ?? false }
      guard names.count >= amounts else { continue }
      for (offset, place) in names.prefix(amounts).reversed().enumerated() {
        result[place] += "    " + lines[start + offset]
        result[start + offset] = ""
      }
    }
    return result
  }
}
