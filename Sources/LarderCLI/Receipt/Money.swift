import LarderModel

/// Returns a price for people, with at least two decimals except in currencies without any.
func money(_ amount: Number, _ currency: String?) -> String {
  let plain = amount.description
  let isWhole = ["CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF"]
    .contains(currency ?? "")
  let decimals = plain.split(separator: ".").dropFirst().first?.count ?? 0
  let missing = isWhole ? 0 : max(0, 2 - decimals)
  let point = decimals == 0 && missing > 0 ? "." : ""
  let number = plain + point + String(repeating: "0", count: missing)
  return currency.map { "\(number) \($0)" } ?? number
}
