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

  private init(number: UInt64) { self.number = number }

  /// Reads a number as people write it and spreadsheets leave it: also the eight digits of a UPC-E,
  /// and the eleven of a UPC-A without its first zero, if the check digit proves it.
  public init?(written text: String) {
    let digits = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
    if let barcode = Barcode(digits) {
      let long = digits.utf8.count == 8 && !barcode.isSound ? Self.expanded(barcode.number) : nil
      self = long.flatMap { $0.isSound ? $0 : nil } ?? barcode
    } else if digits.utf8.count == 11, let barcode = Barcode("0" + digits), barcode.isSound {
      self = barcode
    } else {
      return nil
    }
  }

  /// Returns all barcodes that a written number may mean, the surest first.
  ///
  /// Beside ``init(written:)`` it may lack more zeros, or be a UPC-E without its check digit, or
  /// without that and the number system, too. That is meant only if something has the number.
  public static func readings(of text: String) -> [Barcode] {
    var found = Barcode(written: text).map { [$0] } ?? []
    guard (6...11).contains(text.utf8.count), let whole = Barcode(padding: text) else {
      return found
    }
    var all: [Barcode?] = [whole]
    if text.utf8.count < 9 { all.append(expanded(whole.number)) }
    if text.utf8.count < 8 {
      all.append(
        expanded(whole.number * 10).map { Barcode(number: $0.number + UInt64($0.checkDigit)) })
    }
    for case let barcode? in all where barcode.isSound && !found.contains(barcode) {
      found.append(barcode)
    }
    return found
  }

  /// Whether a stored number may mean this barcode: eight digits may be an EAN-8 and a UPC-E alike.
  public func isMeant(by text: String) -> Bool {
    let digits = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
    return Barcode(written: digits) == self
      || (digits.utf8.count == 8 && Self.readings(of: digits).contains(self))
  }

  private init?(padding digits: String) {
    self.init(String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits)
  }

  /// Returns the UPC-A of the eight digits of a UPC-E; nil if its first digit is neither 0 nor 1.
  ///
  /// Source: GS1 General Specifications, 5.2.2.4.2, on the zeros that a UPC-E leaves out.
  private static func expanded(_ short: UInt64) -> Barcode? {
    let (system, middle, check) = (short / 10_000_000, short / 10 % 1_000_000, short % 10)
    guard system < 2 else { return nil }
    let last = middle % 10
    let long: UInt64 =
      switch last {
      case 0...2: middle / 10_000 * 100_000_000 + last * 10_000_000 + middle / 10 % 1000
      case 3: middle / 1000 * 10_000_000 + middle / 10 % 100
      case 4: middle / 100 * 1_000_000 + middle / 10 % 10
      default: middle / 10 * 100_000 + last
      }
    return Barcode(number: system * 100_000_000_000 + long * 10 + check)
  }

  /// The digits of a number as products have them: those of a short form in full, any other text as
  /// it is.
  public static func digits(of text: String) -> String {
    guard let barcode = Barcode(written: text) else { return text }
    if !text.hasPrefix(prefix), barcode == Barcode(text) { return text }
    let whole = barcode.description
    return text.hasPrefix(prefix) || !whole.hasPrefix("0") ? whole : String(whole.dropFirst())
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
    numbers.contains(where: barcode.isMeant)
  }
}
