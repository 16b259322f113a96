/// A key, a token or a password: nothing prints it, however it is asked.
public struct Secret: Sendable, Hashable {
  /// What it is, to be sent and to be stored.
  package let text: String

  /// Takes a text as a secret.
  public init(_ text: String) {
    self.text = text
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The same for every secret.
  public var description: String { "•••" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  /// The text without secrets that a server may have said back.
  func without(_ secrets: [Secret]) -> String {
    secrets.reduce(self) { $0.without($1) }
  }

  /// Of a short one only whole words are hidden: its letters, hidden wherever they stand, would spell it.
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
