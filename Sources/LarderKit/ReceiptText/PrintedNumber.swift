internal import LarderModel

/// The style of a text's numbers: the decimal mark, and the number of decimals in amounts.
struct NumberStyle: Equatable {
  var decimalMark: Character = "."
  /// The number of decimals in amounts: two, or none in currencies such as the yen.
  var decimals = 2
  /// Whether a whole number with a currency may be an amount.
  var mayBeWhole = false
  /// Whether a whole number in the last column may be an amount, too.
  var hasWholeColumn = false

  init() {}

  /// Finds the style of a text: the mark before the last two digits of most numbers.
  ///
  /// Amounts have no decimals only if no number has two of them, and several numbers have the sign
  /// of a currency without decimals.
  init(of text: String) {
    let words = text.split(whereSeparator: \.isWhitespace)
    let marks = words.compactMap { word -> Character? in
      let number = word.drop { !$0.isASCIIDigit }
        .prefix { $0.isASCIIDigit || $0 == "." || $0 == "," }
      guard let mark = number.dropLast(2).last, number.count > 3, !mark.isASCIIDigit else {
        return nil
      }
      return number.count(where: { $0 == mark }) == 1 ? mark : nil
    }
    let whole = words.count { word in
      word.contains { "¥￥円₩".contains($0) } && word.contains(where: \.isNumber)
    }
    decimalMark = marks.count(where: { $0 == "," }) * 2 > marks.count ? "," : "."
    if marks.isEmpty, whole > 1 { decimals = 0 }
  }
}

extension NumberStyle {
  /// Returns the style with amounts that may have no decimals; nil if it does not fit the lines.
  func whole(in lines: [String]) -> NumberStyle? {
    guard decimals == 0 || lines.contains(where: Self.namesCurrency) else { return nil }
    var style = self
    let printed = lines.map { PrintedLine($0, number: 1, self).pieces }
    let numbers = printed.flatMap { $0.compactMap(\.number) }
    let last = printed.compactMap { $0.last?.number }
    let isGrouped = last.count { $0.decimals == 3 } > 1
    if decimals == 0 || (isGrouped && !numbers.contains { $0.decimals == 2 }) {
      style.hasWholeColumn = true
      style.decimals = 0
    } else {
      // Amounts that lost their decimal mark, such as `£450` for `£4.50`, have at least three
      // digits.
      let digits = last.filter { $0.currency != nil && $0.wholeDigits > 0 }.map(\.wholeDigits)
      guard digits.contains(where: { $0 < 3 }) else { return nil }
    }
    style.mayBeWhole = true
    return style
  }

  private static func namesCurrency(_ line: String) -> Bool {
    line.split { !$0.isLetter && !$0.isCurrencySymbol && $0 != "." }
      .contains { PrintedCurrency.code($0) != nil } || line.contains(where: \.isCurrencySymbol)
  }
}

/// A number as printed on a receipt.
struct PrintedNumber: Equatable {
  /// The number.
  ///
  /// A minus before or after it, or parentheses, make it negative.
  var value: Number
  var decimals: Int
  /// The number of digits, if there is no mark among them.
  var wholeDigits = 0
  var currency: String?
  var isPercent = false
  /// Whether the number of ordered pieces follows that of delivered ones: `2/2`.
  var isOfOrdered = false
  /// The number with three decimals, if its mark is read as one of thousands: `1.250`.
  ///
  /// Scales print weights with a point where prices have a comma.
  var withDecimals: Number?

  /// Reads digits with marks for thousands and decimals; nil for dates, phone numbers and codes.
  init?(digits text: Substring, _ style: NumberStyle) {
    let groups = text.split(omittingEmptySubsequences: false) { !$0.isASCIIDigit }
    let marks = text.filter { !$0.isASCIIDigit }
    guard groups.allSatisfy({ !$0.isEmpty }) else { return nil }
    guard let last = marks.last else {
      guard text.count < 7, let whole = Number(text.withoutZeros) else { return nil }
      (value, decimals, wholeDigits) = (whole, 0, text.count)
      return
    }
    let isGrouped = { (groups: ArraySlice<Substring>) in
      (1...3).contains(groups.first?.count ?? 0) && groups.dropFirst().allSatisfy { $0.count == 3 }
    }
    var tail = groups.last ?? ""
    if marks.count == 1 {
      let isDecimal = last == style.decimalMark || (tail.count != 3 && last != "'")
      let isThousands = tail.count == 3 && (style.decimals == 0 || !isDecimal)
      if isThousands, groups[0] != "0" {
        withDecimals = Number(groups[0].withoutZeros + "." + tail)
        tail = ""
      }
    } else if marks.dropLast().contains(last) {
      guard isGrouped(groups[...]) else { return nil }
      tail = ""
    } else {
      guard isGrouped(groups.dropLast()), Set(marks.dropLast()).count == 1 else { return nil }
    }
    let whole = (tail.isEmpty ? groups[...] : groups.dropLast()).joined()
    guard whole.count <= 9, tail.count <= 5,
      let number = Number(whole.withoutZeros + (tail.isEmpty ? "" : ".\(tail)"))
    else { return nil }
    (value, decimals) = (number, tail.count)
  }
}

extension StringProtocol {
  /// Digits without leading zeros.
  var withoutZeros: String {
    let rest = drop { $0 == "0" }
    return rest.isEmpty ? "0" : String(rest)
  }
}

extension Character {
  var isASCIIDigit: Bool { "0"..."9" ~= self }
}

/// A unit on receipts, other than money.
enum Measure: Equatable {
  /// A unit, and the number of it in one printed unit: a pound is 453.59237 grams.
  case unit(Unit, Number)
  case count

  /// Reads `kg`, `lb`, `Stk`, `ea`; nil for any other word.
  init?(_ word: some StringProtocol) {
    guard word.utf8.count < 9, word.first?.isLetter ?? false else { return nil }
    let folded = fold(String(word)).filter { $0 != "." }
    if let known = Self.known[folded] {
      self = known
    } else {
      return nil
    }
  }

  /// Reads `#`, which stands for pounds on scales of the United States; nil for any other word.
  static func pounds(_ word: some StringProtocol) -> Measure? {
    word == "#" ? known["lb"] : nil
  }

  /// Whether people buy thousands of it: grams and millilitres.
  var isSmall: Bool {
    guard case .unit(let unit, let factor) = self else { return false }
    return [.gram, .milliliter].contains(unit) && factor < Number(100)
  }

  private static let known: [String: Measure] = {
    let one = Number(1)
    var known: [String: Measure] = [
      "kg": .unit(.kilogram, one), "kgs": .unit(.kilogram, one), "kilo": .unit(.kilogram, one),
      "g": .unit(.gram, one), "gr": .unit(.gram, one), "gm": .unit(.gram, one),
      "l": .unit(.liter, one), "ltr": .unit(.liter, one), "lt": .unit(.liter, one),
      "ml": .unit(.milliliter, one), "cl": .unit(.milliliter, Number(10)),
      "dl": .unit(.milliliter, Number(100)),
    ]
    // The international avoirdupois pound (NIST Handbook 44, appendix C), and a sixteenth of it.
    for word in ["lb", "lbs"] { known[word] = .unit(.gram, Number(45_359_237, over: 100_000)) }
    known["oz"] = .unit(.gram, Number(28_349_523_125, over: 1_000_000_000))
    return known
  }()
}

/// The currencies on receipts.
enum PrintedCurrency {
  /// Returns the code of a sign or code.
  ///
  /// `$` stays as it is, because many countries use it.
  static func code(_ word: some StringProtocol) -> String? { ReceiptWords.currencies[String(word)] }
}

/// The numbers that a till and a card terminal gave to one receipt.
///
/// Only digits count, because text recognition mistakes letters and signs more often.
enum ReceiptNumbers {
  /// Returns the first number of each kind in lines, the surest kind first; `moment` is the index of
  /// the line with the day of the purchase.
  static func all(in lines: [String], paidAt moment: Int?) -> [String] {
    var numbers: [Int: String] = [:]
    for (place, line) in lines.enumerated() where !line.isEmpty {
      let next = place + 1 < lines.count ? lines[place + 1] : ""
      var found = labelled(line, next)
      if found.isEmpty, place == moment, let digits = besideMoment(line) {
        found[ReceiptWords.numberWords.count] = digits
      }
      numbers.merge(found) { first, _ in first }
    }
    return numbers.sorted { $0.key < $1.key }.map(\.value)
  }

  private struct Token {
    var text: String
    var isWord: Bool
    /// The text between it and the token before it.
    var gap: String
  }

  /// Returns the first number of each kind that a word on the line names.
  private static func labelled(_ line: String, _ next: String) -> [Int: String] {
    // A line with an amount is about a thing.
    guard line.wholeMatch(of: /.*[0-9][.,][0-9]{2} ?[A-Z€$£]{0,3} *[0-9A-Z]?/) == nil else {
      return [:]
    }
    let tokens = tokens(of: line)
    var found: [Int: String] = [:]
    for (place, token) in tokens.enumerated() where token.isWord {
      let word = fold(token.text)
      guard let rank = ReceiptWords.numberWords.firstIndex(where: { $0.contains(word) }),
        found[rank] == nil
      else { continue }
      var after = place + 1
      while after < tokens.count, tokens[after].isWord,
        tokens[after].text.count == 1 || ReceiptWords.numberLinks.contains(fold(tokens[after].text))
      {
        after += 1
      }
      if after < tokens.count, !tokens[after].isWord, isLink(tokens[after].gap),
        let digits = digits(of: tokens[after].text)
      {
        found[rank] = digits
      } else if !line.contains(where: \.isASCIIDigit) {
        // `Datum Uhrzeit Beleg-Nr. Kasse` above `28.10.26 12:30 2210 5`
        let (headings, cells) = (line.split(separator: " "), next.split(separator: " "))
        if headings.count == cells.count,
          let column = headings.firstIndex(where: {
            ReceiptWords.label(of: String($0)).contains(word)
          }),
          cells[column].allSatisfy({ $0.isASCIIDigit || "-/".contains($0) }),
          let digits = digits(of: String(cells[column]))
        {
          found[rank] = digits
        }
      }
    }
    return found
  }

  /// Whether nothing but signs stands between the word and the number.
  private static func isLink(_ gap: String) -> Bool {
    gap.allSatisfy { " .:#°º-/=()".contains($0) }
  }

  /// Returns the words and numbers of a line.
  ///
  /// A number may have letters, as `l7` from text recognition or `F26-008812`. An amount or a day is
  /// none.
  private static func tokens(of line: String) -> [Token] {
    let characters = Array(line)
    var tokens: [Token] = []
    var gap = ""
    var index = 0
    while index < characters.count {
      let start = index
      while index < characters.count, characters[index].isLetter { index += 1 }
      let isWord = index > start && (index == characters.count || !characters[index].isASCIIDigit)
      if !isWord {
        index = start
        while index < characters.count,
          characters[index].isLetter || characters[index].isASCIIDigit
            || ("-/".contains(characters[index]) && index > start
              && index + 1 < characters.count && characters[index + 1].isASCIIDigit)
        {
          index += 1
        }
      }
      guard index > start else {
        gap.append(characters[index])
        index += 1
        continue
      }
      var text = String(characters[start..<index])
      if !isWord, index + 1 < characters.count, ".,".contains(characters[index]),
        characters[index + 1].isASCIIDigit
      {
        // The first part of an amount or a day.
        text = ""
        while index < characters.count, characters[index] != " " { index += 1 }
      }
      tokens.append(Token(text: text, isWord: isWord, gap: gap))
      gap = ""
    }
    return tokens
  }

  /// Returns the digits of a number, with those that text recognition takes for letters.
  private static func digits(of text: String) -> String? {
    guard text.contains(where: \.isASCIIDigit), text.count < 40,
      text.split(separator: "/").count != 3 || text.count > 10
    else { return nil }
    let alike: [Character: Character] = [
      "O": "0", "o": "0", "l": "1", "I": "1", "i": "1", "S": "5", "B": "8", "Z": "2",
    ]
    let parts = text.split { "-/".contains($0) }
    let digits = parts.map { part -> String in
      // Letters of a prefix are no digits: `F26`.
      let isMostlyDigits = part.count(where: \.isASCIIDigit) * 2 >= part.count
      return String(part.map { isMostlyDigits ? alike[$0] ?? $0 : $0 }.filter(\.isASCIIDigit))
    }.joined()
    return digits.allSatisfy { $0 == "0" } ? nil : digits.withoutZeros
  }

  /// Returns the digits beside the day and the time, where tills print their numbers without words.
  private static func besideMoment(_ line: String) -> String? {
    let words = line.split(separator: " ").filter { word in
      word.count > 2 && word.allSatisfy { $0.isASCIIDigit || $0 == "#" }
    }
    let digits = String(words.joined().filter(\.isASCIIDigit))
    return digits.allSatisfy { $0 == "0" } ? nil : digits.withoutZeros
  }
}
