import LarderJSON

/// Writes numbers, texts and JSON values one after the other, without padding.
///
/// Every text and every value begins with its length, so a reader can skip it.
package struct PackedWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Writes a number with its fixed width, little-endian.
  package mutating func number(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes a number in as many bytes as it needs: seven bits each, the lowest first.
  mutating func count(_ number: some FixedWidthInteger & UnsignedInteger) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a number in as many bytes as its absolute value needs.
  mutating func signed(_ number: Int128) {
    count(UInt128(bitPattern: number << 1 ^ number >> 127))
  }

  package mutating func text(_ text: String) {
    if let id = PackedUUID(text) {
      count(1 as UInt)
      append(id)
      return
    }
    var text = text
    text.withUTF8 { utf8 in
      count(UInt(utf8.count) << 1)
      bytes.append(contentsOf: utf8)
    }
  }

  /// Writes a value: a tag, the length of the rest, and the rest.
  mutating func value(_ json: JSON?) {
    var rest = PackedWriter()
    let tag: PackedTag
    switch json {
    case nil: tag = .none
    case .null: tag = .null
    case .bool(let truth): tag = truth ? .yes : .no
    case .number(let text):
      tag = .number
      rest.append(text.utf8)
    case .string(let text):
      if let id = PackedUUID(text) {
        tag = .uuid
        rest.append(id)
      } else {
        tag = .string
        rest.append(text.utf8)
      }
    case .array(let elements):
      tag = .array
      for element in elements { rest.value(element) }
    case .object(let members):
      tag = .object
      for member in members {
        rest.text(member.key)
        rest.value(member.value)
      }
    }
    bytes.append(tag.rawValue)
    count(UInt(rest.bytes.count))
    append(rest.bytes)
  }

  package mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

  private mutating func append(_ id: PackedUUID) {
    withUnsafeBytes(of: id.high.bigEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: id.low.bigEndian) { bytes.append(contentsOf: $0) }
  }

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
  /// A string that is a UUID.
  case uuid
}

/// A text that is a UUID in lower case, in 16 bytes; their order is that of the texts.
struct PackedUUID: Hashable {
  let high: UInt64
  let low: UInt64

  static let length = 36
  private static func isHyphen(_ place: Int) -> Bool {
    place == 8 || place == 13 || place == 18 || place == 23
  }

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init?(_ text: String) {
    guard text.utf8.count == Self.length else { return nil }
    var text = text
    guard let id = text.withUTF8({ PackedUUID($0) }) else { return nil }
    self = id
  }

  init?(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard utf8.count == Self.length else { return nil }
    var (high, low) = (0 as UInt64, 0 as UInt64)
    for (place, byte) in utf8.enumerated() {
      if Self.isHyphen(place) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
    self.init(high: high, low: low)
  }

  var text: String {
    String(unsafeUninitializedCapacity: Self.length) { target in
      let target = UnsafeMutableRawBufferPointer(target)
      func write(_ digits: UInt64, at place: Int) {
        target.storeBytes(of: digits.bigEndian, toByteOffset: place, as: UInt64.self)
      }
      // Eight digits each time; a group's later digits are written over by the next group.
      write(hexDigits(high >> 32), at: 0)
      write(hexDigits(high), at: 9)
      write(hexDigits(high << 16), at: 14)
      write(hexDigits(low >> 32), at: 19)
      write(hexDigits(low >> 16), at: 24)
      write(hexDigits(low), at: 28)
      for place in [8, 13, 18, 23] { target[place] = UInt8(ascii: "-") }
      return Self.length
    }
  }
}

/// An id, compared by its bytes.
enum PackedID: Hashable {
  case uuid(PackedUUID)
  case text([UInt8])

  init(_ id: String) {
    self = PackedUUID(id).map { .uuid($0) } ?? .text(Array(id.utf8))
  }
}

/// Returns the lower 32 bits of a number as eight hexadecimal digits in ASCII, the first in the
/// highest byte.
private func hexDigits(_ number: UInt64) -> UInt64 {
  var digits = number & 0xFFFF_FFFF
  digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
  digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
  digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
  let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
  return digits + 0x3030_3030_3030_3030 + letters
    * UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
}
