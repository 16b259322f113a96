internal import LarderJSON

/// The number of a barcode: a GTIN of 8, 12, 13 or 14 digits, the last of which is a check digit.
///
/// Leading zeros don't matter: the 12 digits of a UPC-A and the 13 of its EAN-13 are equal, because
/// both are padded to 14. Source: GS1 General Specifications, 7.9.1 for the check digit.
public struct Barcode: Hashable, Sendable, CustomStringConvertible {
  private static let prefix = "ean_"

  private let number: UInt64

  /// Reads a number as printed, or a product id made of one, such as `ean_5032987400110`.
  ///
  /// Nil for other characters or another number of digits. A number with a wrong check digit is
  /// read too: see ``isSound``.
  public init?(_ text: String) {
    let digits = text.utf8.dropFirst(text.hasPrefix(Self.prefix) ? Self.prefix.utf8.count : 0)
    guard [8, 12, 13, 14].contains(digits.count),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    number = digits.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
  }

  /// Whether the check digit is right.
  public var isSound: Bool { lastDigit == checkDigit }

  /// The last digit of the number.
  public var lastDigit: Int { Int(number % 10) }

  /// The correct check digit, computed from the other digits with weights 3 and 1 in turn from the
  /// right.
  public var checkDigit: Int {
    var rest = number / 10
    var weight = 3
    var sum = 0
    while rest > 0 {
      sum += Int(rest % 10) * weight
      rest /= 10
      weight = 4 - weight
    }
    return (10 - sum % 10) % 10
  }

  /// The number in its shortest usual form: 8, 13 or 14 digits.
  public var description: String {
    let digits = String(number)
    let length = [8, 13].first { digits.utf8.count <= $0 } ?? 14
    return String(repeating: "0", count: length - digits.utf8.count) + digits
  }

  /// The id of a product of which only the number is known; it is the same on every device.
  public var productID: String { Self.prefix + description }
}

extension Entity {
  /// The numbers of a product: its id, which may be made of one, and its barcodes.
  public var numbers: [String] {
    let listed = self[.barcodes]?.array?.compactMap(\.string) ?? []
    return kind == .product ? [id] + listed : []
  }

  /// Whether one of a product's numbers is this barcode, in any form.
  public func has(_ barcode: Barcode) -> Bool {
    numbers.contains { Barcode($0) == barcode }
  }
}
