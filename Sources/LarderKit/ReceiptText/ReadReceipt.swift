public import LarderModel

/// The content of a receipt's text.
public struct ReadReceipt: Equatable, Sendable {
  /// The shop's name as it is printed; empty if none was found.
  public var shop = ""
  /// The lines above the first thing, among which the shop is.
  public var head: [String] = []
  /// The day of the purchase; nil if none is printed.
  public var day: Day?
  /// The minutes from midnight to the purchase; nil if no time is printed.
  public var minutes: Int?
  /// All that counts for the total, in the order of the text.
  public var lines: [ReadLine] = []
  /// Taxes that are in the prices already.
  public var includedTaxes: [ReadLine] = []
  /// The total that is printed; nil if none was found.
  public var total: Number?
  /// The currency (ISO 4217) of all amounts; nil if none is printed.
  public var currency: String?

  public init() {}

  /// The sum of the lines.
  public var sum: Number { lines.map(\.amount).reduce(.zero, +) }

  /// The printed total less the sum of the lines; nil without a total.
  public var difference: Number? { total.map { $0 - sum } }

  /// The places of the lines that are doubtful.
  public var doubtfulPlaces: Set<Int> { Set(lines.indices.filter { lines[$0].isDoubtful }) }

  /// Whether the lines make the printed total, to the cent.
  public var addsUp: Bool { !lines.isEmpty && difference == .zero }
}

/// A line that a receipt's text has.
public struct ReadLine: Equatable, Sendable {
  public enum Kind: String, Equatable, Sendable {
    /// A thing that was bought.
    case item
    case discount, deposit, tax, rounding, fee
  }

  /// The number of the line in the text, from 1.
  public var line: Int
  public var kind: Kind
  /// The name as it is printed, without quantities, codes and marks of the tax; it may be empty.
  public var name: String
  /// The barcode (GTIN) that is printed with it.
  public var barcode: String?
  /// How many or how much; 1 where nothing is printed.
  public var quantity: Number
  /// The unit of the quantity; nil for pieces.
  public var unit: Unit?
  public var unitPrice: Number?
  /// The amount that it adds to the total; below zero for discounts and returned deposits.
  public var amount: Number
  /// Whether its numbers don't agree with each other, or its sign or name is not printed.
  public var isDoubtful: Bool
}
