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
  /// Whether it may add its amount or take it off: a discount without a minus, or a thing with one.
  public var isSignDoubtful = false
  /// Whether its quantity or its sign is doubtful, or its name is not printed.
  public var isDoubtful: Bool
}

/// The reader of receipts' texts.
///
/// It knows how receipts are printed in general, but no single shop. Arithmetic decides: a line's
/// quantity and price count if their product is its amount, and the lines count if their sum is the
/// total. If a text can be read in several ways, the one that adds up is used. If none adds up, the
/// result has a difference.
public struct ReceiptTextReader: Sendable {
  /// The household's calendar, whose day tells which days can be the day of a purchase.
  public var calendar: HouseholdCalendar
  /// The household's currency, which tells the meaning of `$` and whether the month comes before
  /// the day.
  public var currency: String?

  /// The largest number of lines that are read.
  public static let mostLines = 5000

  public init(_ calendar: HouseholdCalendar, currency: String? = nil) {
    self.calendar = calendar
    self.currency = currency
  }

  /// Reads a text; lines after ``mostLines`` are ignored.
  public func read(_ text: String) -> ReadReceipt {
    let printed = PrintedText.lines(of: text, atMost: Self.mostLines)
    let grouped = LineVersion.grouped(printed)
    let receipt = readVersions(of: grouped)
    guard !receipt.addsUp, grouped != printed else { return receipt }
    // `2 179,00` may be a quantity and a price, but before a total there is no quantity.
    let apart = readVersions(of: printed)
    return apart.addsUp && apart.total == receipt.total ? apart : receipt
  }

  /// Reads lines in the first version that adds up.
  private func readVersions(of lines: [String]) -> ReadReceipt {
    let style = NumberStyle(of: lines.joined(separator: "\n"))
    let versions = LineVersion.all(of: lines, style)
    let readings = versions.lazy.map { (lines: $0.lines, read: read($0.lines, $0.style)) }
    let best = readings.first { $0.read.receipt.addsUp } ?? readings[0]
    return finished(best.read.receipt, best.lines, best.read.firstLine)
  }

  /// Reads lines in order, and returns the index of the first one with an amount.
  private func read(
    _ lines: [String], _ style: NumberStyle
  ) -> (receipt: ReadReceipt, firstLine: Int) {
    let printed = lines.enumerated().flatMap { index, line in
      Self.parts(of: line, style).map { PrintedLine($0, number: index + 1, style) }
    }
    let layout = RowLayout(of: printed, style)
    let reader = RowReader(style, layout)
    let rows = printed.map { reader.row($0) }
    let taxes = TaxTable.places(in: printed, rows, style)
    let joined = RowJoiner(
      rows.indices.filter { !taxes.contains($0) }.compactMap { rows[$0] })
    let money = Self.currency(in: printed)
    let scale = PrintedScale.measure(
      in: printed, currency: money == nil ? currency : known(money))
    let weighed = joined.rows.map { $0.weighed(in: scale) }
    var receipt = ReceiptSum(weighed, unreadTotals: joined.unreadTotals).receipt
    receipt.check(articles: layout.articles)
    receipt.currency = receipt.currency ?? money
    return (receipt, (joined.rows.first?.line ?? lines.count) - 1)
  }

  /// Returns the parts of a line with several amounts side by side: `Total 12.00   Cash 20.00`.
  private static func parts(of line: String, _ style: NumberStyle) -> [String] {
    let printed = PrintedLine(line, number: 1, style)
    let amounts = Set(
      printed.pieces.filter { $0.number?.decimals == style.decimals }.map(\.word))
    guard amounts.count > 1 else { return [line] }
    let reader = RowReader(style, RowLayout())
    var parts: [[String]] = [[]]
    for (place, word) in printed.words.enumerated() {
      // A word after an amount begins the next part; a tax mark does not.
      if amounts.contains(place - 1), word.filter(\.isLetter).count > 2 { parts.append([]) }
      parts[parts.count - 1].append(word)
    }
    let texts = parts.map { $0.joined(separator: " ") }
    let areSums = texts.allSatisfy { text in
      guard let row = reader.row(PrintedLine(text, number: 1, style)), row.amount != nil else {
        return false
      }
      return row.hasName && ![.item, .discount, .deposit].contains(row.kind)
    }
    return areSums ? texts : [line]
  }

  /// Returns the currency of most amounts.
  private static func currency(in lines: [PrintedLine]) -> String? {
    let codes = lines.flatMap(\.pieces).compactMap { piece -> String? in
      if case .currency(let code) = piece.kind { code } else { piece.number?.currency }
    }
    let counts = Dictionary(grouping: codes) { $0 }.mapValues(\.count)
    let sign = lines.lazy.flatMap(\.text).first { "€£₹".contains($0) }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      ?? sign.flatMap { PrintedCurrency.code(String($0)) }
  }

  /// Returns the currency that a sign of several countries means.
  private func known(_ printed: String?) -> String? {
    switch printed {
    case "$": TypedMoney.dollar(in: currency ?? "")
    case "kr": ["SEK", "NOK", "DKK", "ISK"].first { $0 == currency } ?? printed
    default: printed
    }
  }

  /// Adds the shop, the day and the currency.
  private func finished(_ read: ReadReceipt, _ lines: [String], _ first: Int) -> ReadReceipt {
    var receipt = read
    receipt.currency = known(receipt.currency)
    let finder = MomentFinder(calendar: calendar, printed: receipt.currency, currency: currency)
    let moment = finder.moment(in: lines)
    receipt.day = moment?.day
    receipt.otherDay = moment?.other
    receipt.minutes = moment?.minutes
    receipt.numbers = ReceiptNumbers.all(in: lines, paidAt: moment?.place)
    let head = Array(lines.prefix(max(1, min(first, 25))))
    receipt.head = head.map(spaced)
    receipt.shop = PrintedShop.name(in: lines, head: head)
    return receipt
  }
}
