/// A key, a token or a password; it is never printed.
public struct Secret: Sendable, Hashable {
  /// The secret, for sending and storing.
  package let text: String

  /// Creates a secret from a text.
  public init(_ text: String) {
    self.text = text
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A fixed text, equal for every secret.
  public var description: String { "•••" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  /// Returns the text without secrets that a server may have repeated.
  func without(_ secrets: [Secret]) -> String {
    secrets.reduce(self) { $0.without($1) }
  }

  /// Hides one secret.
  ///
  /// A short secret is hidden only as a whole word: hiding each occurrence of its letters would
  /// reveal it.
  private func without(_ secret: Secret) -> String {
    var result = ""
    var rest = startIndex
    for range in ranges(of: secret.text) where !range.isEmpty {
      guard secret.text.count >= 8 || isWord(range) else { continue }
      result += self[rest..<range.lowerBound] + secret.description
      rest = range.upperBound
    }
    return result + self[rest...]
  }

  private func isWord(_ range: Range<Index>) -> Bool {
    let neighbours = [self[..<range.lowerBound].last, self[range.upperBound...].first]
    return !neighbours.contains { $0.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false }
  }
}
