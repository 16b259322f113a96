internal import LarderModel

/// The judge over a receipt's rows: which of them make which of the printed totals.
struct ReceiptSum {
  private let rows: [ReceiptRow]
  /// The kind of each row.
  private let kinds: [RowKind]
  private let unreadTotals: [Int]
  /// The places of the totals.
  private let totals: [Int]
  /// The place of the first subtotal or total.
  private let firstSum: Int
  private let firstTotal: Int
  /// Whether the discounts below the subtotal are the sum of those above.
  private let repeatsDiscounts: Bool

  /// `unreadTotals` are the lines of totals that have no amount.
  init(_ all: [ReceiptRow], unreadTotals: [Int]) {
    self.unreadTotals = unreadTotals
    let rows = Self.withoutVoided(all)
    var kinds = rows.map(\.kind)
    // `3 items total` is a total where there is no other word for it.
    if !kinds.contains(.total) {
      for place in rows.indices where ["item", "items"].contains(rows[place].label.first) {
        if kinds[place] == .subtotal { kinds[place] = .total }
      }
    }
    (self.rows, self.kinds) = (rows, kinds)
    totals = rows.indices.filter { kinds[$0] == .total && rows[$0].amount != .zero }
    firstSum = kinds.firstIndex { $0 == .subtotal || $0 == .total } ?? rows.count
    let firstTotal = kinds.firstIndex(of: .total) ?? rows.count
    self.firstTotal = firstTotal
    let discounts = rows.indices.filter { kinds[$0] == .discount && $0 < firstTotal }
    let early = discounts.filter { [firstSum] in $0 < firstSum }.compactMap { rows[$0].amount }
    let late = discounts.filter { [firstSum] in $0 > firstSum }.compactMap { rows[$0].amount }
    let sum = early.reduce(.zero) { $0 - $1.magnitude }
    repeatsDiscounts =
      !early.isEmpty
      && (late.allSatisfy { -$0.magnitude == sum }
        || late.reduce(.zero) { $0 - $1.magnitude } == sum)
  }

  /// The receipt with the lines that add up; if none do, with those that most receipts would mean.
  var receipt: ReadReceipt {
    let usual = counted([])
    let (lastTotal, corrected) = (lastUsualTotal, correctedTotals)
    let sound = totals.filter { !corrected.contains($0) && !isContradicted($0) }
    let useful = Reading.allCases.filter { reading in
      !counted(reading).elementsEqual(usual) { $0?.kind == $1?.kind && $0?.amount == $1?.amount }
    }
    .reduce(into: Reading()) { $0.formUnion($1) }
    for reading in Reading.all where useful.isSuperset(of: reading) {
      let counted = counted(reading)
      var sums = [Number.zero]
      for line in counted { sums.append(sums[sums.count - 1] + (line?.amount ?? .zero)) }
      // Only what is printed before the payment is read in rare ways.
      for total in sound.reversed() where reading.isEmpty || total <= lastTotal {
        guard let lines = lines(Array(counted[..<total]), making: total, sums[total]) else {
          continue
        }
        return receipt(lines, total)
      }
    }
    let total = likelyTotal
    let lines = usual[..<(total ?? firstTotal)]
    let found = receipt(lines.enumerated().compactMap { read($0, $1) }, total)
    // Lines that make a total which the payment contradicts make none.
    return found.addsUp ? receipt(found.lines, nil) : found
  }

  private func receipt(_ lines: [ReadLine], _ total: Int?) -> ReadReceipt {
    var receipt = ReadReceipt()
    receipt.lines = lines
    receipt.total = total.flatMap { rows[$0].amount }
    receipt.currency = total.flatMap { rows[$0].currency }
    let isIncluded = { (place: Int) in
      kinds[place] == .remark && rows[place].label.hasWord(of: ReceiptWords.taxes)
    }
    receipt.includedTaxes = rows.indices.filter(isIncluded).compactMap { place in
      rows[place].amount.map { rows[place].read(as: .tax, $0) }
    }
    return receipt
  }

  /// The last total before what was paid with.
  private var lastUsualTotal: Int {
    let payment = rows.indices.first {
      $0 > firstTotal && [.payment, .change].contains(kinds[$0])
    }
    return totals.last { $0 < payment ?? rows.count } ?? firstTotal
  }

  /// Returns the lines that make a total; nil if they don't.
  ///
  /// A payment's record above the things has the total too: those lines are left out if the rest makes
  /// it.
  private func lines(
    _ counted: [Counted?], making total: Int, _ sum: Number
  ) -> [ReadLine]? {
    guard let amount = rows[total].amount else { return nil }
    let lines = counted.enumerated().compactMap { read($0, $1) }
    if sum == amount { return lines }
    let rest = lines.filter { $0.kind != .item || $0.amount != amount }
    guard rest.count < lines.count, !rest.isEmpty else { return nil }
    return rest.map(\.amount).reduce(.zero, +) == amount ? rest : nil
  }

  /// Whether what was paid, less the change, is not the total.
  private func isContradicted(_ total: Int) -> Bool {
    let behind = rows.indices.filter { $0 > total && (rows[$0].amount ?? .zero) != .zero }
    let magnitudes = { (kind: RowKind) in
      behind.filter { kinds[$0] == kind }.compactMap { rows[$0].amount?.magnitude }
    }
    let (paid, back) = (magnitudes(.payment), magnitudes(.change))
    guard let amount = rows[total].amount?.magnitude, !paid.isEmpty, !paid.contains(amount) else {
      return false
    }
    let all = paid.reduce(.zero, +)
    guard let change = back.first else { return all < amount }
    // Cash is rounded to five cents at most in some countries.
    let rounding = Number(5, over: 100)
    return !(paid + [all]).contains { ($0 - change - amount).magnitude <= rounding }
  }

  /// The totals behind which another one follows, with a rounding, a discount or a fee between both, or
  /// one that can't be read.
  private var correctedTotals: Set<Int> {
    let last = lastUsualTotal
    return Set(
      totals.filter { total in
        let payment = rows.indices.first { $0 > total && [.payment, .change].contains(kinds[$0]) }
        let end = payment.map { rows[$0].line } ?? .max
        if unreadTotals.contains(where: { $0 > rows[total].line && $0 < end }) { return true }
        // Only such lines are between both, so the next other line is the later total.
        let next = rows.indices.first {
          $0 > total && ![.rounding, .discount, .fee].contains(kinds[$0])
        }
        guard let next, next > total + 1, next <= last, kinds[next] == .total else { return false }
        return rows[next].amount != .zero && rows[next].amount != rows[total].amount
      })
  }

  /// The total whose amount is there most often.
  private var likelyTotal: Int? {
    let (last, corrected) = (lastUsualTotal, correctedTotals)
    return totals.filter { $0 <= last && !corrected.contains($0) }.max {
      one, other in
      (count(of: one), other) < (count(of: other), one)
    }
  }

  private func count(of total: Int) -> Int {
    rows.filter { $0.amount?.magnitude == rows[total].amount?.magnitude }.count
  }

  /// The kind that a row counts as, and the amount that it adds.
  private typealias Counted = (kind: ReadLine.Kind, amount: Number)

  private func read(_ place: Int, _ counted: Counted?) -> ReadLine? {
    counted.map { rows[place].read(as: $0.kind, $0.amount) }
  }

  /// Returns what each row counts as; nil for those that change no sum.
  private func counted(_ reading: Reading) -> [Counted?] {
    rows.indices.map { place in
      guard let amount = rows[place].amount, amount != .zero else { return nil }
      return counted(place, amount, reading)
    }
  }

  private func counted(_ place: Int, _ amount: Number, _ reading: Reading) -> Counted? {
    switch kinds[place] {
    case .subtotal, .total: return nil
    case .formerPrice: return reading.contains(.formerPricesAreItems) ? (.item, amount) : nil
    case .item: return place < firstTotal ? (.item, amount) : nil
    case .payment, .change:
      return place < firstTotal && !reading.contains(.paymentsAreNone) ? (.item, amount) : nil
    case .discount:
      if amount > .zero, reading.contains(.discountsAreItems) { return (.item, amount) }
      let isLate = place > firstSum
      let skips: Reading = isLate ? .lateDiscountsIncluded : .earlyDiscountsIncluded
      let isSkipped = reading.contains(skips) && (amount > .zero || (isLate && repeatsDiscounts))
      return isSkipped ? nil : (.discount, -amount.magnitude)
    case .remark:
      let label = rows[place].label
      let isTax =
        label.hasWord(of: ReceiptWords.taxes) || label.beginning(ReceiptWords.taxBases) != nil
        || label.beginning(ReceiptWords.parts) != nil
      return !isTax && reading.contains(.savingsCount) ? (.discount, -amount.magnitude) : nil
    case .deposit: return reading.contains(.depositsIncluded) ? nil : (.deposit, amount)
    case .tax:
      let isSkipped =
        reading.contains(.taxesIncluded)
        || (reading.contains(.taxesRepeated) && amount == taxes(above: place))
      return isSkipped ? nil : (.tax, amount)
    case .fee: return reading.contains(.feesIncluded) ? nil : (.fee, amount)
    case .rounding:
      if reading.contains(.roundingIncluded) { return nil }
      return (.rounding, reading.contains(.roundingOff) ? -amount : amount)
    }
  }

  /// Returns the sum of the taxes above a row.
  private func taxes(above place: Int) -> Number {
    rows.indices.filter { $0 < place && kinds[$0] == .tax }.compactMap { rows[$0].amount }
      .reduce(.zero, +)
  }

  /// Returns rows without those that were taken back: a negative one with the name and amount of one
  /// before it.
  private static func withoutVoided(_ all: [ReceiptRow]) -> [ReceiptRow] {
    var rows: [ReceiptRow] = []
    for row in all {
      if let amount = row.amount, amount < .zero,
        let index = rows.lastIndex(where: { other in
          other.amount == -amount
            && (other.label == row.label || row.label.hasWord(of: ReceiptWords.voids))
            && (other.kind == .item || other.kind == .deposit)
        })
      {
        rows.remove(at: index)
      } else {
        rows.append(row)
      }
    }
    return rows
  }
}
