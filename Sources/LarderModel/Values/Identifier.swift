internal import LarderText

/// The ids of entities and ledger entries.
public enum Identifier {
  /// The namespace of all version 5 ids of the format.
  public static let namespace = "6c617264-6572-5000-8000-666f726d6174"
  private static let namespaceBytes: [UInt8] =
    [0x6c, 0x61, 0x72, 0x64, 0x65, 0x72, 0x50, 0x00, 0x80, 0x00] + Array("format".utf8)

  /// Returns the version 5 id (RFC 9562) for some parts: the same parts give the same id on every
  /// device.
  ///
  /// The parts are joined with `/`. Instants and numbers must be in canonical form.
  public static func derived(from parts: String...) -> String {
    derived(fromName: parts.joined(separator: "/"))
  }

  public static func derived(fromName name: String) -> String {
    let digest = SHA1.digest(of: Array(name.utf8)[...], after: namespaceBytes)
    return text(of: Array(digest.prefix(16)), version: 5)
  }

  /// Returns a new version 7 id (RFC 9562): the milliseconds of the time, then random bits.
  public static func random(at now: Instant) -> String {
    var bytes = [UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max)].flatMap {
      half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * $0)) }
    }
    for index in 0..<6 {
      bytes[index] = UInt8(truncatingIfNeeded: now.milliseconds >> (8 * (5 - index)))
    }
    return text(of: bytes, version: 7)
  }

  /// Whether a text has the form of a UUID.
  ///
  /// Upper case is accepted, and rewritten to lower case elsewhere.
  public static func isUUID(_ text: String) -> Bool {
    form(of: text) != .other
  }

  enum Form {
    /// A UUID in lower case, as in all files written by Larder.
    case canonical
    case withUpperCase
    case other
  }

  static func form(of text: String) -> Form {
    var copy = text
    return copy.withUTF8 { bytes in
      guard bytes.count == 36 else { return .other }
      var hasUpperCase = false
      for (index, byte) in bytes.enumerated() {
        switch (index, byte) {
        case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")),
          (23, UInt8(ascii: "-")):
          break
        case (8, _), (13, _), (18, _), (23, _): return .other
        case (_, 0x30...0x39), (_, 0x61...0x66): break
        case (_, 0x41...0x46): hasUpperCase = true
        default: return .other
        }
      }
      return hasUpperCase ? .withUpperCase : .canonical
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)

  /// Returns 16 bytes as the text of a UUID of a version.
  private static func text(of bytes: [UInt8], version: UInt8) -> String {
    var bytes = bytes
    bytes[6] = version << 4 | (bytes[6] & 0x0f)
    bytes[8] = 0x80 | (bytes[8] & 0x3f)
    var digits: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { digits.append(UInt8(ascii: "-")) }
      digits.append(hexDigits[Int(byte >> 4)])
      digits.append(hexDigits[Int(byte & 15)])
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
