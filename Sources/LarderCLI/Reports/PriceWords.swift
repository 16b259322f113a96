import LarderJSON
import LarderKit
import LarderModel

extension PriceCourse {
  /// Returns the lines about the prices for people, each with its name.
  ///
  /// `isDrawn` adds a sparkline, for a terminal.
  func lines(isDrawn: Bool) -> [NamedText] {
    let lowest = TypedMoney(self.lowest.shortened, nil).description
    let highest = TypedMoney(self.highest.shortened, currency).description
    let spark = isDrawn ? sparkline(purchases.map(\.pricePerUnit), width: 24) + "  " : ""
    let lines: [(String, String?)] = [
      ("last price", "\(last.perUnitText) (\(last.shop), \(last.day))"),
      (
        "course",
        purchases.count > 1
          ? "\(spark)\(lowest) to \(highest) in \(purchases.count) purchases" : nil
      ),
      ("cheapest", cheapest.map { "\($0.shop), \($0.perUnitText) on \($0.day)" }),
      ("a year ago", yearAgoText),
    ]
    return lines.compactMap { name, text in text.map { (name, $0) } }
  }

  private var yearAgoText: String? {
    guard let yearAgo, let changeText else { return nil }
    return "\(yearAgo.shownPrice) on \(yearAgo.day), \(changeText) since"
  }

  /// The change since a year ago, such as `+6.2 %`.
  var changeText: String? {
    changeInPercent.map { ($0 > .zero ? "+" : "") + "\($0) %" }
  }

  var json: JSON {
    .object(
      [
        currency.map { JSONMember("currency", .string($0)) },
        JSONMember("unit", .string(unit.rawValue)),
        JSONMember("purchases", .number(String(purchases.count))),
        JSONMember("last", last.point), JSONMember("lowest", lowest.json),
        JSONMember("highest", highest.json),
        cheapest.map { JSONMember("cheapest", $0.point) },
        yearAgo.map { JSONMember("yearAgo", $0.point) },
        changeInPercent.map { JSONMember("changeInPercent", $0.json) },
      ].compactMap(\.self))
  }
}

extension PricedPurchase {
  /// The price per unit with its day and shop, as JSON.
  fileprivate var point: JSON {
    .object([
      JSONMember("day", .string(day.description)), JSONMember("shop", .string(shop)),
      JSONMember("pricePerUnit", pricePerUnit.json),
    ])
  }

  /// The columns of purchases of one thing.
  static var columns: [Column<PricedPurchase>] {
    [
      Column("day") { .day($0.day) }.inTable("Day", need: .most).inRecord(1).inJSON(1),
      Column("shop") { .text($0.shop) }.inTable("Shop", minimumWidth: 10).inRecord(2).inJSON(2),
      Column("quantity") { .quantity($0.quantity) }
        .inTable("Quantity", .right).inRecord(3).inJSON(3),
      Column("unit") { .text($0.quantity.unit.rawValue) }.inRecord(4).inJSON(4),
      Column("price") { .number($0.price) }
        .inTable("Price", .right) { .init(TypedMoney($0.price, $0.currency).description) }
        .inRecord(5).inJSON(5),
      Column("currency") { FilterValue($0.currency) }.inRecord(6).inJSON(6),
      Column("pricePerUnit") { .number($0.pricePerUnit) }
        .inTable("Per unit", .right, need: .most) { .init($0.perUnitText) }
        .inRecord(7).inJSON(7),
      Column("pricedUnit") { .text($0.unit.rawValue) }.inRecord(8).inJSON(8),
      Column("receiptId") { .text($0.receiptID) }.inRecord(9).inJSON(9),
    ]
  }
}
