import LarderModel

/// The value of a row in a field, for filters and sorting.
enum FilterValue: Equatable {
  case none
  case text(String)
  /// Several texts; one of them must match.
  case texts([String])
  case number(Number)
  case quantity(Quantity)
  case day(Day)
  case instant(Instant)
  case flag(Bool)

  init(_ text: String?) {
    self = text.map { .text($0) } ?? .none
  }

  init(_ day: Day?) {
    self = day.map { .day($0) } ?? .none
  }

  init(_ number: Number?) {
    self = number.map { .number($0) } ?? .none
  }

  var isNone: Bool {
    switch self {
    case .none: true
    case .texts(let texts): texts.isEmpty
    default: false
    }
  }

  /// Returns the order of two values in a list; missing values come last.
  static func precedes(_ one: FilterValue, _ other: FilterValue) -> Bool {
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
    case .piece, .pack: value
    }
  }
}
