internal import LarderText

/// A code with which one phone can be paired, in the two forms that people carry to it.
public struct PairingCode: Sendable, Hashable {
  /// 96 random bits, for the address in a picture.
  public let long: String
  /// Eight characters to type, such as `K7M2-9QXD`.
  public let typed: String

  /// How long a code is good, in milliseconds.
  public static let lifetime: Int64 = 300_000

  /// Digits and letters without 0 O 1 I L U, which people mix up.
  private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Creates a code of the system's randomness.
  public init() {
    var generator = SystemRandomNumberGenerator()
    long = base64URL((0..<12).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    var letters = (0..<8).map { _ in Self.alphabet.randomElement(using: &generator) ?? 0x32 }
    letters.insert(0x2d, at: 4)
    typed = String(decoding: letters, as: UTF8.self)
  }

  /// Returns the SHA-256 of what somebody sent: of a long code as it is, of a typed one without
  /// hyphens, spaces and the case of its letters.
  static func digest(of text: String) -> [UInt8] {
    let plain = text.uppercased().utf8.filter { $0 != 0x2d && $0 != 0x20 }
    let isTyped = plain.count == 8
    return SHA256.digest(of: isTyped ? plain : Array(text.utf8))
  }
}

/// A phone that was paired just now.
public struct NewPhone: Sendable, Hashable {
  public let name: String
  public let token: String
}

/// A phone's secret: 32 bytes of the system's randomness.
enum PhoneToken {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return base64URL((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}

/// Returns bytes in the alphabet of base64 for addresses (RFC 4648), without padding.
func base64URL(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  var text: [UInt8] = []
  var bits = 0
  var count = 0
  for byte in bytes {
    bits = (bits & 0xff) << 8 | Int(byte)
    count += 8
    while count >= 6 {
      count -= 6
      text.append(alphabet[bits >> count & 63])
    }
  }
  if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
  return String(decoding: text, as: UTF8.self)
}

/// Whether two digests are equal, in a time that does not tell where they differ.
func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
  guard one.count == other.count else { return false }
  return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
}
