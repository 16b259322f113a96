import LarderKit

extension Invocation {
  /// Prints the shopping list with the estimated costs.
  func list(_ rows: [ShopRow], with prices: Option, in survey: Survey) {
    let wanted = rows.map(\.entry).filter { !$0.isTombstone }
    let estimate = ShoppingEstimate(of: wanted, in: survey)
    let shops = EstimateRow.all(of: estimate)
    switch output.mode {
    case .plain: output.records(shops, EstimateRow.columns)
    case .json, .human:
      list(
        rows, with: [prices], in: survey, columns: ShopRow.listing.columns + [estimate.column],
        members: ["estimate": estimate.json])
    }
    guard output.mode == .human, !wanted.isEmpty else { return }
    if !shops.isEmpty { output.write("\n") }
    output.table(Table(shops, EstimateRow.columns))
    if !estimate.unknown.isEmpty {
      let names = estimate.unknown.map { survey.naming.title(of: $0) }
      output.note("no price is known of \(inShort(names))")
    }
  }
}

extension ShoppingEstimate {
  /// The column with the cost of each entry at its last price.
  fileprivate var column: Column<ShopRow> {
    Column("estimate") { row in .init(prices[row.entry.id]?.first?.cost) }
      .inTable("About", .right) { row in
        .init(
          prices[row.entry.id]?.first.map {
            TypedMoney($0.cost, $0.purchase.currency).description
          } ?? "")
      }
      .inJSON(.max, as: "prices") { row in .array((prices[row.entry.id] ?? []).map(\.json)) }
  }

  fileprivate var json: JSON {
    [
      "together": .array(together.map(\.json)),
      "shops": .array(shops.map { ["shop": .string($0.shop)] + $0.sum.json }),
      "unknown": .texts(unknown.map(\.id)),
    ]
  }
}

extension ShoppingEstimate.Sum {
  fileprivate var json: JSON {
    [
      "amount": cost.json, "currency": currency.map { .string($0) }, "entries": .number(entries),
    ]
  }
}

extension ShoppingEstimate.Price {
  fileprivate var json: JSON {
    [
      "shop": .string(purchase.shop), "amount": cost.json,
      "currency": purchase.currency.map { .string($0) }, "day": .string(purchase.day.description),
    ]
  }
}

/// A shop with the cost of the list there.
///
/// Without a shop, the cost at the last prices anywhere.
struct EstimateRow {
  let shop: String?
  let sum: ShoppingEstimate.Sum
  /// The number of entries on the list.
  let count: Int

  static func all(of estimate: ShoppingEstimate) -> [EstimateRow] {
    estimate.together.map { EstimateRow(shop: nil, sum: $0, count: estimate.count) }
      + estimate.shops.map { EstimateRow(shop: $0.shop, sum: $0.sum, count: estimate.count) }
  }

  static var columns: [Column<EstimateRow>] {
    [
      Column("shop") { FilterValue($0.shop) }
        .inTable("At the last prices in", minimumWidth: 16, need: .most) {
          .init($0.shop ?? "any shop", $0.shop == nil ? .bold : nil)
        }
        .inRecord(1),
      Column("entries") { .number(Number($0.sum.entries)) }
        .inTable("Known", .right) { .init("\($0.sum.entries) of \($0.count)") }.inRecord(4),
      Column("count") { .number(Number($0.count)) }.inRecord(5),
      Column("amount") { .number($0.sum.cost) }
        .inTable("About", .right, need: .most) {
          .init(TypedMoney($0.sum.cost, $0.sum.currency).description)
        }
        .inRecord(2),
      Column("currency") { FilterValue($0.sum.currency) }.inRecord(3),
    ]
  }
}
