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
    let value = rest.dropFirst(name.count + 1)
    if fold(name) == "is" {
      condition = .state(fold(String(value)))
      return
    }
    let comparison = Comparison.allCases.first { value.hasPrefix($0.rawValue) } ?? .equal
    let operand = value.dropFirst(comparison.rawValue.count)
    condition = .field(name, comparison, String(operand))
  }

  /// Whether a word is a filter, such as `field:value` or `-field:value`, and not only a name.
  static func isFilter(_ word: String) -> Bool {
    fieldName(of: word[...]) != nil
      || (word.hasPrefix("-") && fieldName(of: word.dropFirst()) != nil)
  }

  /// Returns the letters before the first colon; nil if the word is not `field:value`.
  private static func fieldName(of word: Substring) -> String? {
    guard let colon = word.firstIndex(of: ":"), colon != word.startIndex else { return nil }
    let name = word[..<colon]
    let behind = word[word.index(after: colon)...]
    // An address such as `https://…` is a plain word.
    guard name.allSatisfy({ $0.isLetter || $0 == "_" }), !behind.hasPrefix("//") else { return nil }
    return String(name)
  }
}
