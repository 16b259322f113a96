public import LarderModel

/// A line of a receipt as people write it: a thing, its quantity, and its price.
public struct TypedLine: Equatable, Sendable {
  public var name: String
  /// The quantity; nil if it was left out.
  public var quantity: TypedQuantity?
  /// The price; nil if it was left out.
  public var price: Number?
  /// Whether the price is that of one unit of the quantity (`@`), and not of all of it (`@@`).
  public var isEach = false

  public init(_ name: String, quantity: TypedQuantity? = nil, price: Number? = nil) {
    self.name = name
    self.quantity = quantity
    self.price = price
  }

  /// The reason why a text is not a line.
  public enum Mistake: Error, Equatable {
    case noName
    case badQuantity(TypedQuantity.Mistake)
    case belowZero
    /// A quantity that looks like a price: the name, and the written quantity.
    case maybePrice(String, String)
    /// A number at the end of a form's line that looks like a price without `@`: the words before
    /// it, and the written number.
    case noPriceSign(String, String)
    case badPrice(TypedMoney.Mistake)
  }

  /// Reads a line as on the command line: `milk=2l@1.65`, `milk=2l@@3.30`, `milk=2`, `milk@1.65`,
  /// `milk`.
  public init(assigned text: String) throws(Mistake) {
    let (said, price, isEach) = Self.splitPrice(text)
    let (name, amount) = Self.splitAmount(said)
    guard !name.isEmpty, amount?.isEmpty != true || price?.isEmpty == false else { throw .noName }
    self.name = name
    quantity = try amount.flatMap { text throws(Mistake) in
      text.isEmpty ? nil : try Self.quantity(text, isTyped: true)
    }
    if price == nil, let amount, Self.looksLikePrice(amount) { throw .maybePrice(name, amount) }
    if price == nil, amount == nil, let (name, price) = Self.priceBehind(name) {
      throw .maybePrice(name, price)
    }
    self.price = try price.map(Self.price)
    self.isEach = isEach
  }

  /// Returns the text before the last `@` or `@@`, and the price behind it, which is nil without
  /// either sign.
  static func splitPrice(_ text: String) -> (thing: String, price: String?, isEach: Bool) {
    let scalars = text.unicodeScalars
    guard let at = scalars.lastIndex(of: "@") else { return (spaced(text), nil, false) }
    let before = scalars[..<at]
    let isEach = before.last != "@"
    return (
      spaced(String(isEach ? before : before.dropLast())),
      spaced(String(scalars[scalars.index(after: at)...])), isEach
    )
  }

  /// Reads a quantity, which must not be below zero.
  static func quantity(_ text: String, isTyped: Bool = false) throws(Mistake) -> TypedQuantity {
    let quantity: TypedQuantity
    quantity = try mapError(
      try isTyped ? TypedQuantity(typed: text) : TypedQuantity(text), Mistake.badQuantity)
    guard quantity.value >= .zero else { throw .belowZero }
    return quantity
  }

  static func price(_ text: String) throws(Mistake) -> Number {
    try mapError(try TypedMoney(text).amount, Mistake.badPrice)
  }

  /// Returns the words before a last word that looks like a price, and that word; nil if none does.
  static func priceBehind(_ text: String) -> (name: String, price: String)? {
    let words = text.split(separator: " ")
    guard words.count > 1, let last = words.last.map(String.init), looksLikePrice(last) else {
      return nil
    }
    return (words.dropLast().joined(separator: " "), last)
  }

  /// Whether an amount has two decimals and no unit, as prices have.
  public static func looksLikePrice(_ text: String) -> Bool {
    let parts = text.split(omittingEmptySubsequences: false) { ".,".contains($0) }
    return parts.count == 2 && parts[1].count == 2
      && parts.joined().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Returns the texts before and after the last `=`; the second one is nil without it.
  private static func splitAmount(_ text: String) -> (String, String?) {
    guard let place = text.lastIndex(of: "=") else { return (text, nil) }
    return (spaced(String(text[..<place])), spaced(String(text[text.index(after: place)...])))
  }
}

/// The largest line that somebody may write in a list, a sheet or a form, in bytes.
///
/// Longer ones come from a wrong file, and would take long to read.
public let longestLine = 10_000

/// Returns the words of a written line.
///
/// Text in quotes is one word, which may have white space in it. A quote counts only if it begins a
/// word and another quote ends a word: `6" nails` and `Ben's tea` have none. A byte order mark is
/// not part of a word.
public func lineWords(_ line: String) -> [String] {
  var rest = Substring(line.first == "\u{FEFF}" ? line.dropFirst() : line[...])
  var words: [String] = []
  while true {
    rest = rest.drop(while: \.isWhitespace)
    guard let first = rest.first else { return words }
    let inside = rest.dropFirst()
    if let mark = closing[first], let end = quoteEnd(mark, in: inside) {
      words.append(inside[..<end].split(whereSeparator: \.isWhitespace).joined(separator: " "))
      rest = inside[inside.index(after: end)...]
    } else {
      let word = rest.prefix { !$0.isWhitespace }
      words.append(String(word))
      rest = rest[word.endIndex...]
    }
  }
}

/// The closing sign of each opening sign.
private let closing: [Character: Character] = [
  "\"": "\"", "'": "'", "“": "”", "„": "“", "«": "»", "‘": "’",
]

/// Returns the place of the first closing sign that ends a word.
private func quoteEnd(_ mark: Character, in text: Substring) -> Substring.Index? {
  text.indices.first { index in
    guard text[index] == mark, index > text.startIndex else { return false }
    return text[text.index(after: index)...].first.map { $0.isWhitespace || $0 == "," } ?? true
  }
}

/// A sum of money as people write it: `42.17`, `42,17`, `42.17€`, `€ 42.17`, `1.042,17 EUR`.
public struct TypedMoney: Equatable, Sendable {
  public let amount: Number
  /// The currency's code (ISO 4217); nil if none was written.
  public let currency: String?

  public init(_ amount: Number, _ currency: String?) {
    self.amount = amount
    self.currency = currency
  }

  /// The reason why a text is not a sum of money.
  public enum Mistake: Error, Equatable {
    case noNumber
    /// A comma before three digits, which may be a decimal comma or separate thousands.
    case comma(decimal: String, thousands: String)
  }

  /// Reads a written sum of money.
  ///
  /// `$` and `¥` mean the household's currency, if it uses that sign.
  public init(_ text: String, in household: String? = nil) throws(Mistake) {
    guard text.utf8.count <= 200 else { throw .noNumber }
    let plain = text.filter { !$0.isWhitespace && $0 != "'" && $0 != "’" }
    let isSign = { (character: Character) in character.isLetter || character.isCurrencySymbol }
    let before = plain.prefix(while: isSign)
    let after = plain.reversed().prefix(while: isSign).reversed()
    let digits = plain.dropFirst(before.count).dropLast(
      before.count == plain.count ? 0 : after.count)
    let written = before.isEmpty ? String(after) : String(before)
    guard before.isEmpty || after.isEmpty else { throw .noNumber }
    currency = try Self.currency(written, household ?? "")
    amount = try Self.number(String(digits))
  }

  private static func currency(_ written: String, _ household: String) throws(Mistake) -> String? {
    switch written {
    case "": return nil
    case "$": return dollar(in: household)
    case "¥": return household == "CNY" ? household : "JPY"
    default: break
    }
    let code = written.count == 1 ? signs[written] : written.uppercased()
    guard let code, code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw .noNumber
    }
    return code
  }

  /// Returns the currency that `$` means in a household: its own dollar or peso, otherwise the US
  /// dollar.
  static func dollar(in household: String) -> String {
    let isOwn = household.hasSuffix("D") || ["ARS", "CLP", "COP", "MXN", "UYU"].contains(household)
    return isOwn ? household : "USD"
  }

  private static let signs = [
    "€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "₴": "UAH", "₪": "ILS",
    "฿": "THB", "₫": "VND", "₱": "PHP", "₦": "NGN", "₸": "KZT", "₾": "GEL",
  ]

  /// Reads a number.
  ///
  /// If it has points and commas, the last of them is the decimal sign.
  private static func number(_ text: String) throws(Mistake) -> Number {
    let separators = text.filter { ".,".contains($0) }
    guard let last = separators.last else {
      guard let number = Number(text) else { throw .noNumber }
      return number
    }
    let groups = text.split(omittingEmptySubsequences: false) { ".,".contains($0) }
    let thousands = groups.dropFirst().dropLast(separators.contains { $0 != last } ? 1 : 0)
    let isGrouped =
      separators.count > 1 && thousands.allSatisfy { $0.count == 3 }
      && separators.dropLast().allSatisfy { $0 == separators.first }
    if separators.count == 1, last == ",", groups[1].count == 3, groups[0] != "0" {
      throw .comma(decimal: "\(groups[0]).\(groups[1])", thousands: groups.joined())
    }
    guard separators.count == 1 || isGrouped else { throw .noNumber }
    let decimals = separators.allSatisfy { $0 == last } && separators.count > 1 ? nil : groups.last
    let whole = (decimals == nil ? groups[...] : groups.dropLast()).joined()
    let plain = (whole.isEmpty ? "0" : whole) + (decimals.map { ".\($0)" } ?? "")
    guard let number = Number(plain) else { throw .noNumber }
    return number
  }
}

extension TypedMoney: CustomStringConvertible {
  /// The sum for display, such as `23.05 EUR`.
  public var description: String { currency.map { "\(number) \($0)" } ?? number }

  /// The number with at least two decimals, except in currencies without any.
  var number: String {
    let plain = amount.description
    let decimals = plain.split(separator: ".").dropFirst().first?.count ?? 0
    let missing = max(0, Self.decimals(of: currency) - decimals)
    let point = decimals == 0 && missing > 0 ? "." : ""
    return plain + point + String(repeating: "0", count: missing)
  }

  /// The number of decimals in a currency's prices.
  static func decimals(of currency: String?) -> Int {
    withoutDecimals.contains(currency ?? "") ? 0 : 2
  }

  private static let withoutDecimals: Set<String> = [
    "CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF",
  ]
}
