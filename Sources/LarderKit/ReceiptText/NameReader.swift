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
  /// With `hasCodes`, the lines begin with article numbers.
  init(_ line: PrintedLine, upTo end: Int, without used: Set<Int>, _ hasCodes: Bool) {
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
    words = Self.stripped(words, hasCodes)
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
  private static func stripped(_ all: [Word], _ hasCodes: Bool) -> [Word] {
    var words = all
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
    if hasCodes, words.count > 1, isArticle(words[0].text) { words.removeFirst() }
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
    return words
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
    if text.count <= 2, text.allSatisfy(\.isLetter) { return true }
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
