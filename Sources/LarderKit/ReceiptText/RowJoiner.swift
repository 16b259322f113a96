internal import LarderModel

/// Joins rows that a receipt prints on several lines.
///
/// A name may stand above its amount, and a quantity with a price above or below it.
struct RowJoiner {
  /// The rows with an amount, in order.
  private(set) var rows: [ReceiptRow] = []
  /// The line numbers of totals whose amount can't be read: `Total 3580`.
  private(set) var unreadTotals: [Int] = []
  /// The names since the last amount.
  private var names: [ReceiptRow] = []
  /// The row since the last amount that has only a barcode.
  private var code: ReceiptRow?
  /// A quantity with a price that fits no earlier row.
  private var waiting: ReceiptRow?
  /// The index of the row right above it.
  private var waitingBehind: Int?
  /// The rows above and below a quantity with a price that makes the amount of neither.
  private var unfit: [(above: Int?, below: Int?)] = []
  /// The number of quantities above their rows minus that of those below.
  private var lead = 0
  /// Whether most amounts stand on lines of their own.
  private let hasAmountsApart: Bool

  init(_ all: [ReceiptRow]) {
    let amounts = all.filter { $0.amount != nil }
    let apart = amounts.filter { !$0.hasName && $0.numbers.isEmpty }
    hasAmountsApart = apart.count * 5 >= amounts.count * 3
    for row in all { add(row) }
    dropWaiting(before: nil)
    for place in unfit {
      let rows = [place.above, place.below].filter { $0.map(mayBeCounted) ?? false }
      if let row = (lead > 0 ? rows.last : rows.first) ?? nil { self.rows[row].isDoubtful = true }
    }
  }

  /// Whether a row may have a quantity that is not known yet.
  private func mayBeCounted(_ index: Int) -> Bool {
    rows.indices.contains(index) && rows[index].unitPrice == nil
      && (rows[index].kind == .item || rows[index].kind == .deposit)
  }

  /// Forgets the waiting quantity, which fits neither the row above nor the one at `index`.
  private mutating func dropWaiting(before index: Int?) {
    if let waiting, Multiple.isStated(in: waiting.numbers) {
      unfit.append((above: waitingBehind, below: index))
    }
    waiting = nil
  }

  private mutating func add(_ row: ReceiptRow) {
    guard row.amount != nil else {
      if row.hasName {
        names.append(row)
        if row.kind == .total, row.name.count(where: \.isASCIIDigit) > 2 {
          unreadTotals.append(row.line)
        }
      } else if row.codes != nil, row.numbers.isEmpty {
        code = row
      } else {
        addDetail(row)
      }
      return
    }
    defer { code = nil }
    if row.hasName { addNamed(row) } else { addNameless(row) }
    names = []
  }

  /// Adds a row with a name and an amount.
  private mutating func addNamed(_ row: ReceiptRow) {
    guard !isTakenOff(row) else {
      waiting = nil
      return
    }
    var row = row
    if let before = names.last, before.line == row.line - 1, row.kind == .item,
      row.name.first?.isLowercase ?? false, before.name.first?.isUppercase ?? false
    {
      row.name = before.name + " " + row.name
    }
    take(&row)
    rows.append(row)
  }

  /// Whether a row repeats a discount that is already in the amount of the thing before it.
  ///
  /// It does if a printed price minus the discount is that amount. Such a row changes no sum.
  private func isTakenOff(_ row: ReceiptRow) -> Bool {
    guard let off = row.amount, off < .zero,
      let thing = rows.last(where: { $0.kind != .formerPrice }), let amount = thing.amount
    else { return false }
    var prices = (waiting?.numbers ?? []).map(\.value)
    if let last = rows.last, last.kind == .formerPrice, let price = last.amount {
      prices.append(price)
    }
    return prices.contains { $0 + off == amount }
  }

  /// Gives a row the waiting quantity, if quantity and price make its amount.
  private mutating func take(_ row: inout ReceiptRow) {
    guard let amount = row.amount, let detail = waiting,
      let multiple = Multiple.making(amount, of: detail.numbers)
    else { return dropWaiting(before: rows.count) }
    row.take(multiple)
    lead += 1
    waiting = nil
  }

  /// Adds an amount without a name.
  ///
  /// It belongs to the name before it, or corrects the amount before it.
  private mutating func addNameless(_ row: ReceiptRow) {
    guard let amount = row.amount else { return }
    if let name = names.last {
      var joined = row
      joined.line = name.line
      joined.name = name.name
      joined.label = name.label
      if hasAmountsApart, rows.last != nil, names.count == 2, name.kind == .item,
        names[0].kind == .item
      {
        joined.name = names[0].name + " " + name.name
      } else if let code {
        // All lines between an article number and an amount are one name.
        let parts = names.filter { $0.line > code.line }
        if !parts.isEmpty, parts.count == name.line - code.line {
          joined.line = parts[0].line
          joined.name = parts.map(\.name).joined(separator: " ")
          joined.label = parts.flatMap(\.label)
        }
      }
      joined.barcode = name.barcode ?? row.barcode ?? code?.barcode
      if joined.quantity == nil { joined.quantity = name.quantity }
      take(&joined)
      rows.append(joined)
      return
    }
    if amount < .zero, row.codes != nil, !rows.isEmpty, !isTakenOff(row) {
      // A negative amount with an article number is a discount on that article.
      var off = row
      off.name = row.codes ?? ""
      rows.append(off)
      return
    }
    guard let last = rows.indices.last, let before = rows[last].amount, rows[last].unitPrice == nil,
      rows[last].kind == .item || rows[last].kind == .deposit
    else { return }
    if before == amount, row.unitPrice != nil {
      lead -= 1
      rows[last].quantity = row.quantity
      rows[last].measure = row.measure
      rows[last].unitPrice = row.unitPrice
    } else if let count = row.numbers.first(where: {
      $0.mayCount && $0.value.magnitude > Number(1) && Multiple.makes(amount, $0, before)
    }) {
      raise(last, to: amount, count)
    } else if row.isDoubtful, before == amount {
      rows[last].isDoubtful = true
    }
  }

  /// Adds a quantity with a price that has no name and no amount.
  private mutating func addDetail(_ row: ReceiptRow) {
    guard row.numbers.count > 1 else { return }
    if let last = rows.indices.last, let amount = rows[last].amount, rows[last].unitPrice == nil,
      names.isEmpty, rows[last].kind == .item || rows[last].kind == .deposit
    {
      if let multiple = Multiple.making(amount, of: row.numbers) {
        lead -= 1
        return rows[last].take(multiple)
      }
      for count in row.numbers where count.decimals == 0 && count.value > Number(1) {
        for total in row.numbers where total.decimals >= 2 && total.value > amount {
          guard Multiple.makes(total.value, count, amount) else { continue }
          return raise(last, to: total.value, count)
        }
      }
    }
    dropWaiting(before: nil)
    waiting = row
    waitingBehind = names.isEmpty ? rows.indices.last : nil
  }

  /// Makes the amount of a row the price of one, and sets the amount of all.
  private mutating func raise(_ index: Int, to amount: Number, _ count: RowNumber) {
    rows[index].unitPrice = rows[index].amount
    rows[index].amount = amount
    rows[index].quantity = count.value
    rows[index].measure = count.measure
  }
}
