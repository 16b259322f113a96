public import LarderModel

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
