extension JSON {
  /// The largest text that is read, in bytes: 16 MiB.
  package static let largestText = 16 << 20

  /// Reads a text.
  ///
  /// Refuses what RFC 8259 refuses, and also what FORMAT.md refuses: byte order marks, bad UTF-8,
  /// U+0000, duplicate keys in an object, nesting over 64, more than 16 MiB, lone surrogates, and
  /// exponents that would need over 400 digits.
  ///
  /// The time is linear in the length for any bytes. The error is the first mistake.
  public init(parsing bytes: ArraySlice<UInt8>) throws(JSONMistake) {
    do throws(Finding) {
      self = try bytes.withUnsafeBufferPointer { bytes throws(Finding) in try Parser.parse(bytes) }
    } catch {
      let position = JSON.position(ofOffset: error.range.lowerBound, in: bytes)
      throw JSONMistake(kind: error.kind, position: position)
    }
  }

  /// Reads a text, like the other initializer.
  public init(parsing bytes: [UInt8]) throws(JSONMistake) {
    try self.init(parsing: bytes[...])
  }
}

/// One reason why a text is not JSON as Larder reads it, and its position.
public struct JSONMistake: Error, Sendable, Hashable {
  /// The kind of the mistake.
  public var kind: Kind
  /// The position where it starts.
  public var position: TextPosition

  /// Creates a mistake at a position.
  public init(kind: Kind, position: TextPosition) {
    self.kind = kind
    self.position = position
  }

  /// The kinds of mistakes: what RFC 8259 refuses, and what FORMAT.md refuses in addition.
  ///
  /// Texts quoted from the file are cut to about forty bytes, and their control characters are
  /// written as `\u00xx`, so that they can be printed.
  public enum Kind: Sendable, Hashable {
    /// The file is over 16 MiB; nothing of it was read.
    case tooLarge(bytes: Int)
    /// The text starts with a byte order mark, of UTF-8 or of UTF-16.
    case byteOrderMark
    /// Bytes that are not UTF-8: overlong forms, surrogates, stray or missing continuations.
    case invalidUTF8
    /// U+0000, raw or as an escape.
    case nullCharacter
    /// An object or array at depth 65.
    case tooDeep
    /// A key that its object has already; both are compared unescaped.
    case duplicateKey(String)
    /// Something that the grammar does not allow here.
    case unexpected(found: String, expected: String)
    /// The text ends too early.
    case unexpectedEnd(expected: String)
    /// A backslash that does not start an escape.
    case badEscape
    /// Half of a surrogate pair as an escape.
    case loneSurrogate
    /// A raw character below U+0020 inside a string, except line ends.
    case controlCharacter
    /// A word that looks like a number but is not one, such as `01`, `.5` or `+1`.
    case badNumber(String)
    /// A number whose exponent would take over 400 digits to write out.
    case exponentTooLarge(String)
    /// Something after the end of the value.
    case trailingContent
    /// A conflict marker of an unresolved git merge.
    case conflictMarker
  }
}
