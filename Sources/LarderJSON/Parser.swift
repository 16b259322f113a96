internal import LarderText

/// A one-pass parser that builds JSON values from bytes, and stops at the first mistake.
struct Parser {
  /// The maximum depth of objects and arrays.
  static let greatestDepth = 64

  let bytes: UnsafeBufferPointer<UInt8>
  var offset: Int
  /// Hashes of the keys of all open objects, innermost last.
  ///
  /// Keys with different hashes are different.
  private var fingerprints: [UInt64] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    offset = TextEncoding.markLength(bytes)
    fingerprints.reserveCapacity(32)
  }

  /// Returns the value of a text, or throws its first mistake.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(Finding) -> JSON {
    if bytes.count > JSON.largestText { throw Finding(.tooLarge(bytes: bytes.count), at: 0) }
    if TextEncoding.isUTF16(bytes) { throw Finding(.byteOrderMark, at: 0) }
    let encoding = TextEncoding.firstMistake(in: bytes)
    var parser = Parser(bytes)
    do throws(Finding) {
      let value = try parser.value(depth: 0)
      try parser.finish()
      guard let encoding else { return value }
      throw encoding
    } catch {
      // What is wrong with the bytes explains what is wrong with the word they are in.
      if let encoding, encoding.range.lowerBound < error.range.upperBound { throw encoding }
      throw error
    }
  }

  @inline(__always)
  mutating func skipWhitespace() {
    while offset < bytes.count, Byte.isWhitespace(bytes[offset]) { offset += 1 }
  }

  /// Reads a value that is inside `depth` objects and arrays.
  mutating func value(depth: Int) throws(Finding) -> JSON {
    skipWhitespace()
    guard offset < bytes.count else { throw unexpected(for: "a value") }
    switch bytes[offset] {
    case Byte.quote:
      return .string(try string())
    case Byte.openBrace, Byte.openBracket:
      if depth == Parser.greatestDepth { throw Finding(.tooDeep, at: offset) }
      return bytes[offset] == Byte.openBrace
        ? .object(try object(depth: depth)) : .array(try array(depth: depth))
    case Byte.minus, 0x30...0x39:
      return .number(try number())
    case UInt8(ascii: "t") where isLiteral("true"):
      offset += 4
      return .bool(true)
    case UInt8(ascii: "f") where isLiteral("false"):
      offset += 5
      return .bool(false)
    case UInt8(ascii: "n") where isLiteral("null"):
      offset += 4
      return .null
    case Byte.plus, Byte.dot:
      throw badNumber
    default:
      throw unexpected(for: "a value")
    }
  }

  private mutating func array(depth: Int) throws(Finding) -> [JSON] {
    offset += 1
    if isEmpty(closing: Byte.closeBracket) { return [] }
    var elements: [JSON] = []
    repeat {
      elements.append(try value(depth: depth + 1))
    } while try separator(closing: Byte.closeBracket)
    return elements
  }

  private mutating func object(depth: Int) throws(Finding) -> [JSONMember] {
    offset += 1
    if isEmpty(closing: Byte.closeBrace) { return [] }
    let base = fingerprints.count
    defer { fingerprints.removeLast(fingerprints.count - base) }
    var members: [JSONMember] = []
    // The usual size of a file's root and of a ledger's entry, so that the array rarely grows.
    members.reserveCapacity(depth == 0 ? 16 : 6)
    var keys: Set<KeyBytes> = []
    repeat {
      let key = try key(after: members, base: base, &keys)
      skipWhitespace()
      guard offset < bytes.count, bytes[offset] == Byte.colon else {
        throw unexpected(for: "a colon")
      }
      offset += 1
      members.append(JSONMember(key, try value(depth: depth + 1)))
    } while try separator(closing: Byte.closeBrace)
    return members
  }

  /// Reads the closing bracket if it follows the opening one directly.
  @inline(__always)
  private mutating func isEmpty(closing: UInt8) -> Bool {
    skipWhitespace()
    guard offset < bytes.count, bytes[offset] == closing else { return false }
    offset += 1
    return true
  }

  /// Reads a key; throws if an earlier member has the same key.
  ///
  /// A few keys are compared by their hashes, many are looked up in a set, so that the time is
  /// linear.
  private mutating func key(
    after members: [JSONMember], base: Int, _ keys: inout Set<KeyBytes>
  ) throws(Finding) -> String {
    skipWhitespace()
    guard offset < bytes.count, bytes[offset] == Byte.quote else {
      throw unexpected(for: "a key in double quotes")
    }
    let start = offset
    let key = try string()
    if members.count < 24 {
      let print = fingerprint(of: key, from: start + 1, to: offset - 1)
      for index in members.indices
      where fingerprints[base + index] == print && members[index].key.hasSameBytes(as: key) {
        throw Finding(.duplicateKey(key), at: start)
      }
      fingerprints.append(print)
      return key
    }
    if keys.isEmpty { keys.formUnion(members.lazy.map { KeyBytes(text: $0.key) }) }
    guard keys.insert(KeyBytes(text: key)).inserted else {
      throw Finding(.duplicateKey(key), at: start)
    }
    return key
  }

  /// Reads the comma or closing bracket after an element; returns true if another element follows.
  @inline(__always)
  private mutating func separator(closing: UInt8) throws(Finding) -> Bool {
    skipWhitespace()
    guard offset < bytes.count, bytes[offset] == Byte.comma || bytes[offset] == closing else {
      throw unexpected(for: closing == Byte.closeBrace ? "a comma or }" : "a comma or ]")
    }
    offset += 1
    return bytes[offset - 1] == Byte.comma
  }

  /// Throws if something is after the value.
  private mutating func finish() throws(Finding) {
    skipWhitespace()
    guard offset < bytes.count else { return }
    throw isAtComment || isAtConflictMarker
      ? unexpected(for: "the end of the file") : Finding(.trailingContent, at: offset)
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

/// A mistake and the bytes that are wrong, before its line and column are counted.
struct Finding: Error {
  let kind: JSONMistake.Kind
  let range: Range<Int>

  init(_ kind: JSONMistake.Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
  }

  init(_ kind: JSONMistake.Kind, at offset: Int) { self.init(kind, offset..<offset + 1) }
}

extension Parser {
  /// The mistake of what is at the offset, in the place of something else.
  @inline(never)
  func unexpected(for expected: String) -> Finding {
    if offset >= bytes.count { return Finding(.unexpectedEnd(expected: expected), at: bytes.count) }
    if isAtConflictMarker { return Finding(.conflictMarker, at: offset) }
    return Finding(.unexpected(found: excerpt(token), expected: expected), token)
  }

  /// The mistake of a word in the place of a number.
  var badNumber: Finding {
    let range = offset..<wordEnd(from: offset)
    return Finding(.badNumber(excerpt(range)), range)
  }

  /// Whether a comment, which JSON has not, starts at the offset.
  var isAtComment: Bool {
    bytes[offset] == Byte.hash
      || bytes[offset] == Byte.slash && offset + 1 < bytes.count
        && [Byte.slash, Byte.asterisk].contains(bytes[offset + 1])
  }

  /// Whether a git conflict marker is at the offset, at the start of its line.
  var isAtConflictMarker: Bool {
    guard offset + 7 <= bytes.count, offset == 0 || bytes[offset - 1] == Byte.lineFeed else {
      return false
    }
    let first = bytes[offset]
    return [Byte.less, Byte.equals, Byte.bar, Byte.greater].contains(first)
      && bytes[offset..<offset + 7].allSatisfy { $0 == first }
  }

  /// The token at the offset, which is before the end: a bracket, a string or a word.
  private var token: Range<Int> {
    if bytes[offset] == Byte.quote {
      var copy = self
      copy.skipQuoted()
      return offset..<copy.offset
    }
    if bytes[offset] == Byte.slash, isAtComment { return offset..<offset + 2 }
    return offset..<wordEnd(from: offset)
  }

  /// Returns the end of the word at an offset, or of the single byte if there is no word.
  ///
  /// A word in single quotes extends to the second quote, if that is on the same line.
  private func wordEnd(from start: Int) -> Int {
    var end = start
    if bytes[start] == Byte.apostrophe {
      end += 1
      while end < bytes.count, bytes[end] != Byte.lineFeed, bytes[end] != Byte.apostrophe {
        end += 1
      }
      if end < bytes.count, bytes[end] == Byte.apostrophe { return end + 1 }
      end = start
    }
    while end < bytes.count, Byte.isWord(bytes[end]) { end += 1 }
    return max(end, start + 1)
  }

  /// Returns the text of a range for a message: cut after forty bytes, control characters escaped.
  func excerpt(_ range: Range<Int>) -> String {
    var end = min(range.upperBound, range.lowerBound + 40)
    while end < range.upperBound, end > range.lowerBound, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    var shown = ""
    for scalar in text(range.lowerBound..<end).unicodeScalars {
      if scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value {
        let digits = String(scalar.value, radix: 16)
        shown += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return end < range.upperBound ? shown + "…" : shown
  }
}
