extension JSON {
  /// The largest text that is read, in bytes: 16 MiB.
  package static let largestText = 16 << 20

  /// Reads a text, refusing what RFC 8259 refuses, and what format.md does besides: byte order
  /// marks, bad UTF-8, U+0000, keys twice in an object, nesting over 64, more than 16 MiB, lone
  /// surrogates, and exponents that would need over 400 digits.
  ///
  /// It takes time linear in the length, whatever the bytes; what it throws tells all the mistakes
  /// that can be told apart from consequences of earlier ones.
  public init(parsing bytes: ArraySlice<UInt8>) throws(JSONMistakes) {
    let (value, findings) = bytes.withUnsafeBufferPointer { Parser.parse($0) }
    guard findings.isEmpty else {
      throw JSONMistakes(all: JSON.mistakes(findings, in: bytes))
    }
    self = value
  }

  /// Reads a text, as the other initializer does.
  public init(parsing bytes: [UInt8]) throws(JSONMistakes) {
    try self.init(parsing: bytes[...])
  }

  /// Gives findings, in order of their offsets, their lines and columns.
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
