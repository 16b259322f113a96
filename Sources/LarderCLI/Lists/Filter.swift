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
