import LarderJSON
internal import LarderText

/// Reads what a ``PackedWriter`` wrote, from an offset on.
///
/// It is valid only while its bytes are. They come from a file with a checksum, so it expects them
/// to be complete.
package struct PackedReader {
  private let bytes: UnsafeRawBufferPointer
  package var offset: Int

  package init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self)
    -> Number
  {
    defer { offset += MemoryLayout<Number>.size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    defer { offset += count }
    return Array(bytes[offset..<(offset + count)])
  }

  mutating func count() -> UInt {
    let byte = bytes[offset]
    guard byte >= 0x80 else {
      offset += 1
      return UInt(byte)
    }
    return count(UInt.self)
  }

  private mutating func count<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type)
    -> Number
  {
    var number: Number = 0
    var shift: Number = 0
    while true {
      let byte = bytes[offset]
      offset += 1
      number |= Number(byte & 0x7f) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
  }

  mutating func signed() -> Int128 {
    let number = count(UInt128.self)
    return Int128(bitPattern: number >> 1) ^ -Int128(bitPattern: number & 1)
  }

  package mutating func text() -> String {
    let head = count()
    return head & 1 == 1 ? uuid().text : text(Int(head >> 1))
  }

  private mutating func text(_ count: Int) -> String {
    defer { offset += count }
    return String(decoding: bytes[offset..<(offset + count)], as: UTF8.self)
  }

  private mutating func uuid() -> PackedUUID {
    defer { offset += 16 }
    let high = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    let low = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
    return PackedUUID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }

  /// Reads a text that is an id.
  mutating func id() -> PackedID {
    let head = count()
    return head & 1 == 1 ? .uuid(uuid()) : .text(bytes(Int(head >> 1)))
  }

  /// Reads a text and returns the number of its bytes.
  mutating func textLength() -> Int {
    let head = count()
    return head & 1 == 1 ? PackedUUID.length : Int(head >> 1)
  }

  mutating func skipText() {
    let head = count()
    offset += head & 1 == 1 ? 16 : Int(head >> 1)
  }

  /// Reads a text and returns whether it is another one.
  mutating func textEquals(_ other: PackedText) -> Bool { compareText(other) == 0 }

  /// Reads a text and returns its order: see ``compareBytes(_:_:)``.
  mutating func compareText(_ other: PackedText) -> Int {
    let head = count()
    guard head & 1 == 1 else {
      let count = Int(head >> 1)
      defer { offset += count }
      let own = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
      return own.withMemoryRebound(to: UInt8.self) { compareBytes($0, other.utf8) }
    }
    let id = uuid()
    guard let wanted = other.uuid else {
      var text = id.text
      return text.withUTF8 { compareBytes($0, other.utf8) }
    }
    return id == wanted ? 0 : (id.high, id.low) < (wanted.high, wanted.low) ? -1 : 1
  }

  mutating func skipValue() {
    offset += 1
    offset += Int(count())
  }

  /// Reads a value; nil for that of a removed field.
  mutating func value() -> JSON? {
    let (tag, end) = valueHead()
    defer { offset = end }
    switch tag {
    case .none: return nil
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .number: return .number(text(end - offset))
    case .string: return .string(text(end - offset))
    case .uuid: return .string(uuid().text)
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

  /// Reads a value if it is a string.
  mutating func string() -> String? {
    let (tag, end) = valueHead()
    defer { offset = end }
    switch tag {
    case .string: return text(end - offset)
    case .uuid: return uuid().text
    case .none, .null, .no, .yes, .number, .array, .object: return nil
    }
  }

  /// Reads a value's tag and returns the offset of its end.
  private mutating func valueHead() -> (tag: PackedTag, end: Int) {
    let tag = PackedTag(rawValue: number()) ?? .none
    let count = Int(count())
    return (tag, offset + count)
  }

  /// Moves into an object, to the value of a member; false if there is none.
  mutating func enter(_ member: FieldName) -> Bool {
    let (tag, end) = valueHead()
    guard tag == .object else { return false }
    return PackedText.with(member.text) { wanted in
      while offset < end {
        if textEquals(wanted) { return true }
        skipValue()
      }
      return false
    }
  }
}

/// A text to compare packed ones with.
struct PackedText {
  let utf8: UnsafeBufferPointer<UInt8>
  let uuid: PackedUUID?

  static func with<Value>(_ text: String, _ body: (PackedText) -> Value) -> Value {
    var text = text
    return text.withUTF8 { body(PackedText(utf8: $0, uuid: PackedUUID($0))) }
  }
}
