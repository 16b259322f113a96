public import LarderModel

/// Tests may name a field by a text, known or not.
extension FieldName: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    self.init(text)
  }
}
