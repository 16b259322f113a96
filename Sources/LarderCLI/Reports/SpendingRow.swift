import LarderJSON
import LarderKit
import LarderModel

/// A row of `larder spending`.
struct SpendingRow {
  let row: Spending.Row
  /// The amount as a fraction of the largest one in the same currency.
  private let fraction: Double?

  init(_ row: Spending.Row, greatest: Number) {
    self.row = row
    fraction = row.amount.fraction(of: greatest)
  }

  /// Returns the rows of the spending.
  static func all(of spending: Spending) -> [SpendingRow] {
    var greatest: [String?: Number] = [:]
    for row in spending.rows {
      greatest[row.currency] = max(greatest[row.currency] ?? .zero, row.amount)
    }
    return spending.rows.map { SpendingRow($0, greatest: greatest[$0.currency] ?? .zero) }
  }

  /// Returns the columns for a grouping.
  static func columns(by grouping: Spending.Grouping) -> [Column<SpendingRow>] {
    [
      Column("name") { FilterValue($0.row.group.name) }
        .inTable(grouping.heading, minimumWidth: 12, need: .most) {
          .init($0.row.group.label, $0.row.group.name == nil ? .dim : nil)
        }
        .inRecord(2).inJSON(2),
      Column("kind") { .text($0.row.group.kind) }.inRecord(1).inJSON(1),
      Column("receipts") { .number(Number($0.row.receipts)) }
        .inTable("Receipts", .right, need: .little).inRecord(5).inJSON(5),
      Column("amount") { .number($0.row.amount) }
        .inTable("Spent", .right, need: .most) { .init($0.money) }
        .inRecord(3).inJSON(3),
      Column("currency") { FilterValue($0.row.currency) }.inRecord(4).inJSON(4),
      Column(.init("", isOnlyForTerminals: true)) { .init($0.bar, .cyan) },
      Column("itemId") { FilterValue($0.row.group.itemID) }.inRecord(6).inJSON(6),
    ]
  }

  private var money: String { TypedMoney(row.amount, row.currency).description }

  private var bar: String { fraction.map { LarderCLI.bar($0, width: 20) } ?? "" }
}

extension Spending.Grouping {
  fileprivate var heading: String {
    switch self {
    case .month: "Month"
    case .shop: "Shop"
    case .category: "Category"
    case .item: "Item"
    }
  }
}

extension Spending.Group {
  /// The group's name for scripts.
  fileprivate var kind: String {
    switch self {
    case .month: "month"
    case .shop: "shop"
    case .category: "category"
    case .noCategory: "noCategory"
    case .item(_, let id): id == nil ? "other" : "item"
    case .rest: "rest"
    }
  }
}
