public import LarderModel

/// A receipt as a row of the list of receipts.
public struct ReceiptRow: Sendable {
  public let receipt: Entity
  /// The time of payment, in the household's time zone.
  public let paid: String
  /// The end of the id, which identifies the row if another one has the same time and shop.
  public private(set) var digits: String?

  private init(_ receipt: Entity, in survey: Survey) {
    self.receipt = receipt
    paid = survey.calendar.text(of: receipt.timestamp)
  }

  /// The names on its lines.
  public var lines: [String] { receipt.lines.map(\.itemName) }

  /// Returns the receipts of some days, the newest first; `isWhole` includes void ones.
  public static func all(
    in survey: Survey, from first: Day?, to last: Day?, isWhole: Bool = false
  ) -> [ReceiptRow] {
    var rows = survey.household.all(.receipt).filter { receipt in
      guard isWhole || !receipt.isTombstone else { return false }
      if first == nil, last == nil { return true }
      let day = survey.calendar.day(of: receipt.timestamp)
      return first.map { $0 <= day } ?? true && last.map { day <= $0 } ?? true
    }
    .newestFirst.map { ReceiptRow($0, in: survey) }
    let looks = rows.map { "\($0.paid) \(fold($0.receipt.title))" }
    let counts = Dictionary(looks.map { ($0, 1) }, uniquingKeysWith: +)
    for (row, look) in zip(rows.indices, looks) where counts[look] != 1 {
      rows[row].digits = String(rows[row].receipt.id.suffix(6))
    }
    return rows
  }

  /// Returns what receipts cost together, by currency; the currency is nil for those without one.
  ///
  /// A receipt without an amount counts with the sum of its lines, and a void one does not count.
  public static func sums(of rows: [ReceiptRow]) -> [(currency: String?, amount: Number)] {
    var sums: [String: Number] = [:]
    for receipt in rows.map(\.receipt) where !receipt.isTombstone {
      guard let amount = receipt.number(.amount) ?? Receipt(entity: receipt).sum else { continue }
      sums[receipt.currency ?? "", default: .zero] =
        sums[receipt.currency ?? "", default: .zero] + amount
    }
    return sums.sorted { $0.key < $1.key }.map { ($0.key.isEmpty ? nil : $0.key, $0.value) }
  }
}

extension ReceiptRow: ListRow {
  public var entities: [Entity] { [receipt] }
  public static var kind: Kind { .receipt }

  /// Returns the rows of all receipts, the newest first.
  public static func all(in survey: Survey, isWhole: Bool) -> [ReceiptRow] {
    all(in: survey, from: nil, to: nil, isWhole: isWhole)
  }

  public static let listing = Listing<ReceiptRow>(
    [
      ListField("timestamp", "day", "at") { .instant($0.receipt.timestamp) },
      ListField("shopName", "shop") { .text($0.receipt.title) },
      ListField("amount") { ListValue($0.receipt.number(.amount)) },
      ListField("currency") { ListValue($0.receipt.currency) },
      ListField("line", "items", "item", remark: "what was bought") { .texts($0.lines) },
    ],
    states: [.init("archived", remark: "void") { $0.receipt.isTombstone }],
    searching:
      "the shop, the note, the lines, other names of their items, and the products' titles and barcodes"
  ) {
    [$0.receipt.title, $0.receipt.note] + $0.lines + $0.itemWords(in: $1)
  }

  /// The words that find the receipt by the items on its lines.
  private func itemWords(in survey: Survey) -> [String] {
    let items = receipt.lines.compactMap { line in
      line.itemID.flatMap { survey.household[.stockItem, $0] }
    }
    return items.flatMap { [$0.title] + $0.aliases + survey.words(ofProducts: $0.productIDs) }
  }
}

extension [Entity] {
  /// Receipts in the order of their payment, the newest first.
  package var newestFirst: [Entity] {
    sorted { ($0.timestamp, $0.id) > ($1.timestamp, $1.id) }
  }
}
