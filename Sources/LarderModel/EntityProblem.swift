public import LarderJSON

/// A mistake in a file that is valid JSON: its kind and the path of the value.
public struct EntityProblem: Error, Hashable, Sendable {
  public var kind: Kind
  /// The path of the value from the file's root.
  public var path: [JSONStep]

  public enum Kind: Hashable, Sendable {
    /// A value of the wrong type, or out of its range.
    case unexpected(found: String, expected: String)
    /// A word that is not one of those allowed.
    case notAmong(found: String, choices: [String])
    case missing(String, expected: String)
    /// A ledger entry has not exactly one of `set`, `delta` and `undoes`.
    case ambiguousChange
    /// A shopping entry has no `itemId` and no `name`.
    case namesNothing
    /// The ledger's entries do not convert to the unit.
    case unitMismatch(written: String, ledger: String)
    /// A list or an object is longer than allowed; it would slow down everybody.
    case tooMany(found: Int, most: Int)
    /// The format is newer than this program: the household can be read but not written.
    case newerFormat(String)
  }

  init(_ kind: Kind, _ path: [JSONStep]) {
    self.kind = kind
    self.path = path
  }
}
