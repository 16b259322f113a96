import LarderModel

/// The pictures of spending in one currency.
struct SpendingPictures {
  let report: HouseholdReport
  let currency: String?

  /// The end of a picture's name if its currency is not the first one.
  private var ending: String {
    currency == report.byMonth.totals.first?.currency ? "" : "-\(currency?.lowercased() ?? "other")"
  }

  /// The end of a title if there are several currencies.
  private var place: String { currency.map { ", \($0)" } ?? "" }

  var all: [ReportPicture] { [months, categories, shops].compactMap(\.self) }

  private func rows(of spending: Spending) -> [Spending.Row] {
    spending.rows.filter { $0.currency == currency }
  }

  private func money(_ number: Number) -> String { TypedMoney(number, currency).description }

  private func sum(_ spending: Spending) -> Number {
    spending.totals.first { $0.currency == currency }?.amount ?? .zero
  }

  private var months: ReportPicture? {
    let rows = rows(of: report.byMonth)
    var amounts: [Month: Number] = [:]
    for row in rows {
      if case .month(let month) = row.group { amounts[month] = row.amount }
    }
    guard let first = amounts.keys.min(), let last = amounts.keys.max() else { return nil }
    let months = drawn(amounts, from: first, to: last).map { month in
      (month: month, value: amounts[month] ?? .zero, text: money(amounts[month] ?? .zero))
    }
    let greatest = months.max { $0.value < $1.value }
    let most = greatest.map { " Most was spent in \($0.month): \($0.text)." } ?? ""
    return .months(
      months, name: "months" + ending, title: "Spending by month" + place,
      summary: "Columns from \(first) to \(last).\(most)",
      table: table(
        "Month", rows, sum(report.byMonth), caption: "Spending by month" + place,
        isNewestFirst: true))
  }

  /// The largest number of months for which months without receipts are drawn, too.
  private static let mostMonths = 240

  /// Returns the months to draw: all from the first to the last.
  ///
  /// If there are too many, because a receipt may have a wrong year, only the latest months with
  /// receipts are drawn.
  private func drawn(_ amounts: [Month: Number], from first: Month, to last: Month) -> [Month] {
    if last < first.adding(Self.mostMonths) { return first.through(last) }
    return amounts.keys.sorted().suffix(Self.mostMonths)
  }

  private var categories: ReportPicture? {
    bars(report.byCategory, "categories", "Spending by category", "Category")
  }

  private var shops: ReportPicture? { bars(report.byShop, "shops", "Spending by shop", "Shop") }

  private func bars(
    _ spending: Spending, _ name: String, _ title: String, _ heading: String
  ) -> ReportPicture? {
    let rows = rows(of: spending)
    guard let first = rows.first else { return nil }
    let bars = rows.map { row in
      ReportPicture.Bar(name: row.group.label, value: row.amount, text: money(row.amount))
    }
    let count = rows.count > bars.prefix(ReportPicture.mostBars).count ? "the first ten of " : ""
    return .bars(
      bars, name: name + ending, title: title + place,
      summary:
        "Bars for \(count)\(rows.count). The first is \(first.group.label): \(money(first.amount)).",
      table: table(heading, rows, sum(spending), caption: title + place))
  }

  private func table(
    _ heading: String, _ rows: [Spending.Row], _ sum: Number, caption: String,
    isNewestFirst: Bool = false
  ) -> MarkupTable {
    let shown = isNewestFirst ? rows.reversed() : rows
    return MarkupTable(
      caption: caption,
      columns: [
        .init(heading, isNewestFirst ? .day : .text), .init("Receipts", .number),
        .init(currency ?? "Spent", .number),
      ],
      rows: shown.map { row in
        [row.group.label, String(row.receipts), TypedMoney(row.amount, currency).number]
      },
      foot: ["Together", "", TypedMoney(sum, currency).number])
  }
}

extension Spending.Group {
  /// The name for people.
  public var label: String {
    switch self {
    case .month(let month): month.description
    case .shop(let name), .category(let name), .item(let name, _): name
    case .noCategory: "(without a category)"
    case .rest: "(on no line with a price)"
    }
  }
}
