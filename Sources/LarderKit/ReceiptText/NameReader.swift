internal import LarderModel

/// The name on a receipt's line, without quantities, codes and tax marks.
struct NameReader {
  /// The printed name; empty if the line has none.
  private(set) var name = ""
  /// The folded words that tell the line's kind.
  private(set) var label: [String] = []
  private(set) var barcode: String?
  /// The last word that is an article number; nil if there is none.
  private(set) var codes: String?

  private struct Word {
    var text: String
    var gap: Int
    var isCode = false
    var isPercent = false
    var isTaken = false
  }

  /// Reads the pieces before `end`, except those in `used`.
  ///
  /// The layout says whether the lines begin with article numbers, and which marks stand at names.
  init(_ line: PrintedLine, upTo end: Int, without used: Set<Int>, _ layout: RowLayout) {
    var words: [Word] = []
    for (index, text) in line.words.enumerated() {
      let places = line.pieces.indices.filter { line.pieces[$0].word == index }
      guard let first = places.first, first < end else { continue }
      var word = Word(text: text, gap: line.pieces[first].gap)
      word.isTaken = places.allSatisfy(used.contains)
      word.isPercent = line.pieces[first].number?.isPercent ?? false
      if case .code(let digits) = line.pieces[first].kind {
        word.isCode = true
        if [8, 12, 13, 14].contains(digits.count), let code = Barcode(digits), code.isSound {
          barcode = barcode ?? digits
        }
      }
      words.append(word)
    }
    codes = words.last { $0.isCode || Self.isReference($0.text) }?.text
    words = Self.stripped(words, layout)
    let rest = words.filter { !$0.isTaken }.map(\.text)
    let text = rest.joined(separator: " ")
    label = ReceiptWords.label(of: text)
    let isHeading =
      end == line.pieces.count && label.count > 1
      && label.allSatisfy { Self.isHeading($0) || ReceiptWords.quantityHeadings.contains($0) }
    guard Self.isName(rest), !isHeading else { return }
    name = Self.trimmed(text)
  }

  private static func isHeading(_ word: String) -> Bool {
    ReceiptWords.headings.contains(word) || Measure(word) != nil
      || PrintedCurrency.code(word.uppercased()) != nil
  }

  /// Whether words name something: one has letters and is no measure, currency or heading.
  private static func isName(_ words: [String]) -> Bool {
    words.contains { word in
      let letters = word.filter(\.isLetter)
      let label = ReceiptWords.label(of: word)
      return letters.count > 1 && Measure(letters) == nil && PrintedCurrency.code(word) == nil
        && !label.allSatisfy { ReceiptWords.quantityHeadings.contains($0) || $0 == "net" }
    }
  }

  /// Returns the words without article numbers and tax marks at both ends.
  private static func stripped(_ all: [Word], _ layout: RowLayout) -> [Word] {
    var words = all.filter { !$0.isTaken }
    if words.count > 1, layout.marks.leading.contains(words[0].text) { words.removeFirst() }
    // `E 1068080 ORG EGGS`, `WT  ROMA TOMATO`
    if words.count > 1, words[0].text.count <= 2, words[0].text.allSatisfy(\.isLetter),
      (words[1].isCode && words.count > 2) || words[1].gap > 1
    {
      words.removeFirst()
    }
    while let first = words.first, words.count > 1,
      first.isCode
        || (first.text.count == 4 && words[1].gap > 1 && first.text.allSatisfy(\.isASCIIDigit))
    {
      words.removeFirst()
    }
    while words.count > 1, Self.isLookUp(words[0].text) { words.removeFirst() }
    if layout.hasCodes, words.count > 1, isArticle(words[0].text) { words.removeFirst() }
    // `WHL MILK 007874235186 F`
    if let code = words.lastIndex(where: \.isCode), code > 0,
      words[(code + 1)...].allSatisfy({ $0.text.count <= 2 })
    {
      words.removeSubrange(code...)
    }
    if words.count > 1, words[0].isCode { words.removeFirst() }
    while words.count > 1, let last = words.last, last.gap > 1,
      last.isPercent || isMark(last.text)
    {
      words.removeLast()
    }
    while words.count > 1, let last = words.last,
      layout.marks.trailing.contains(last.text) || isLookUp(last.text)
    {
      words.removeLast()
    }
    return words
  }

  /// Whether a word is a price look-up code of fruit and vegetables, or the name of such codes:
  /// `4011`, `#94011`, `PLU`.
  ///
  /// The codes of the International Federation for Produce Standards are 3000 to 4999, with a 9
  /// before them if they are organic.
  private static func isLookUp(_ word: String) -> Bool {
    let folded = word.uppercased().trimmingPrefix("PLU").drop { "#:.".contains($0) }
    if folded.isEmpty { return word.uppercased().hasPrefix("PLU") }
    guard folded.allSatisfy(\.isASCIIDigit) else { return false }
    if folded.count < word.count, word.uppercased().hasPrefix("PLU") { return true }
    return (folded.count == 4 || (folded.count == 5 && folded.first == "9"))
      && ["3", "4"].contains(folded.suffix(4).prefix(1))
  }

  /// Whether a word is a reference to an article: `/1188201`.
  private static func isReference(_ word: String) -> Bool {
    word.count > 4 && word.first == "/" && word.dropFirst().allSatisfy(\.isASCIIDigit)
  }

  /// Whether a word in the column of article numbers is one: `999`, `SERV01`.
  private static func isArticle(_ word: String) -> Bool {
    word.count > 2 && word.contains(where: \.isASCIIDigit)
      && word.allSatisfy { $0.isASCIIDigit || $0.isUppercase || $0 == "-" }
  }

  /// Whether a word is a tax mark: one or two letters, or a sign in parentheses.
  private static func isMark(_ text: String) -> Bool {
    let bare = text.filter { !"*#+".contains($0) }
    // `x2` is a count.
    if bare.count <= 2, bare.first?.isLetter ?? false, bare.allSatisfy(\.isLetterOrDigit),
      bare.count < 2 || bare.uppercased().first != "X"
    {
      return true
    }
    return text.first == "(" && text.last == ")" && (3...4).contains(text.count)
  }

  /// Returns a name without signs at its ends.
  private static func trimmed(_ text: String) -> String {
    let marks: Set<Character> = [
      "*", "#", "^", "-", "–", "—", ":", "=", "|", "•", "·", ".", "_", "~",
      ",", ";", "'", "\"", "`", "°", "«", "»", "<", ">",
    ]
    var name = text[...]
    while let first = name.first, marks.contains(first) || " %".contains(first) {
      name.removeFirst()
    }
    while let last = name.last, (marks.contains(last) && last != ".") || last == " " {
      name.removeLast()
    }
    if name.hasSuffix(" .") || name.hasSuffix("..") {
      while let last = name.last, last == "." || last == " " { name.removeLast() }
    }
    return String(name)
  }
}

/// The marks of taxes and departments that stand at the ends of names: `Bread F`, `A Brot`.
struct NameMarks: Equatable {
  var leading: Set<String> = []
  var trailing: Set<String> = []

  init() {}

  /// Finds the marks: those in a table of taxes, and letters that most names begin or end with.
  init(of names: [String], in lines: [PrintedLine]) {
    let declared = Set(
      lines.compactMap { line -> String? in
        guard line.pieces.contains(where: { $0.number?.isPercent ?? false }),
          let mark = line.words.first?.filter({ !"=:()".contains($0) }), Self.isMark(mark)
        else { return nil }
        return mark
      })
    let words = names.map { $0.split(separator: " ").map(String.init) }.filter { $0.count > 1 }
    leading = Self.common(words.compactMap(\.first), of: names.count)
    trailing = declared.union(Self.common(words.compactMap(\.last), of: names.count))
  }

  private static func isMark(_ word: String) -> Bool {
    word.count == 1 && word.allSatisfy { $0.isUppercase }
  }

  /// Returns the marks among words, if most of some names have one.
  private static func common(_ words: [String], of count: Int) -> Set<String> {
    let marks = words.filter(isMark)
    return count > 1 && marks.count * 3 >= count * 2 ? Set(marks) : []
  }
}

extension Character {
  fileprivate var isLetterOrDigit: Bool { isLetter || isASCIIDigit }
}
