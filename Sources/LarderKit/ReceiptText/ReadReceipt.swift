public import LarderModel

/// The content that was read from a receipt's text.
public struct ReadReceipt: Equatable, Sendable {
  /// The printed name of the shop; empty if none was found.
  public var shop = ""
  /// The lines above the first thing, which include the shop's name.
  public var head: [String] = []
  /// The day of the purchase; nil if none is printed.
  public var day: Day?
  /// The day with its month and day exchanged, if nothing on the receipt says which comes first.
  public var otherDay: Day?
  /// The minutes from midnight to the purchase; nil if no time is printed.
  public var minutes: Int?
  /// All lines that count for the total, in the order of the text.
  public var lines: [ReadLine] = []
  /// The taxes that the prices include.
  public var includedTaxes: [ReadLine] = []
  /// The printed total; nil if none was found.
  public var total: Number?
  /// The digits of the numbers that the till and the card terminal gave to the receipt, one of each
  /// kind, the surest first.
  public var numbers: [String] = []
  /// The currency (ISO 4217) of all amounts; nil if none is printed.
  public var currency: String?

  public init() {}

  /// The sum of the lines.
  public var sum: Number { lines.map(\.amount).reduce(.zero, +) }

  /// The printed total minus the sum of the lines; nil without a total.
  public var difference: Number? { total.map { $0 - sum } }

  /// The indices of doubtful lines.
  public var doubtfulPlaces: Set<Int> { Set(lines.indices.filter { lines[$0].isDoubtful }) }

  /// Whether the sum of the lines is exactly the printed total.
  public var addsUp: Bool { !lines.isEmpty && difference == .zero }
}

/// A line that was read from a receipt's text.
public struct ReadLine: Equatable, Sendable {
  public enum Kind: String, Equatable, Sendable {
    /// A thing that was bought.
    case item
    case discount, deposit, tax, rounding, fee
  }

  /// The number of the line in the text, from 1.
  public var line: Int
  public var kind: Kind
  /// The printed name, without quantities, codes and tax marks; it may be empty.
  public var name: String
  /// The printed barcode (GTIN).
  public var barcode: String?
  /// The quantity; 1 if none is printed.
  public var quantity: Number
  /// The unit of the quantity; nil for pieces.
  public var unit: Unit?
  public var unitPrice: Number?
  /// The amount that the line adds to the total; below zero for discounts and returned deposits.
  public var amount: Number
  /// Whether the printed numbers contradict the quantity, or nothing says that it is one.
  public var isCountDoubtful: Bool
  /// Whether its quantity is doubtful, or its sign or name is not printed.
  public var isDoubtful: Bool
}
