import LarderModel

/// One word of a filter: a word to look for, or a comparison such as `category:dairy`, `total>2l`,
/// `-location:cellar` or `is:low`.
public struct Filter: Equatable, Sendable {
  public enum Comparison: String, CaseIterable, Sendable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = ""
  }

  public enum Condition: Equatable, Sendable {
    /// A text that has the word in it.
    case word(String)
    /// A field's value beside a text; an empty text that is `equal` means that there is no value.
    case field(String, Comparison, String)
    /// A state of the list, folded.
    case state(String)
  }

  public let condition: Condition
  /// Whether it excludes the matches.
  public let isNegated: Bool
  /// The original word, for messages.
  public let typed: String

  /// Reads a word; any word is a filter.
  public init(_ typed: String) {
    self.typed = typed
    isNegated = typed.hasPrefix("-") && Filter.fieldName(of: typed.dropFirst()) != nil
    let rest = isNegated ? typed.dropFirst() : typed[...]
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
  public static func wantsArchived(_ words: [String]) -> Bool {
    words.map(Filter.init).contains { $0.condition == .state("archived") }
  }

  /// The words of a location that the filter asks for; nil for another filter.
  public var place: String? {
    guard case .field(let name, .equal, let operand) = condition, !isNegated, !operand.isEmpty,
      StockRow.location.has(name)
    else { return nil }
    return operand
  }

  /// Whether a word is a comparison, such as `field:value`, `field>2` or `-field:value`.
  public static func isFilter(_ word: String) -> Bool {
    fieldName(of: word[...]) != nil
      || (word.hasPrefix("-") && fieldName(of: word.dropFirst()) != nil)
  }

  /// The signs that may follow a field's name.
  public static let signs: Set<Character> = [":", ">", "<", "="]

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

extension Array {
  /// Returns the elements whose text is the words in full; if there are none, those that have the
  /// words in their text.
  ///
  /// Case and accents make no difference.
  package func named(_ words: String, _ text: (Element) -> String) -> [Element] {
    let wanted = fold(words)
    let exact = filter { fold(text($0)) == wanted }
    return exact.isEmpty ? filter { fold(text($0)).contains(wanted) } : exact
  }
}
