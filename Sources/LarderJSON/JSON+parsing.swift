extension JSON {
  /// The largest text that is read, in bytes: 16 MiB.
  package static let largestText = 16 << 20

  /// Reads a text.
  ///
  /// Refuses what RFC 8259 refuses, and also what FORMAT.md refuses: byte order marks, bad UTF-8,
  /// U+0000, duplicate keys in an object, nesting over 64, more than 16 MiB, lone surrogates, and
  /// exponents that would need over 400 digits.
  ///
  /// The time is linear in the length for any bytes. The error has every mistake that is not a
  /// consequence of an earlier one.
  public init(parsing bytes: ArraySlice<UInt8>) throws(JSONMistakes) {
    let (value, findings) = bytes.withUnsafeBufferPointer { Parser.parse($0) }
    guard findings.isEmpty else {
      throw JSONMistakes(all: JSON.mistakes(findings, in: bytes))
    }
    self = value
  }

  /// Reads a text, like the other initializer.
  public init(parsing bytes: [UInt8]) throws(JSONMistakes) {
    try self.init(parsing: bytes[...])
  }

  /// Adds lines and columns to findings, which are in order of their offsets.
  private static func mistakes(
    _ findings: [TextEncoding.Finding], in bytes: ArraySlice<UInt8>
  ) -> [JSONMistake] {
    bytes.withUnsafeBufferPointer { bytes in
      var counter = PositionCounter(bytes)
      return findings.map { finding in
        JSONMistake(kind: finding.kind, position: counter.position(at: finding.offset))
      }
    }
  }
}

/// All mistakes found in a text.
public struct JSONMistakes: Error, Sendable {
  /// The mistakes in order of position: at least 1, at most the first 20.
  public var all: [JSONMistake]
}

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
