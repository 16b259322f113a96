import LarderModel

/// A number with an optional unit, as typed: `2`, `0.5`, `1.5kg`, `500 g`.
struct TypedQuantity: Equatable {
  var value: Number
  var unit: Unit?

  /// The reason why a text is not a quantity.
  enum Mistake: Error, Equatable {
    case noNumber
    /// A decimal comma, which some people use for thousands.
    case comma
    case tooManyDigits
    case unknownUnit(String)

    /// The reason in words.
    var reason: String {
      switch self {
      case .noNumber: "a number is needed, as in 2, 0.5, 1.5kg or '500 g'"
      case .comma: "decimals are written with a point, as in 0.5"
      case .tooManyDigits: "at most 15 digits can be kept, six of them decimals"
      case .unknownUnit(let unit):
        "'\(unit)' is no unit (\(Unit.choices))"
      }
    }
  }

  init(value: Number, unit: Unit? = nil) {
    self.value = value
    self.unit = unit
  }

  /// Reads a typed quantity.
  init(_ text: String) throws(Mistake) {
    let trimmed = String(text.drop(while: \.isWhitespace))
    let digits = trimmed.prefix { $0.isASCII && ($0.isNumber || "+-.,".contains($0)) }
    let rest = trimmed.dropFirst(digits.count).split(whereSeparator: \.isWhitespace)
    guard !digits.isEmpty else { throw .noNumber }
    guard !digits.contains(",") else { throw .comma }
    value = try Self.number(digits)
    let word = rest.joined(separator: " ")
    unit = word.isEmpty ? nil : Unit(typed: word)
    if !word.isEmpty, unit == nil { throw .unknownUnit(word) }
  }

  private static func number(_ digits: Substring) throws(Mistake) -> Number {
    var plain = digits.first == "+" ? String(digits.dropFirst()) : String(digits)
    // '.5' is clear to people, but it is not valid JSON.
    if plain.hasPrefix(".") { plain = "0" + plain }
    if let number = Number(plain) { return number }
    let isLong = plain.utf8.filter { (48...57).contains($0) }.count > 6
    throw isLong && plain.filter({ $0 == "." }).count < 2 ? .tooManyDigits : .noNumber
  }
}

extension Unit {
  /// The units, for help and messages.
  static let choices = "piece, pack, g, kg, ml, l"

  /// The short form if there is one, such as `kg`; otherwise the full name, such as `piece`.
  var shortName: String { symbol ?? rawValue }
}

extension Invocation {
  /// Returns an argument's quantity, with the typed unit or that of `--unit`.
  func quantity(_ argument: Argument, _ unit: Option) throws -> TypedQuantity {
    try quantity(self[argument], for: argument.name, unit)
  }

  /// Returns a text's quantity, with the typed unit or that of `--unit`.
  func quantity(_ text: String, for name: String, _ unitOption: Option) throws -> TypedQuantity {
    var quantity = try typed(text, for: name)
    guard let unit = try self.unit(unitOption) else { return quantity }
    guard quantity.unit == nil || quantity.unit == unit else {
      throw unreadable(text, for: name, "\(unitOption.usage) says \(unit.shortName)")
    }
    quantity.unit = unit
    return quantity
  }

  /// Returns a text's quantity.
  func typed(_ text: String, for name: String) throws -> TypedQuantity {
    do throws(TypedQuantity.Mistake) {
      return try TypedQuantity(text)
    } catch {
      throw unreadable(text, for: name, error.reason)
    }
  }

  /// Returns the unit of an option, or nil if the option is missing.
  func unit(_ option: Option) throws -> Unit? {
    guard let text = self[option] else { return nil }
    guard let unit = Unit(typed: text) else {
      throw unreadable(text, for: option.spelling, "one of \(Unit.choices) is needed")
    }
    return unit
  }

  /// Returns an option's whole number, which is at least 1, or nil if the option is missing.
  func count(_ option: Option) throws -> Int? {
    guard let text = self[option] else { return nil }
    guard let count = Int(text), count > 0 else {
      throw unreadable(text, for: option.spelling, "a whole number from 1 on is needed")
    }
    return count
  }
}
