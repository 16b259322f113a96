import LarderModel

/// One word of a filter.
struct Filter: Equatable {
  enum Comparison: String, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = ""
  }

  enum Condition: Equatable {
    case word(String)
    case field(String, Comparison, String)
    case state(String)
  }

  var condition: Condition
  /// Whether it excludes the matches.
  var isNegated = false
  /// The original word, for messages.
  let typed: String

  init(_ typed: String) {
    self.typed = typed
    var rest = typed[...]
    if rest.hasPrefix("-"), Filter.fieldName(of: rest.dropFirst()) != nil {
      isNegated = true
      rest = rest.dropFirst()
    }
    guard let name = Filter.fieldName(of: rest) else {
      condition = .word(typed)
      return
    }
    let behind = rest.dropFirst(name.count)
    let value = behind.first == ":" ? behind.dropFirst() : behind
    if fold(name) == "is", behind.first == ":" {
      condition = .state(fold(String(value)))
      return
    }
    let comparison = Comparison.allCases.first { value.hasPrefix($0.rawValue) } ?? .equal
    let operand = value.dropFirst(comparison.rawValue.count)
    let isSpelledOut = comparison == .equal && operand.first == "="
    condition = .field(name, comparison, String(operand.dropFirst(isSpelledOut ? 1 : 0)))
  }

  /// Whether some words ask for what is archived.
  static func wantsArchived(_ words: [String]) -> Bool {
    words.map(Filter.init).contains { $0.condition == .state("archived") }
  }

  /// The words of a location that the filter asks for; nil for another filter.
  var place: String? {
    guard case .field(let name, .equal, let operand) = condition,
      StockRow.places.names.contains(fold(name)), !isNegated, !operand.isEmpty
    else { return nil }
    return operand
  }

  /// Whether a word is a filter, such as `field:value`, `field>2` or `-field:value`.
  static func isFilter(_ word: String) -> Bool {
    fieldName(of: word[...]) != nil
      || (word.hasPrefix("-") && fieldName(of: word.dropFirst()) != nil)
  }

  /// The signs that may follow a field's name.
  static let signs: Set<Character> = [":", ">", "<", "="]

  /// Returns the letters before the first sign; nil if the word is not `field:value` or
  /// `field>value`.
  private static func fieldName(of word: Substring) -> String? {
    guard let sign = word.firstIndex(where: signs.contains), sign != word.startIndex else {
      return nil
    }
    let name = word[..<sign]
    let behind = word[word.index(after: sign)...]
    // An address such as `https://…` is a plain word.
    guard name.allSatisfy({ $0.isLetter || $0 == "_" }), !behind.hasPrefix("//") else { return nil }
    return String(name)
  }
}

/// The value of a row in a column.
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

  init(_ text: String?) { self = text.map(Self.text) ?? .none }
  init(_ day: Day?) { self = day.map(Self.day) ?? .none }
  init(_ number: Number?) { self = number.map(Self.number) ?? .none }
  init(_ quantity: Quantity?) { self = quantity.map(Self.quantity) ?? .none }
  init(_ instant: Instant?) { self = instant.map(Self.instant) ?? .none }

  var isNone: Bool {
    switch self {
    case .none: true
    case .texts(let texts): texts.isEmpty
    default: false
    }
  }

  /// Whether it is a number or a time, of which a part would be misread.
  var isMeasure: Bool {
    switch self {
    case .number, .quantity, .day, .instant: true
    case .none, .text, .texts, .flag: false
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

  /// The value in words; an empty text for none.
  var text: String {
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

  /// The value in a record, where a quantity has no unit.
  var recordText: String {
    if case .quantity(let quantity) = self { quantity.value.description } else { text }
  }

  /// The value in JSON, where a quantity has no unit; nil for none.
  var json: JSON? {
    switch self {
    case .none: nil
    case .number(let number): number.json
    case .quantity(let quantity): quantity.value.json
    case .flag(let flag): .bool(flag)
    case .texts(let texts): .array(texts.map { .string($0) })
    case .text, .day, .instant: .string(text)
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
