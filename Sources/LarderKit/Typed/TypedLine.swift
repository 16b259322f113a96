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
      text.isEmpty ? nil : try Self.quantity(text)
    }
    if price == nil, let amount, Self.looksLikePrice(amount) { throw .maybePrice(name, amount) }
    if price == nil, amount == nil, let (name, price) = Self.priceBehind(name) {
      throw .maybePrice(name, price)
    }
    self.price = try price.map { text throws(Mistake) in try Self.price(text) }
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
  static func quantity(_ text: String) throws(Mistake) -> TypedQuantity {
    let quantity: TypedQuantity
    do throws(TypedQuantity.Mistake) {
      quantity = try TypedQuantity(text)
    } catch {
      throw .badQuantity(error)
    }
    guard quantity.value >= .zero else { throw .belowZero }
    return quantity
  }

  static func price(_ text: String) throws(Mistake) -> Number {
    do throws(TypedMoney.Mistake) {
      return try TypedMoney(text).amount
    } catch {
      throw .badPrice(error)
    }
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
  private static func looksLikePrice(_ text: String) -> Bool {
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
