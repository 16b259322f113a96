internal import Foundation
internal import LarderModel

/// A reader of the number at the beginning of an amount.
///
/// The grammar, in which white space may stand between the parts:
///
///     factors = [ "x" ] number [ "x" number … ] [ "x" ]
///     number  = ( [ "+" | "-" ] decimal [ fraction ] | fraction ) [ "and" part | parts ] | words
///     decimal = digits [ ( "." | "," ) digits ]
///     fraction = digits "/" digits | "½" and its like
///     words   = what ``NumberWords`` reads, as in "half a", "three quarters", "anderthalb"
struct AmountScanner {
  private var text: Substring
  /// Whether the number is a part of something in words or as a fraction, such as `half` and `1/4`.
  private(set) var isPart = false
  /// The readings of a number with a point before three digits; nil for any other number.
  private(set) var thousands: TypedQuantity.Mistake?

  init(_ text: String) {
    // Signs with the same meaning become one; '½' becomes ' 1/2 '.
    var plain = ""
    for character in text.lowercased() {
      plain +=
        Self.fractions[character].map { " \($0) " } ?? Self.signs[character] ?? "\(character)"
    }
    self.text = Substring(plain.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    // 'x2' is '2x'.
    if self.text.first == "x", self.text.dropFirst().first?.isNumber ?? false {
      self.text = self.text.dropFirst()
    }
  }

  private static let signs: [Character: String] = ["⁄": "/", "×": "x", "−": "-"]
  private static let fractions: [Character: String] = [
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅛": "1/8", "⅜": "3/8",
    "⅝": "5/8", "⅞": "7/8",
  ]

  /// The unread text.
  var rest: String { text.trimmingCharacters(in: .whitespaces) }

  /// Reads a number, or the product of several.
  mutating func factors() throws(TypedQuantity.Mistake) -> Number {
    var product = try number()
    while takeTimes() {
      var ahead = self
      guard ahead.nextIsDigit, let factor = try? ahead.number() else { break }
      self = ahead
      guard let longer = product.multiplied(by: factor) else { throw .tooManyDigits }
      product = longer
    }
    return try TypedQuantity.checked(product)
  }

  private var nextIsDigit: Bool {
    text.drop { $0 == " " }.first.map { $0.isASCII && ($0.isNumber || ".,".contains($0)) } ?? false
  }

  /// Takes an `x` that is no part of a word.
  private mutating func takeTimes() -> Bool {
    let ahead = text.drop { $0 == " " }
    guard ahead.first == "x", ahead.dropFirst().first.map({ !$0.isLetter }) ?? true else {
      return false
    }
    text = ahead.dropFirst()
    return true
  }

  private mutating func number() throws(TypedQuantity.Mistake) -> Number {
    if let words = NumberWords.reading(words) {
      drop(words.count)
      isPart = isPart || words.isPart
      return words.number
    }
    let isNegative = takeSign()
    var number = try unsigned()
    if number.isWhole {
      if let parts = NumberWords.parted(number, by: words) {
        (number, isPart) = (parts, true)
        drop(1)
      } else if let (part, count) = NumberWords.andPart(words) {
        number = number + part
        drop(count)
      }
    }
    return isNegative ? -number : number
  }

  /// The first words of the unread text.
  private var words: [String] {
    text.split(separator: " ", maxSplits: 8).prefix(8).map { fold(String($0)) }
  }

  private mutating func drop(_ count: Int) {
    for _ in 0..<count { text = text.drop { $0 == " " }.drop { $0 != " " } }
  }

  private mutating func takeSign() -> Bool {
    text = text.drop { $0 == " " }
    guard let sign = text.first, sign == "+" || sign == "-" else { return false }
    text = text.dropFirst()
    return sign == "-"
  }

  private mutating func unsigned() throws(TypedQuantity.Mistake) -> Number {
    if let fraction = try takeFraction() { return fraction }
    let isWhole = !text.prefix { $0.isASCII && !$0.isLetter && $0 != " " }.contains {
      ".,".contains($0)
    }
    let whole = try takeDecimal()
    guard isWhole, let fraction = try takeFraction() else { return whole }
    return whole + fraction
  }

  /// Takes `1/2`; nil if there is no fraction here.
  private mutating func takeFraction() throws(TypedQuantity.Mistake) -> Number? {
    let ahead = text.drop { $0 == " " }
    let above = ahead.prefix { $0.isASCII && $0.isNumber }
    let behind = ahead.dropFirst(above.count)
    guard !above.isEmpty, behind.first == "/" else { return nil }
    let below = behind.dropFirst().prefix { $0.isASCII && $0.isNumber }
    guard let one = Int(above), let other = Int(below), (1...1000).contains(other), one <= 1_000_000
    else { throw .noNumber }
    text = behind.dropFirst(1 + below.count)
    isPart = true
    return Number(one, over: other)
  }

  private mutating func takeDecimal() throws(TypedQuantity.Mistake) -> Number {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || ".,".contains($0)) }
    guard digits.contains(where: \.isNumber) else { throw .noNumber }
    text = text.dropFirst(digits.count)
    let parts = digits.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.count == 1 || !digits.contains(".") else { throw .noNumber }
    if parts.count == 2, parts[1].count == 3, parts[0].contains(where: { ("1"..."9").contains($0) })
    {
      let decimal = Number("\(parts[0]).\(parts[1])")?.description ?? "\(parts[0])"
      throw .comma(decimal: decimal, thousands: parts.joined())
    }
    // Nobody writes '1.000' for 1, but many people write it for a thousand.
    if parts.count == 1, digits.hasSuffix(".000"), let whole = digits.split(separator: ".").first,
      digits.count == whole.count + 4, whole.contains(where: { $0 != "0" })
    {
      throw .comma(decimal: "\(whole)", thousands: "\(whole)000")
    }
    if parts.count == 1, let point = digits.firstIndex(of: "."), digits[point...].count == 4,
      digits[..<point].contains(where: { $0 != "0" })
    {
      let decimal = Number(String(digits))?.description ?? String(digits)
      thousands = .comma(decimal: decimal, thousands: digits.filter { $0 != "." })
    }
    // '.5' is clear to people, but it is not valid JSON.
    var plain = parts.joined(separator: ".")
    if plain.hasPrefix(".") { plain = "0" + plain }
    if let number = Number(plain) { return number }
    let isLong = plain.utf8.filter { (48...57).contains($0) }.count > 6
    throw isLong && plain.filter({ $0 == "." }).count < 2 ? .tooManyDigits : .noNumber
  }
}

extension String {
  /// The text in Unicode's composed form (NFC), so `é` is one character however it was typed.
  var composed: String { precomposedStringWithCanonicalMapping }
}
