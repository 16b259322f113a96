/// The texts for `expected` in mistakes.
enum Expected {
  static let value = "a value"
  static let key = "a key in double quotes"
  static let colon = "a colon"
  static let closingQuote = "a closing quote"
  static let end = "the end of the file"

  static func separator(closing: UInt8) -> String {
    closing == Byte.closeBrace ? "a comma or }" : "a comma or ]"
  }
}
