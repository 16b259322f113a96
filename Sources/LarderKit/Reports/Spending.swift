public import LarderModel

/// The money spent, by month, shop, category or item; each currency is summed separately.
public struct Spending: Sendable {
  public enum Grouping: String, CaseIterable, Sendable {
    case month, shop, category, item
  }

  /// The month, shop, category or thing of a row.
  public enum Group: Hashable, Sendable {
    case month(Month)
    case shop(String)
    case category(String)
    /// The things that have no category.
    case noCategory
    /// An item or, with a nil id, a thing that is not an item.
    case item(name: String, id: String?)
    /// The part of the totals without a line's price.
    case rest
  }

  public struct Row: Sendable {
    public fileprivate(set) var group: Group
    /// The currency, as a code of ISO 4217; nil if it is not known.
    public let currency: String?
    public fileprivate(set) var amount: Number
    /// The number of receipts that contribute to the amount.
    public fileprivate(set) var receipts: Int
  }

  /// The money spent in one currency.
  public struct Total: Sendable {
    public let currency: String?
    public fileprivate(set) var amount = Number.zero
    public fileprivate(set) var receipts = 0
    /// The part of the amount without a line's price.
    public fileprivate(set) var rest = Number.zero
    /// The number of receipts that may have cost more: see ``PaidReceipt/isIncomplete``.
    public fileprivate(set) var incompleteReceipts = 0
    /// The number of lines without a price.
    public fileprivate(set) var linesWithoutPrice = 0
  }

  public let grouping: Grouping
  /// The rows by currency, in the order of ``totals``.
  ///
  /// Months are in their order; other rows begin with the largest amount, and the rest comes last.
  /// The amounts of a currency add up to its total.
  public let rows: [Row]
  /// The totals, that of the household's currency first.
  public let totals: [Total]

  public init(_ purchases: Purchases, by grouping: Grouping) {
    self.grouping = grouping
    let currencies = purchases.currencies
    let byCurrency = Dictionary(grouping: purchases.receipts, by: \.currency)
    totals = currencies.map { currency in
      Total(of: byCurrency[currency] ?? [], in: currency)
    }
    rows = currencies.flatMap { currency in
      var sums = Sums(currency: currency)
      for receipt in byCurrency[currency] ?? [] { sums.add(receipt, by: grouping) }
      return sums.rows
    }
  }
}

extension Spending.Total {
  fileprivate init(of receipts: [PaidReceipt], in currency: String?) {
    self.currency = currency
    for receipt in receipts {
      amount = amount + receipt.total
      self.receipts += 1
      rest = rest + receipt.rest
      incompleteReceipts += receipt.isIncomplete ? 1 : 0
      linesWithoutPrice += receipt.lines.count { $0.price == nil }
    }
  }
}

/// The rows of one currency, while receipts are added from the oldest on.
private struct Sums {
  /// The key that is equal for amounts of one row.
  private enum Key: Hashable {
    case month(Month)
    case name(String)
    case thing(PaidThing.Key)
    case noCategory, rest
  }

  let currency: String?
  private var byKey: [Key: Spending.Row] = [:]

  init(currency: String?) { self.currency = currency }

  mutating func add(_ receipt: PaidReceipt, by grouping: Spending.Grouping) {
    switch grouping {
    case .month:
      let month = Month(of: receipt.day)
      add([(.month(month), .month(month), receipt.total)])
    case .shop: add([(.name(fold(receipt.shop)), .shop(receipt.shop), receipt.total)])
    case .category: add(parts(of: receipt, byThing: category))
    case .item:
      add(
        parts(of: receipt) { thing in
          (.thing(thing.key), .item(name: thing.name, id: thing.itemID))
        })
    }
  }

  private typealias Part = (key: Key, group: Spending.Group, amount: Number)

  private func category(of thing: PaidThing) -> (Key, Spending.Group) {
    guard let name = thing.category, !fold(name).isEmpty else { return (.noCategory, .noCategory) }
    return (.name(fold(name)), .category(name))
  }

  private func parts(
    of receipt: PaidReceipt, byThing place: (PaidThing) -> (Key, Spending.Group)
  ) -> [Part] {
    let priced = receipt.lines.compactMap { line -> Part? in
      guard let price = line.price else { return nil }
      let (key, group) = place(line.thing)
      return (key, group, price)
    }
    return priced + (receipt.rest == .zero ? [] : [(.rest, .rest, receipt.rest)])
  }

  /// Adds the parts of one receipt; a name keeps its newest spelling.
  private mutating func add(_ parts: [Part]) {
    var seen: Set<Key> = []
    for part in parts {
      let known = byKey[part.key]
      let isFirst = seen.insert(part.key).inserted
      byKey[part.key] = Spending.Row(
        group: part.group, currency: currency, amount: (known?.amount ?? .zero) + part.amount,
        receipts: (known?.receipts ?? 0) + (isFirst ? 1 : 0))
    }
  }

  var rows: [Spending.Row] {
    byKey.values.map { (row: $0, name: fold($0.group.sortName)) }.sorted { one, other in
      let isRest = (one.row.group == .rest, other.row.group == .rest)
      if isRest.0 != isRest.1 { return isRest.1 }
      if case .month(let month) = one.row.group, case .month(let next) = other.row.group {
        return month < next
      }
      if one.row.amount != other.row.amount { return one.row.amount > other.row.amount }
      return (one.name, one.row.group.itemID ?? "") < (other.name, other.row.group.itemID ?? "")
    }.map(\.row)
  }
}

extension Spending.Group {
  /// The month, or the name of a shop, a category or a thing; nil for rows without a name.
  public var name: String? {
    switch self {
    case .month(let month): month.description
    case .shop(let name), .category(let name), .item(let name, _): name
    case .noCategory, .rest: nil
    }
  }

  /// The item's id; nil for anything else.
  public var itemID: String? {
    if case .item(_, let id) = self { id } else { nil }
  }

  fileprivate var sortName: String { name ?? "" }
}
