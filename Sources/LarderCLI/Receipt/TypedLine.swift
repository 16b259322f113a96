import LarderKit
import LarderModel

/// One `--line "ITEM=N@PRICE"`: the item, its quantity and its total price.
struct TypedLine {
  let name: String
  let quantity: TypedQuantity?
  let price: Number?

  static let option = Option(
    "line", short: "l", value: "ITEM=N@PRICE", isRepeatable: true,
    help: "the quantity of an item and its total price; =N or @PRICE may be left out")

  init(_ text: String, _ invocation: Invocation) throws(UsageError) {
    func unreadable(_ reason: String) -> UsageError {
      invocation.unreadable(text, for: TypedLine.option.spelling, reason)
    }
    let (said, price) = Self.split(text, at: "@")
    let (name, amount) = Self.split(said, at: "=")
    self.name = name
    guard !name.isEmpty, amount?.isEmpty != true || price?.isEmpty == false else {
      throw unreadable("ITEM=N@PRICE is needed, as in Milk=2l@3.30, Milk=2 or Milk@3.30")
    }
    do throws(TypedQuantity.Mistake) {
      quantity = try amount.flatMap { text throws(TypedQuantity.Mistake) in
        text.isEmpty ? nil : try TypedQuantity(text)
      }
    } catch {
      throw unreadable(error.reason)
    }
    if let quantity, quantity.value < .zero { throw unreadable("a quantity can't be below zero") }
    if price == nil, let amount, Self.looksLikePrice(amount) {
      throw unreadable(
        "write \(name)@\(amount) for the price, or \(name)=\(amount)x for the quantity")
    }
    do throws(TypedMoney.Mistake) {
      self.price = try price.map { text throws(TypedMoney.Mistake) in try TypedMoney(text).amount }
    } catch {
      throw unreadable(error.reason)
    }
  }

  /// Whether an amount has two decimals and no unit, as prices have.
  private static func looksLikePrice(_ text: String) -> Bool {
    let parts = text.split(omittingEmptySubsequences: false) { ".,".contains($0) }
    return parts.count == 2 && parts[1].count == 2
      && parts.joined().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Returns the text before the last separator, and that behind it; nil if there is none.
  private static func split(_ text: String, at separator: Character) -> (String, String?) {
    let spaced = { (text: Substring) in
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    guard let place = text.lastIndex(of: separator) else { return (spaced(text[...]), nil) }
    return (spaced(text[..<place]), spaced(text[text.index(after: place)...]))
  }
}
