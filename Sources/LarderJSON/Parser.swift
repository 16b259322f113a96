internal import LarderText

/// A one-pass parser that builds JSON values from bytes and collects mistakes.
///
/// The path for valid text is short. After a grammar mistake, the methods in
/// `Parser+recovery.swift` report it and decide where to continue. Values built after that are
/// discarded.
struct Parser {
  /// The maximum depth of objects and arrays.
  static let greatestDepth = 64
  /// The maximum number of mistakes that are reported.
  static let mostMistakes = 20

  let bytes: UnsafeBufferPointer<UInt8>
  var offset: Int
  /// Encoding mistakes, found before parsing; mistakes at the same bytes are not reported again.
  let encodingFindings: [TextEncoding.Finding]
  var findings: [TextEncoding.Finding] = []
  /// The offset where a missing comma or bracket is a consequence of the last mistake.
  var forgivenOffset = -1
  /// True once brackets no longer match; mistakes about brackets are not reported after that.
  var hasLostStructure = false
  var isInConflict = false
  var openObjects = 0
  var openArrays = 0
  /// Hashes of the keys of all open objects, innermost last.
  ///
  /// Keys with different hashes are different.
  private var fingerprints: [UInt64] = []

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, offset: Int, encodingFindings: [TextEncoding.Finding] = []
  ) {
    self.bytes = bytes
    self.offset = offset
    self.encodingFindings = encodingFindings
    fingerprints.reserveCapacity(32)
  }

  /// Returns the value of a text and its mistakes in order.
  ///
  /// With mistakes, the value is meaningless.
  static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (value: JSON, findings: [TextEncoding.Finding]) {
    if bytes.count > JSON.largestText { return (.null, [(.tooLarge(bytes: bytes.count), 0)]) }
    if TextEncoding.isUTF16(bytes) { return (.null, [(.byteOrderMark, 0)]) }
    let encoding = TextEncoding.mistakes(in: bytes, limit: mostMistakes)
    var parser = Parser(
      bytes, offset: TextEncoding.markLength(bytes), encodingFindings: encoding)
    let value = parser.value(depth: 0)
    parser.finish()
    if encoding.isEmpty && parser.findings.isEmpty { return (value, []) }
    let all = (encoding + parser.findings).sorted { $0.offset < $1.offset }
    return (.null, Array(all.prefix(mostMistakes)))
  }

  @inline(__always)
  mutating func skipWhitespace() {
    while offset < bytes.count, Byte.isWhitespace(bytes[offset]) { offset += 1 }
  }

  /// Reads a value that is inside `depth` objects and arrays.
  mutating func value(depth: Int) -> JSON {
    while true {
      skipWhitespace()
      guard offset < bytes.count else { return missingValue() }
      switch bytes[offset] {
      case Byte.quote:
        return .string(string())
      case Byte.openBrace, Byte.openBracket:
        if depth == Parser.greatestDepth { return tooDeep() }
        return bytes[offset] == Byte.openBrace ? object(depth: depth) : array(depth: depth)
      case Byte.minus, 0x30...0x39:
        return number()
      case UInt8(ascii: "t") where isLiteral("true"):
        offset += 4
        return .bool(true)
      case UInt8(ascii: "f") where isLiteral("false"):
        offset += 5
        return .bool(false)
      case UInt8(ascii: "n") where isLiteral("null"):
        offset += 4
        return .null
      default:
        if !skipForeign(expected: Expected.value) { return missingValue() }
      }
    }
  }

  private mutating func array(depth: Int) -> JSON {
    offset += 1
    if isEmpty(closing: Byte.closeBracket) { return .array([]) }
    openArrays += 1
    defer { openArrays -= 1 }
    var elements: [JSON] = []
    repeat {
      elements.append(value(depth: depth + 1))
    } while separator(closing: Byte.closeBracket)
    return .array(elements)
  }

  private mutating func object(depth: Int) -> JSON {
    offset += 1
    if isEmpty(closing: Byte.closeBrace) { return .object([]) }
    openObjects += 1
    let base = fingerprints.count
    defer {
      openObjects -= 1
      fingerprints.removeLast(fingerprints.count - base)
    }
    var members: [JSONMember] = []
    // The usual size of a file's root and of a ledger's entry, so that the array rarely grows.
    members.reserveCapacity(depth == 0 ? 16 : 6)
    var keys: Set<KeyBytes> = []
    repeat {
      switch keyStart() {
      case .key:
        let key = key(after: members, base: base, &keys)
        members.append(JSONMember(key, colon() ? value(depth: depth + 1) : .null))
      case .keyless: if colon() { _ = value(depth: depth + 1) }
      case .value: _ = value(depth: depth + 1)
      case .nothing: break
      case .end: return .object(members)
      }
    } while separator(closing: Byte.closeBrace)
    return .object(members)
  }

  /// Reads the closing bracket if it follows the opening one directly.
  @inline(__always)
  private mutating func isEmpty(closing: UInt8) -> Bool {
    skipWhitespace()
    while offset < bytes.count, Byte.startsForeign(bytes[offset]),
      skipForeign(expected: closing == Byte.closeBrace ? Expected.key : Expected.value)
    {
      skipWhitespace()
    }
    guard offset < bytes.count, bytes[offset] == closing else { return false }
    offset += 1
    return true
  }

  @inline(__always)
  private mutating func keyStart() -> KeyStart {
    skipWhitespace()
    if offset < bytes.count, bytes[offset] == Byte.quote { return .key }
    return misplacedKey()
  }

  /// Reads a key, and reports it if an earlier member has the same key.
  ///
  /// A few keys are compared by their hashes, many are looked up in a set, so that the time is
  /// linear.
  private mutating func key(
    after members: [JSONMember], base: Int, _ keys: inout Set<KeyBytes>
  ) -> String {
    let start = offset
    let key = string()
    if members.count < 24 {
      let print = fingerprint(of: key, from: start + 1, to: offset - 1)
      for index in members.indices
      where fingerprints[base + index] == print && members[index].key.hasSameBytes(as: key) {
        report(.duplicateKey(key), at: start)
        break
      }
      fingerprints.append(print)
      return key
    }
    if keys.isEmpty { keys.formUnion(members.lazy.map { KeyBytes(text: $0.key) }) }
    if !keys.insert(KeyBytes(text: key)).inserted { report(.duplicateKey(key), at: start) }
    return key
  }

  @inline(__always)
  private mutating func colon() -> Bool {
    skipWhitespace()
    if offset < bytes.count, bytes[offset] == Byte.colon {
      offset += 1
      return true
    }
    return misplacedColon()
  }

  /// Reads the comma or closing bracket after an element; returns true if another element follows.
  @inline(__always)
  private mutating func separator(closing: UInt8) -> Bool {
    skipWhitespace()
    if offset < bytes.count {
      if bytes[offset] == Byte.comma {
        offset += 1
        return true
      }
      if bytes[offset] == closing {
        offset += 1
        return false
      }
    }
    return misplacedSeparator(closing: closing)
  }

  /// Reports content after the value.
  private mutating func finish() {
    skipWhitespace()
    while offset < bytes.count, skipForeign(expected: Expected.end) { skipWhitespace() }
    if offset < bytes.count, !hasLostStructure { report(.trailingContent, at: offset) }
  }

  @inline(__always)
  private func isLiteral(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard offset + length <= bytes.count else { return false }
    for index in 0..<length where bytes[offset + index] != literal.utf8Start[index] {
      return false
    }
    return offset + length == bytes.count || !Byte.isWord(bytes[offset + length])
  }
}
