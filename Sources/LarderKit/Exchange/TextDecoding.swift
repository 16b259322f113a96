/// The encoding of a file that another program wrote.
public enum TextEncodingName: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case latin1
  case windows1252 = "windows-1252"
}

/// The reason why bytes are not text in an encoding.
public enum DecodingMistake: Error, Equatable, Sendable {
  /// The byte is not valid in the encoding; `line` is from 1.
  case badByte(UInt8, line: Int, TextEncodingName)
  /// A byte is 0, as in UTF-16 without a byte order mark and in files that are not text.
  case notText
  /// The file is a ZIP archive, such as a spreadsheet's own format.
  case spreadsheet
}

extension TextEncodingName {
  /// Returns the text of a file as UTF-8, without a byte order mark.
  ///
  /// Without `encoding`, the file must be UTF-8, or UTF-16 with a byte order mark. Other encodings
  /// can't be told apart, and a wrong guess would spoil names.
  static func decoded(
    _ bytes: [UInt8], as encoding: TextEncodingName? = nil
  ) throws(DecodingMistake) -> [UInt8] {
    guard !bytes.starts(with: [0x50, 0x4B, 3, 4]) else { throw .spreadsheet }
    let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let text: [UInt8] =
      switch encoding ?? (isMarked ? .utf16 : .utf8) {
      case .utf8: try utf8(bytes)
      case .utf16: try utf16(bytes)
      case .latin1: utf8(of: bytes.lazy.map { Unicode.Scalar($0) })
      case .windows1252: try windows1252(bytes)
      }
    guard !text.contains(0) else { throw .notText }
    return text
  }

  private static func utf8(_ bytes: [UInt8]) throws(DecodingMistake) -> [UInt8] {
    let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard let offset = firstBadByte(of: rest) else { return rest }
    throw .badByte(rest[offset], line: line(of: offset, in: rest), .utf8)
  }

  private static func firstBadByte(of bytes: [UInt8]) -> Int? {
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }

  private static func utf16(_ bytes: [UInt8]) throws(DecodingMistake) -> [UInt8] {
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    let isMarked = isBigEndian || bytes.starts(with: [0xFF, 0xFE])
    let units = stride(from: isMarked ? 2 : 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      throw .badByte(bytes.last ?? 0, line: units.count { $0 == 10 } + 1, .utf16)
    }
    return Array(text.utf8)
  }

  private static func windows1252(_ bytes: [UInt8]) throws(DecodingMistake) -> [UInt8] {
    let none = bytes.firstIndex { (0x80...0x9F).contains($0) && upper[Int($0) - 0x80] == 0 }
    if let none { throw .badByte(bytes[none], line: line(of: none, in: bytes), .windows1252) }
    return utf8(
      of: bytes.lazy.map { byte in
        let code = (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : UInt16(byte)
        return Unicode.Scalar(code) ?? " "
      })
  }

  /// The characters of windows-1252 from 0x80 to 0x9F; 0 for undefined ones.
  private static let upper: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  private static func utf8(of scalars: some Sequence<Unicode.Scalar>) -> [UInt8] {
    scalars.flatMap { Array(UTF8.encode($0) ?? .init()) }
  }

  private static func line(of offset: Int, in bytes: [UInt8]) -> Int {
    bytes[..<offset].count { $0 == 10 } + 1
  }
}
