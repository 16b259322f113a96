/// The text of a receipt in a file.
public enum ReceiptBytes {
  /// The largest number of bytes of a text or a picture that is read: 16 MiB.
  public static let most = 16 << 20

  /// The format of a file, which its first bytes tell.
  public enum Format: String, Sendable {
    case text, pdf, picture
    /// A picture format that the text recognition can't read.
    case heic
    case archive
  }

  /// The reason why bytes are not text.
  public enum Mistake: Error, Equatable, Sendable {
    /// The text is not UTF-8. The name of its encoding is as `iconv` calls it; nil if it is not
    /// known.
    case encoding(String?)
    /// The bytes have zeros or other control characters, so they are not text.
    case noText
    case tooLarge
    /// The text has more lines than ``ReceiptTextReader/mostLines``.
    case tooManyLines
  }

  /// Returns the format of a file.
  public static func format(of bytes: [UInt8]) -> Format {
    let starts = { (prefix: [UInt8]) in bytes.starts(with: prefix) }
    if bytes.prefix(1024).split(separator: UInt8(ascii: "%")).contains(where: {
      $0.starts(with: "PDF-".utf8)
    }) {
      return .pdf
    }
    let pictures: [[UInt8]] = [
      [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A],
      [0x47, 0x49, 0x46, 0x38], [0x42, 0x4D],
    ]
    if pictures.dropLast().contains(where: starts) { return .picture }
    if starts([0x42, 0x4D]), bytes.prefix(64).contains(0) { return .picture }
    if starts(Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .picture }
    if bytes.dropFirst(4).starts(with: "ftyp".utf8) { return .heic }
    if starts([0x50, 0x4B, 3, 4]) || starts([0x1F, 0x8B]) { return .archive }
    return .text
  }

  /// Returns the text of bytes, which must be UTF-8.
  public static func text(_ bytes: [UInt8]) throws(Mistake) -> String {
    guard bytes.count <= most else { throw .tooLarge }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw .encoding("UTF-16")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw bytes.contains(0) ? .noText : .encoding(encoding(of: bytes))
    }
    // Lines that were read one by one have this character where they were not UTF-8.
    guard !text.unicodeScalars.contains("\u{FFFD}") else { throw .encoding(nil) }
    guard !bytes.contains(0) else { throw .noText }
    let breaks = bytes.count { $0 == 0x0A || $0 == 0x0C }
    guard breaks <= ReceiptTextReader.mostLines else { throw .tooManyLines }
    return text
  }

  /// Returns the likely encoding: Shift-JIS if all bytes are valid in it and some are kana.
  private static func encoding(of bytes: [UInt8]) -> String {
    var kana = 0
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case 0x81...0x9F, 0xE0...0xFC:
        guard index + 1 < bytes.count, (0x40...0xFC).contains(bytes[index + 1]),
          bytes[index + 1] != 0x7F
        else { return "WINDOWS-1252" }
        if bytes[index] == 0x82 || bytes[index] == 0x83 { kana += 1 }
        index += 2
      case 0x80, 0xA0, 0xFD...0xFF: return "WINDOWS-1252"
      default: index += 1
      }
    }
    return kana > 1 ? "SHIFT_JIS" : "WINDOWS-1252"
  }
}
