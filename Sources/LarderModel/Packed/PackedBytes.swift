import LarderJSON

/// Writes numbers, texts and JSON values one after the other, without padding.
///
/// Numbers are little-endian. Every text and every value begins with its length, so a reader can
/// skip it.
package struct PackedWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func number(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      number(UInt32(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  mutating func text(_ text: String?) {
    number(UInt8(text == nil ? 0 : 1))
    if let text { self.text(text) }
  }

  /// Writes a value: a tag, the length of the rest, and the rest.
  mutating func value(_ json: JSON?) {
    guard let json else {
      number(PackedTag.none.rawValue)
      number(0 as UInt32)
      return
    }
    number(PackedTag(json).rawValue)
    let start = bytes.count
    number(0 as UInt32)
    switch json {
    case .null, .bool: break
    case .string(let text), .number(let text): bytes.append(contentsOf: text.utf8)
    case .array(let elements):
      for element in elements { value(element) }
    case .object(let members):
      for member in members {
        text(member.key)
        value(member.value)
      }
    }
    fill(UInt32(bytes.count - start - 4), at: start)
  }

  package mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

  /// Writes a number over the placeholder at an offset.
  mutating func fill(_ number: UInt32, at offset: Int) {
    withUnsafeBytes(of: number.littleEndian) { source in
      for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
    }
  }
}

/// The kind of a packed value.
enum PackedTag: UInt8 {
  /// A removed field.
  case none
  case null, no, yes, number, string, array, object

  init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let truth): self = truth ? .yes : .no
    case .number: self = .number
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }
}

/// Reads what a ``PackedWriter`` wrote, from an offset on.
///
/// The bytes come from a file with a checksum, so the reader expects them to be complete.
package struct PackedReader {
  package let bytes: [UInt8]
  package var offset: Int

  package init(bytes: [UInt8], offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self)
    -> Number
  {
    precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= bytes.count)
    defer { offset += MemoryLayout<Number>.size }
    return bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }

  package mutating func text() -> String {
    let count = Int(number(UInt32.self))
    return text(count)
  }

  mutating func optionalText() -> String? { number(UInt8.self) == 0 ? nil : text() }

  private mutating func text(_ count: Int) -> String {
    defer { offset += count }
    return String(decoding: bytes[offset..<(offset + count)], as: UTF8.self)
  }

  mutating func skipText() { offset += Int(number(UInt32.self)) }

  /// Reads a text and returns whether it has the same bytes as another.
  mutating func textEquals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    let count = Int(number(UInt32.self))
    defer { offset += count }
    guard count == other.count else { return false }
    return bytes.withUnsafeBytes { $0[offset..<(offset + count)].elementsEqual(other) }
  }

  /// Reads a text and returns its order: see ``compareBytes(_:_:)``.
  mutating func compareText(_ other: UnsafeBufferPointer<UInt8>) -> Int {
    let count = Int(number(UInt32.self))
    defer { offset += count }
    return bytes.withUnsafeBufferPointer { all in
      compareBytes(UnsafeBufferPointer(rebasing: all[offset..<(offset + count)]), other)
    }
  }

  mutating func skipValue() {
    offset += 1
    offset += Int(number(UInt32.self))
  }

  /// Reads a value; nil for that of a removed field.
  mutating func value() -> JSON? {
    let tag = PackedTag(rawValue: number()) ?? .none
    let count = Int(number(UInt32.self))
    let end = offset + count
    switch tag {
    case .none: return nil
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .number: return .number(text(count))
    case .string: return .string(text(count))
    case .array:
      var elements: [JSON] = []
      while offset < end { if let element = value() { elements.append(element) } }
      return .array(elements)
    case .object:
      var members: [JSONMember] = []
      while offset < end {
        let key = text()
        if let value = value() { members.append(JSONMember(key, value)) }
      }
      return .object(members)
    }
  }

  /// Moves into an object, to the value of a member; false if there is none.
  mutating func enter(_ member: FieldName) -> Bool {
    guard PackedTag(rawValue: number()) == .object else { return false }
    let end = Int(number(UInt32.self)) + offset
    var name = member.text
    return name.withUTF8 { wanted in
      while offset < end {
        if textEquals(wanted) { return true }
        skipValue()
      }
      return false
    }
  }

  /// Reads the value if it is a string.
  mutating func string() -> String? {
    guard PackedTag(rawValue: number()) == .string else { return nil }
    return text()
  }
}

/// Returns the order of two texts by their bytes: below zero if the first comes first.
package func compareBytes(
  _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
) -> Int {
  for place in 0..<min(one.count, other.count) where one[place] != other[place] {
    return one[place] < other[place] ? -1 : 1
  }
  return one.count - other.count
}

/// Returns the index at which `order` is zero: it is below zero before that, and above zero after
/// it.
package func binarySearch(_ range: Range<Int>, _ order: (Int) -> Int) -> Int? {
  var (low, high) = (range.lowerBound, range.upperBound)
  while low < high {
    let middle = (low + high) / 2
    let found = order(middle)
    if found == 0 { return middle }
    if found < 0 { low = middle + 1 } else { high = middle }
  }
  return nil
}
