/// One thing that keeps a text from being JSON as Larder reads it, and where.
public struct JSONMistake: Sendable, Hashable {
  /// What is wrong.
  public var kind: Kind
  /// Where it starts.
  public var position: TextPosition

  /// A mistake at a place.
  public init(kind: Kind, position: TextPosition) {
    self.kind = kind
    self.position = position
  }

  /// What can be wrong with a text: what RFC 8259 refuses, and what format.md does besides.
  ///
  /// Texts quoted from the file are cut to some forty bytes, and control characters in them are
  /// written as `\u00xx`, so that they can be shown as they are.
  public enum Kind: Sendable, Hashable {
    /// The file is over 16 MiB; nothing of it was read.
    case tooLarge(bytes: Int)
    /// The text starts with a byte order mark, of UTF-8 or of UTF-16.
    case byteOrderMark
    /// Bytes that are no UTF-8: overlong forms, surrogates, stray or missing continuations.
    case invalidUTF8
    /// U+0000, raw or as an escape.
    case nullCharacter
    /// An object or array nested 65 deep.
    case tooDeep
    /// A key that its object has already, both unescaped.
    case duplicateKey(String)
    /// Something else than what the grammar wants here.
    case unexpected(found: String, expected: String)
    /// The text ends too early.
    case unexpectedEnd(expected: String)
    /// A backslash that starts no escape.
    case badEscape
    /// Half of a surrogate pair as an escape.
    case loneSurrogate
    /// A raw character below U+0020 inside a string, line ends excepted.
    case controlCharacter
    /// Something like a number that is none, such as `01`, `.5` or `+1`.
    case badNumber(String)
    /// A number whose exponent would take over 400 digits to write out.
    case exponentTooLarge(String)
    /// Something after the end of the value.
    case trailingContent
    /// A line that git left of an unresolved merge.
    case conflictMarker
  }
}
