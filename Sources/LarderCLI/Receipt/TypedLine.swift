import LarderModel

/// One `--line "ITEM=N@PRICE"`: the item, its quantity and its total price.
struct TypedLine {
  let name: String
  let quantity: TypedQuantity?
  let price: Number?

  static let option = Option(
    "line", short: "l", value: "ITEM=N@PRICE", isRepeatable: true,
    help: "the quantity of an item and its total price; N or @PRICE may be left out")

  init(_ text: String, _ invocation: Invocation) throws(UsageError) {
    let form = "ITEM=N@PRICE is needed, as in Milk=2l@3.30, Milk=2 or Milk=@3.30"
    func unreadable(_ reason: String) -> UsageError {
      invocation.unreadable(text, for: TypedLine.option.spelling, reason)
    }
    guard let equals = text.lastIndex(of: "=") else { throw unreadable(form) }
    name = String(text[..<equals]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let rest = text[text.index(after: equals)...]
    let parts = rest.split(separator: "@", omittingEmptySubsequences: false)
    guard !name.isEmpty, parts.count <= 2, rest.contains(where: \.isNumber) else {
      throw unreadable(form)
    }
    let amount = parts[0].filter { !$0.isWhitespace }
    do throws(TypedQuantity.Mistake) {
      quantity = amount.isEmpty ? nil : try TypedQuantity(String(parts[0]))
    } catch {
      throw unreadable(error.reason)
    }
    if let quantity, quantity.value < .zero { throw unreadable("a quantity can't be below zero") }
    guard parts.count == 2 else {
      price = nil
      return
    }
    guard let number = Number(parts[1].split(whereSeparator: \.isWhitespace).joined()) else {
      throw unreadable("the price is a number such as 3.30, without a currency")
    }
    price = number
  }
}
