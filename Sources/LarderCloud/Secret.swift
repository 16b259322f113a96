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
    secrets.reduce(self) { text, secret in
      secret.text.isEmpty ? text : text.replacing(secret.text, with: secret.description)
    }
  }
}
