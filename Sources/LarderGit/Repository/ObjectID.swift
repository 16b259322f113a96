internal import Clibgit2

/// The id of a git object: the 20 bytes of its SHA-1.
public struct ObjectID: Hashable, Sendable, Comparable, CustomStringConvertible {
  // Three big-endian numbers instead of an array: no allocation, and fast to hash and compare.
  private let first: UInt64
  private let second: UInt64
  private let third: UInt32

  /// Reads 40 hexadecimal digits, upper or lower case; nil for anything else.
  public init?(hex: String) {
    let digits = hex.utf8
    guard digits.count == 40 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20)
    var high: UInt8?
    for digit in digits {
      guard let value = Self.value(ofDigit: digit) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    self.init(bytes: bytes[...])
  }

  /// Takes exactly 20 raw bytes; nil for any other count.
  public init?(bytes: ArraySlice<UInt8>) {
    guard bytes.count == 20 else { return nil }
    self = bytes.withUnsafeBytes { Self(raw: $0) }
  }

  init(_ oid: git_oid) {
    self = withUnsafeBytes(of: oid) { Self(raw: $0) }
  }

  init(_ oid: UnsafePointer<git_oid>) {
    self.init(oid.pointee)
  }

  /// Takes the first 20 of the bytes.
  init(raw: UnsafeRawBufferPointer) {
    first = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    second = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    third = UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
  }

  /// The 20 raw bytes.
  public var bytes: [UInt8] {
    var oid = self.oid
    return withUnsafeBytes(of: &oid) { [UInt8]($0) }
  }

  /// The 40 hexadecimal digits, lower case.
  public var hex: String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: 40) { target in
      for (index, byte) in bytes.enumerated() {
        target[2 * index] = digits.utf8Start[Int(byte >> 4)]
        target[2 * index + 1] = digits.utf8Start[Int(byte & 15)]
      }
      return 40
    }
  }

  /// The first seven hexadecimal digits, for display.
  public var short: String { String(hex.prefix(7)) }

  /// The 40 hexadecimal digits.
  public var description: String { hex }

  /// Compares the raw bytes, which is also the order of the hexadecimal digits.
  public static func < (left: ObjectID, right: ObjectID) -> Bool {
    (left.first, left.second, left.third) < (right.first, right.second, right.third)
  }

  /// The id as libgit2's type.
  var oid: git_oid {
    var result = git_oid()
    withUnsafeMutableBytes(of: &result) { target in
      target.storeBytes(of: first.bigEndian, toByteOffset: 0, as: UInt64.self)
      target.storeBytes(of: second.bigEndian, toByteOffset: 8, as: UInt64.self)
      target.storeBytes(of: third.bigEndian, toByteOffset: 16, as: UInt32.self)
    }
    return result
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
