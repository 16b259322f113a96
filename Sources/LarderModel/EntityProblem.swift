public import LarderJSON

/// A mistake in a file that is well-formed JSON: what is wrong, and at which value.
public struct EntityProblem: Error, Hashable, Sendable {
  public var kind: Kind
  /// The way to the value from the file's root.
  public var path: [JSONStep]

  public enum Kind: Hashable, Sendable {
    /// A value of the wrong type, or out of its range.
    case unexpected(found: String, expected: String)
    /// A word that is none of those allowed.
    case notAmong(found: String, choices: [String])
    case missing(String, expected: String)
    /// A ledger entry says more or less than one of `set`, `delta` and `undoes`.
    case ambiguousChange
    /// Neither or nothing of what tells what a shopping entry is about.
    case namesNothing
    /// The unit is not one that what the ledger holds converts to.
    case unitMismatch(written: String, ledger: String)
    /// A list or an object has more than a file may: what would make everybody wait.
    case tooMany(found: Int, most: Int)
    /// The format is newer than this program: the household can be read, not written.
    case newerFormat(String)
  }

  init(_ kind: Kind, _ path: [JSONStep]) {
    self.kind = kind
    self.path = path
  }
}
