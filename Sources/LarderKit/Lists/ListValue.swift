public import LarderModel

/// The value of a row of a list in one of its fields.
public enum ListValue: Equatable, Sendable {
  case none
  case text(String)
  /// Several texts; a filter takes the row if one of them matches.
  case texts([String])
  case number(Number)
  case quantity(Quantity)
  case day(Day)
  case instant(Instant)
  case flag(Bool)

  public init(_ text: String?) { self = text.map(Self.text) ?? .none }
  public init(_ day: Day?) { self = day.map(Self.day) ?? .none }
  public init(_ number: Number?) { self = number.map(Self.number) ?? .none }
  public init(_ quantity: Quantity?) { self = quantity.map(Self.quantity) ?? .none }
  public init(_ instant: Instant?) { self = instant.map(Self.instant) ?? .none }

  /// Creates the value of a field that the format does not know.
  init(_ json: JSON?) {
    switch json {
    case .string(let text): self = .text(text)
    case .number(let lexeme): self = Number(lexeme).map { .number($0) } ?? .text(lexeme)
    case .bool(let truth): self = .flag(truth)
    case .array(let elements): self = .texts(elements.compactMap(\.string))
    case .object, .null, nil: self = .none
    }
  }

  public var isNone: Bool {
    switch self {
    case .none: true
    case .texts(let texts): texts.isEmpty
    default: false
    }
  }

  /// The value in words; an empty text for none.
  public var text: String {
    switch self {
    case .none: ""
    case .text(let text): text
    case .texts(let texts): texts.joined(separator: ", ")
    case .number(let number): number.description
    case .quantity(let quantity): quantity.description
    case .day(let day): day.description
    case .instant(let instant): instant.description
    case .flag(let flag): flag ? "yes" : "no"
    }
  }

  /// Returns whether one value stands before another in a list; missing values come last.
  static func precedes(_ one: ListValue, _ other: ListValue) -> Bool {
    switch (one, other) {
    case (.none, _): false
    case (_, .none): true
    case (.number(let one), .number(let other)): one < other
    case (.quantity(let one), .quantity(let other)): one.comparable < other.comparable
    case (.day(let one), .day(let other)): one < other
    case (.instant(let one), .instant(let other)): one < other
    case (.flag(let one), .flag(let other)): !one && other
    default: fold(one.sortText) < fold(other.sortText)
    }
  }

  private var sortText: String {
    switch self {
    case .text(let text): text
    case .texts(let texts): texts.first ?? ""
    default: ""
    }
  }
}

extension Quantity {
  /// The value in litres or kilograms, so millilitres and grams compare with them.
  fileprivate var comparable: Number {
    switch unit {
    case .kilogram, .liter: value
    case .gram: converted(to: .kilogram) ?? value
    case .milliliter: converted(to: .liter) ?? value
    case .piece, .pack, .own: value
    }
  }
}
