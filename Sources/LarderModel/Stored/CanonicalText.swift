internal import LarderJSON
internal import LarderText

/// The text of an entity's file in canonical form, in which values are found by its lines.
///
/// Each member of the file, and of an object in it, begins a line of its own, and no string has a
/// line feed in it. So a key is told by the line feed, the indent and the quotes around it. Offsets
/// of values are those of their first bytes.
struct CanonicalText {
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The indents of the file's own members and of those of an object among them.
  private static let (outer, inner) = (2, 4)

  /// Returns what `find` finds for the bytes that a name has as a key.
  static func finding<Value>(_ name: String, _ find: (UnsafeBufferPointer<UInt8>) -> Value?)
    -> Value?
  {
    var key = name
    let found = key.withUTF8 { bytes -> Value?? in
      let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != Sign.quote && $0 != Sign.backslash }
      return isPlain ? .some(find(bytes)) : nil
    }
    if let found { return found }
    key = String(decoding: JSON.string(name).written().dropFirst().dropLast(), as: UTF8.self)
    return key.withUTF8(find)
  }

  /// Returns a number that tells most keys apart.
  static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt8 {
    guard let first = key.first, let last = key.last else { return 0 }
    return UInt8(truncatingIfNeeded: key.count) &* 31 &+ first &* 7 &+ last
      &+ key[key.count / 2] &* 3
  }

  /// The keys of the file's own members, and the offsets of their values.
  var members: [(key: UnsafeBufferPointer<UInt8>, value: Int)] {
    var found: [(key: UnsafeBufferPointer<UInt8>, value: Int)] = []
    var line = lineFeed(from: 0)
    while line + 1 + Self.outer < bytes.count, bytes[line + Self.outer] == Sign.space {
      let start = line + 2 + Self.outer
      let end = endOfString(from: start)
      let key = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      found.append((key.assumingMemoryBound(to: UInt8.self), end + 3))
      line = lineFeed(from: self.end(of: end + 3, indent: Self.outer))
    }
    return found
  }

  /// Whether a value is that of one of the file's own members with a key.
  func hasOwnKey(_ key: UnsafeBufferPointer<UInt8>, at value: Int) -> Bool {
    hasKey(key, at: value, indent: Self.outer)
  }

  /// Returns the offset of the value of a member of an object; nil if there is none.
  func member(_ key: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
    guard bytes[object] == Sign.brace, bytes[object + 1] == Sign.lineFeed else { return nil }
    var line = object + 1
    while line + Self.inner < bytes.count, bytes[line + Self.inner] == Sign.space {
      let value = line + 2 + Self.inner + key.count + 3
      if hasKey(key, at: value, indent: Self.inner) { return value }
      line = lineFeed(from: line + 1)
    }
    return nil
  }

  /// Whether the line of a value has an indent and a key, and nothing else before the value.
  private func hasKey(_ key: UnsafeBufferPointer<UInt8>, at value: Int, indent: Int) -> Bool {
    let start = value - 3 - key.count
    let line = start - 2 - indent
    guard line >= 0, value < bytes.count, bytes[line] == Sign.lineFeed,
      bytes[start - 1] == Sign.quote, bytes[value - 3] == Sign.quote,
      bytes[value - 2] == Sign.colon,
      bytes[(line + 1)..<(start - 1)].allSatisfy({ $0 == Sign.space })
    else { return false }
    let own = UnsafeRawBufferPointer(rebasing: bytes[start..<(value - 3)])
    return compareBytes(own.assumingMemoryBound(to: UInt8.self), key) == 0
  }

  private func lineFeed(from offset: Int) -> Int {
    var place = offset
    while place < bytes.count, bytes[place] != Sign.lineFeed { place += 1 }
    return place
  }

  /// Returns the offset of the quote after a string's content.
  private func endOfString(from offset: Int) -> Int {
    var place = offset
    while bytes[place] != Sign.quote { place += bytes[place] == Sign.backslash ? 2 : 1 }
    return place
  }

  /// Returns the offset after a value whose line has an indent.
  private func end(of value: Int, indent: Int) -> Int {
    var line = lineFeed(from: value)
    let opening = bytes[value]
    guard opening == Sign.brace || opening == Sign.bracket, line == value + 1 else {
      return bytes[line - 1] == Sign.comma ? line - 1 : line
    }
    // The first line with the indent of the beginning is that of the end.
    while line + 1 + indent < bytes.count, bytes[line + 1 + indent] == Sign.space {
      line = lineFeed(from: line + 1)
    }
    return line + 2 + indent
  }
}

extension CanonicalText {
  /// Returns the string at an offset; nil for any other value.
  func string(at value: Int) -> String? {
    guard bytes[value] == Sign.quote else { return nil }
    let content = bytes[(value + 1)..<endOfString(from: value + 1)]
    guard content.contains(Sign.backslash) else { return String(decoding: content, as: UTF8.self) }
    return parsed(value..<(content.endIndex + 1))?.string
  }

  /// Returns the value of one of the file's own members.
  func ownValue(at value: Int) -> JSON? { json(at: value, indent: Self.outer) }

  /// Returns the value of a member of an object in the file.
  func innerValue(at value: Int) -> JSON? { json(at: value, indent: Self.inner) }

  private func json(at value: Int, indent: Int) -> JSON? {
    let range = value..<end(of: value, indent: indent)
    return switch bytes[value] {
    case Sign.quote: string(at: value).map { .string($0) }
    case Sign.minus, Sign.digits: .number(String(decoding: bytes[range], as: UTF8.self))
    default: parsed(range)
    }
  }

  private func parsed(_ range: Range<Int>) -> JSON? {
    do {
      return try JSON(parsing: Array(bytes[range]))
    } catch {
      // Never, because the whole text is canonical.
      return nil
    }
  }
}

/// The bytes that tell where a value is.
private enum Sign {
  static let lineFeed = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let colon = UInt8(ascii: ":")
  static let comma = UInt8(ascii: ",")
  static let brace = UInt8(ascii: "{")
  static let bracket = UInt8(ascii: "[")
  static let minus = UInt8(ascii: "-")
  static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}
