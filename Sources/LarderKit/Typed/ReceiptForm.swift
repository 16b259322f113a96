public import LarderModel

/// A receipt as a text that people write in an editor.
///
///     Shop: Greenway Market
///     Paid: 2026-11-20 18:30
///     Amount: 23.05 EUR
///
///     2 l Milk @@ 3.30
///     12 Eggs @@ 2.99
///     1 Jam
///
/// A thing is an amount, a name, and the price of one after `@` or of all after `@@`; the amount and
/// the price may be missing. A name that would be read differently is in double quotes. Empty lines, and lines that begin with
/// `#`, are ignored.
public struct ReceiptForm: Equatable, Sendable {
  /// The shop; empty if it is not known yet.
  public var shop: String
  /// The time of the payment, to the minute; nil if it is missing.
  public var paid: Instant?
  public var amount: TypedMoney?
  /// How the day of the payment was completed, if that is far away.
  public internal(set) var completedDay: CompletedDay?
  public var lines: [TypedLine]

  public init(
    shop: String = "", paid: Instant? = nil, amount: TypedMoney? = nil, lines: [TypedLine] = []
  ) {
    self.shop = shop
    self.paid = paid
    self.amount = amount
    self.lines = lines
  }

  /// Creates the form of a receipt.
  public init(of receipt: Receipt, in survey: Survey) {
    shop = formName(receipt.shop)
    paid = survey.calendar.instant(typed: survey.calendar.text(of: receipt.timestamp))
    amount = receipt.amount.map { TypedMoney($0, receipt.currency) }
    lines = receipt.lines.map { line in
      let item = line.itemID.flatMap { survey.household[.stockItem, $0] }
      let quantity = Quantity(line.quantity, line.unit ?? item?.unit ?? .piece)
      return TypedLine(
        formName(line.itemName), quantity: TypedQuantity(shown: quantity), price: line.price)
    }
  }

  /// The words before the header fields.
  enum Field: String, CaseIterable {
    case shop = "Shop"
    case paid = "Paid"
    case amount = "Amount"
  }
}

extension ReceiptForm {
  /// Returns the text, with remarks at its end, followed by things that may be added.
  ///
  /// `doubts` has remarks above lines, by their places.
  public func text(
    in survey: Survey, remarks: [String] = [], offers: [TypedLine] = [],
    doubts: [Int: String] = [:]
  ) -> String {
    let reader = ReceiptFormReader(survey)
    let time = paid.map { survey.calendar.text(of: $0) }
    let fields: [(Field, String?)] = [
      (.shop, shop), (.paid, time), (.amount, amount?.description),
    ]
    let written = fields.map { field, value in spaced("\(field.rawValue): \(value ?? "")") }
    let offered =
      offers.isEmpty ? [] : ["", "On the shopping list; remove the # before what was bought:"]
    let notes =
      remarks.map(spaced) + offered + offers.map { text(of: $0, reader) }
    let things = lines.enumerated().flatMap { place, line in
      [doubts[place].map { spaced("# \($0)") }, text(of: line, reader)].compactMap(\.self)
    }
    let parts = [written, things, notes.map { spaced("# \($0)") }]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  /// Returns a line.
  ///
  /// The name is in quotes if the line would be read differently without them, or if an amount
  /// stands before a name that begins with a number.
  private func text(of line: TypedLine, _ reader: ReceiptFormReader) -> String {
    let quantity = line.quantity.map { Quantity($0.value, $0.unit ?? .piece).description + " " }
    let price =
      line.price.map { (line.isEach ? " @ " : " @@ ") + TypedMoney($0, amount?.currency).number }
      ?? ""
    let plain = (quantity ?? "") + line.name + price
    let hasNumbers = line.quantity != nil && line.name.first?.isNumber ?? false
    guard !hasNumbers, reader.thing(plain) == line else {
      return (quantity ?? "") + QuotedName.text(line.name) + price
    }
    return plain
  }
}
