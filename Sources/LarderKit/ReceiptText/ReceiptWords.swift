internal import LarderModel

/// The folded words that tell the kinds of receipt lines.
///
/// They are English, German, French, Spanish and Malay, with those for a total and what stands around
/// it in Dutch, Italian, Portuguese, Polish, Czech, Danish, Swedish, Norwegian, Finnish and others.
enum ReceiptWords {
  static let totals = phrases("totals")

  static let subtotals = phrases("subtotals")

  /// Words that may stand before or after the word for a total.
  static let fillers = words("fillers")

  static let payments = phrases("payments")

  static let changes = phrases("changes")

  static let taxes = words("taxes")

  /// Phrases for the amount on which a tax is computed.
  static let taxBases = phrases("taxBases")

  /// Words that say that the prices include a tax.
  static let included = words("included")

  static let discounts = words("discounts")

  /// Phrases for the sum of what was saved, which the prices include already.
  static let saved = phrases("saved")

  /// Phrases for the price before a discount that the amount includes already.
  static let formerPrices = phrases("formerPrices")

  static let deposits = words("deposits")
  static let depositPhrases = phrases("depositPhrases")

  static let roundings = words("roundings")

  static let roundingPhrases = phrases("roundingPhrases")

  static let fees = phrases("fees")

  /// Words for a fee at any place in a name.
  static let feeWords = words("feeWords")

  /// Phrases for a part of the price above, which changes no sum.
  static let parts = phrases("parts")

  static let voids = words("voids")

  /// Headings of a column with quantities.
  static let quantityHeadings = words("quantityHeadings")
  /// Headings of other columns.
  static let headings = words("headings")

  /// Words in the heading of a table of taxes, besides those for taxes themselves.
  static let taxHeadings = words("taxHeadings")
  /// Words that a heading of a table of taxes has at least one of, if it has no word for a tax.
  static let netHeadings = words("netHeadings")

  /// Words for the things on a receipt, which may follow or precede their number.
  static let articleWords = words("articleWords")
  /// Words that may stand beside those: `TOTAL NUMBER OF ITEMS SOLD`, `Nombre d'articles`.
  static let articleFillers = words("articleFillers")

  /// Those of them that may also count one thing: `2 Stk 1,19`.
  static let countWords = words("countWords")

  /// Words before a day, and before one that is not the day of the purchase.
  static let dayWords = words("dayWords")
  static let otherDays = words("otherDays")
  /// Words on lines with opening hours.
  static let openingWords = words("openingWords")
  /// The numbers of the months by their names.
  static let months = table("months").enumerated().reduce(into: [String: Int]()) { found, line in
    for name in line.element { found[name] = line.offset + 1 }
  }

  /// Words for the number of a receipt; the line with the surest ones is the first.
  static let numberWords = table("numberWords").map { Set($0) }
  /// Words between a word for the number and the number.
  static let numberLinks = words("numberLinks")

  /// The codes of currencies (ISO 4217) by their signs, and by themselves.
  static let currencies = table("currencies").reduce(into: [String: String]()) { found, words in
    for word in words { found[word] = words[0] }
  }
  /// Words above the things of a receipt that are no shop's name, and those before an address.
  static let greetings = words("greetings")
  static let addresses = words("addresses")

  /// Returns the folded words of a line, without numbers and signs.
  static func label(of text: String) -> [String] {
    fold(withoutZeros(text)).split { !$0.isLetter }.map(String.init)
  }

  /// Returns a text with the letter O for each zero between two letters: `T0TAL`.
  private static func withoutZeros(_ text: String) -> String {
    guard text.contains("0") else { return text }
    let characters = Array(text)
    return String(
      characters.indices.map { place in
        let isInside =
          characters[place] == "0" && place > 0 && place + 1 < characters.count
          && characters[place - 1].isLetter && characters[place + 1].isLetter
        return isInside ? "o" : characters[place]
      })
  }

  /// The sections of `receipts.md` by their headings.
  private static let sections = markdownSections(PackageResources.receipts_md)

  private static func words(_ section: String) -> Set<String> {
    Set((sections[section] ?? "").split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// Returns the words of each line of a section.
  private static func table(_ section: String) -> [[String]] {
    (sections[section] ?? "").split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
  }

  /// Phrases by their first word, the longest first.
  typealias Phrases = [String: [[String]]]

  private static func phrases(_ section: String) -> Phrases {
    let text = (sections[section] ?? "").replacing("\n", with: " ")
    let all = text.split(separator: ",").map { label(of: String($0)) }
    return Dictionary(grouping: all.sorted { $0.count > $1.count }) { $0.first ?? "" }
  }
}

extension Sequence<String> {
  /// Returns the longest phrase with which the words begin; nil if there is none.
  func beginning(_ phrases: ReceiptWords.Phrases) -> [String]? {
    first { _ in true }.flatMap { phrases[$0] }?.first { starts(with: $0) }
  }
}

extension [String] {
  func hasWord(of words: Set<String>) -> Bool { contains(where: words.contains) }

  /// Whether the words contain one of the phrases.
  func hasPhrase(of phrases: ReceiptWords.Phrases) -> Bool {
    indices.contains { self[$0...].beginning(phrases) != nil }
  }
}
