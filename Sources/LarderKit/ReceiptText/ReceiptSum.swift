internal import LarderModel

/// The choice of the rows whose sum is one of the printed totals.
struct ReceiptSum {
  private let rows: [PrintedRow]
  /// The kind of each row.
  private let kinds: [RowKind]
  private let unreadTotals: [Int]
  /// The indices of the totals.
  private let totals: [Int]
  /// The index of the first subtotal or total.
  private let firstSum: Int
  private let firstTotal: Int
  /// Whether the discounts below the subtotal repeat the sum of those above it.
  private let repeatsDiscounts: Bool

  /// Creates the choice; `unreadTotals` are the line numbers of totals without an amount.
  init(_ all: [PrintedRow], unreadTotals: [Int]) {
    self.unreadTotals = unreadTotals
    let rows = Self.withoutVoided(all)
    var kinds = rows.map(\.kind)
    // `3 items total` is a total if there is no other word for one.
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

  /// The receipt with the lines that add up; if none do, with the lines of the usual reading.
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
      // Unusual readings are only tried for totals before the payment.
      for total in sound.reversed() where reading.isEmpty || total <= lastTotal {
        guard isBuilt(total, on: counted, sums),
          let lines = lines(Array(counted[..<total]), making: total, sums[total])
        else { continue }
        return receipt(lines, total)
      }
    }
    let total = likelyTotal
    let lines = usual[..<(total ?? firstTotal)]
    let found = receipt(lines.enumerated().compactMap { read($0, $1) }, total)
    // If the payment contradicts the total, the lines don't add up to it.
    return found.addsUp ? receipt(found.lines, nil) : found
  }

  private func receipt(_ lines: [ReadLine], _ total: Int?) -> ReadReceipt {
    var receipt = ReadReceipt()
    receipt.lines = lines
    for line in doubtfulSavings(among: lines, total) {
      (receipt.lines[line].isSignDoubtful, receipt.lines[line].isDoubtful) = (true, true)
    }
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

  /// Returns the indices of the lines right above discounts without a minus that change no sum.
  ///
  /// `Savings` says that the price was reduced already.
  private func doubtfulSavings(among lines: [ReadLine], _ total: Int?) -> [Int] {
    rows[..<(total ?? 0)].indices.compactMap { place in
      guard kinds[place] == .discount, let amount = rows[place].amount, amount > .zero,
        !rows[place].label.hasWord(of: ["saving", "savings"]),
        !(place > firstSum && repeatsDiscounts),
        !lines.contains(where: { $0.line == rows[place].line })
      else { return nil }
      return lines.lastIndex { $0.line < rows[place].line }
    }
  }

  /// Whether nothing is added below the first total, or the lines above that one make it or a
  /// subtotal.
  ///
  /// Otherwise a tax below it would fill the place of a thing that was lost above it.
  private func isBuilt(_ total: Int, on counted: [Counted?], _ sums: [Number]) -> Bool {
    guard let first = totals.first, first < total,
      counted[first..<total].contains(where: { $0 != nil })
    else { return true }
    return sums[first] == rows[first].amount
      || rows[..<total].indices.contains {
        kinds[$0] == .subtotal && rows[$0].amount == sums[first]
      }
  }

  /// The last total before the payment.
  private var lastUsualTotal: Int {
    let payment = rows.indices.first {
      $0 > firstTotal && [.payment, .change].contains(kinds[$0])
    }
    return totals.last { $0 < payment ?? rows.count } ?? firstTotal
  }

  /// Returns the lines whose sum is the total; nil if it is not.
  ///
  /// A record of the payment may stand above the things, with the amount of the total. Such lines
  /// are left out if the sum of the others is the total.
  private func lines(
    _ counted: [Counted?], making total: Int, _ sum: Number
  ) -> [ReadLine]? {
    guard let amount = rows[total].amount else { return nil }
    let lines = counted.enumerated().compactMap { read($0, $1) }
    if sum == amount { return lines }
    let isRecord = { (line: ReadLine) in
      line.kind == .item && line.amount == amount && line.unitPrice == nil
    }
    // It stands above all things, or between them and the taxes.
    guard let first = lines.firstIndex(where: { !isRecord($0) }),
      let last = lines.lastIndex(where: { !isRecord($0) && $0.kind == .item })
    else { return nil }
    let rest = lines.indices.filter { first <= $0 && ($0 <= last || !isRecord(lines[$0])) }
      .map { lines[$0] }
    guard rest.count < lines.count, !rest.isEmpty else { return nil }
    return rest.map(\.amount).reduce(.zero, +) == amount ? rest : nil
  }

  /// Whether the payment minus the change differs from the total.
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
    // Some countries round cash by up to five cents.
    let rounding = Number(5, over: 100)
    return !(paid + [all]).contains { ($0 - change - amount).magnitude <= rounding }
  }

  /// The totals that a later total corrects, by a rounding, a discount or a fee between them.
  ///
  /// A later total that can't be read corrects them too.
  private var correctedTotals: Set<Int> {
    let last = lastUsualTotal
    return Set(
      totals.filter { total in
        let payment = rows.indices.first { $0 > total && [.payment, .change].contains(kinds[$0]) }
        let end = payment.map { rows[$0].line } ?? .max
        if unreadTotals.contains(where: { $0 > rows[total].line && $0 < end }) { return true }
        // Only such rows may stand between them, so the next row of another kind must be the later
        // total.
        let next = rows.indices.first {
          $0 > total && ![.rounding, .discount, .fee].contains(kinds[$0])
        }
        guard let next, next > total + 1, next <= last, kinds[next] == .total else { return false }
        return rows[next].amount != .zero && rows[next].amount != rows[total].amount
      })
  }

  /// The total whose amount is printed most often.
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

  /// The kind as which a row counts, and the amount that it adds.
  private typealias Counted = (kind: ReadLine.Kind, amount: Number)

  private func read(_ place: Int, _ counted: Counted?) -> ReadLine? {
    counted.map { counted in
      var line = rows[place].read(as: counted.kind, counted.amount)
      line.isSignDoubtful = hasDoubtfulSign(place, counted)
      line.isDoubtful = line.isDoubtful || line.isSignDoubtful
      return line
    }
  }

  /// Whether a row is a discount without a minus, or a thing with one.
  ///
  /// Between a subtotal and the total, these say that it is taken off.
  private func hasDoubtfulSign(_ place: Int, _ counted: Counted) -> Bool {
    guard let amount = rows[place].amount, kinds[place] == .discount || counted.kind == .discount
    else { return false }
    if amount < .zero { return rows[place].isThing(among: rows[..<place]) }
    let isBetween = firstSum < place && place < firstTotal && kinds[firstSum] == .subtotal
    return !isBetween || counted.kind != .discount
  }

  /// Returns the kind and amount of each row in a reading; nil for rows that change no sum.
  private func counted(_ reading: Reading) -> [Counted?] {
    rows.indices.map { place in
      guard let amount = rows[place].amount, amount != .zero else { return nil }
      return counted(place, amount, reading)
    }
  }

  private func counted(_ place: Int, _ amount: Number, _ all: Reading) -> Counted? {
    // What takes something off, and what has its own count and price, is never left out.
    let reading = mayBeIncluded(place) ? all : all.subtracting(.leavingOut)
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
    case .deposit: return (.deposit, amount)
    case .tax:
      let isSkipped =
        reading.contains(.taxesIncluded)
        || (reading.contains(.taxesRepeated) && amount == taxes(above: place))
      return isSkipped ? nil : (.tax, amount)
    case .fee: return (.fee, amount)
    case .rounding:
      if reading.contains(.roundingIncluded) { return nil }
      return (.rounding, reading.contains(.roundingOff) ? -amount : amount)
    }
  }

  /// Whether the price of something else may include a row.
  private func mayBeIncluded(_ place: Int) -> Bool {
    if rows[place].unitPrice != nil { return false }
    return (rows[place].amount ?? .zero) > .zero || kinds[place] == .rounding || repeatsDiscounts
  }

  /// Returns the sum of the taxes above a row.
  private func taxes(above place: Int) -> Number {
    rows.indices.filter { $0 < place && kinds[$0] == .tax }.compactMap { rows[$0].amount }
      .reduce(.zero, +)
  }

  /// Returns rows without voided ones.
  ///
  /// A negative row voids an earlier row with its name and amount. A word for voiding may replace
  /// the name.
  private static func withoutVoided(_ all: [PrintedRow]) -> [PrintedRow] {
    var rows: [PrintedRow] = []
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

extension ReceiptSum {
  /// A set of unusual ways to read a receipt's rows.
  struct Reading: OptionSet, CaseIterable {
    let rawValue: Int
    /// The prices include discounts above the subtotal that have no minus.
    static let earlyDiscountsIncluded = Reading(rawValue: 1)
    /// Discounts below the subtotal have no minus, or repeat those above.
    static let lateDiscountsIncluded = Reading(rawValue: 2)
    /// The prices include taxes above the total.
    static let taxesIncluded = Reading(rawValue: 4)
    static let roundingIncluded = Reading(rawValue: 8)
    /// A rounding without a sign is subtracted.
    static let roundingOff = Reading(rawValue: 16)
    /// The word for a discount is part of a thing's name.
    static let discountsAreItems = Reading(rawValue: 32)
    /// A word for a payment above the total means a payment, not the name of a thing.
    static let paymentsAreNone = Reading(rawValue: 64)
    /// The sum of what was saved is subtracted.
    static let savingsCount = Reading(rawValue: 128)
    /// The word for a former price is part of a thing's name.
    static let formerPricesAreItems = Reading(rawValue: 256)
    /// A tax that equals the sum of the taxes above it repeats them.
    static let taxesRepeated = Reading(rawValue: 512)

    /// The ways that leave out rows.
    static let leavingOut: Reading = [
      .earlyDiscountsIncluded, .lateDiscountsIncluded, .taxesIncluded, .roundingIncluded,
      .taxesRepeated, .paymentsAreNone,
    ]

    static let allCases = (0..<10).map { Reading(rawValue: 1 << $0) }

    /// All readings, those with the fewest unusual ways first.
    static let all: [Reading] =
      [[]] + allCases
      + allCases.enumerated().flatMap { index, one in allCases[(index + 1)...].map { one.union($0) }
      }
  }
}

extension PrintedRow {
  /// Returns the row as a line of a read receipt.
  func read(as kind: ReadLine.Kind, _ amount: Number) -> ReadLine {
    var line = ReadLine(
      line: self.line, kind: kind, name: name, barcode: barcode, quantity: quantity ?? Number(1),
      unit: nil, unitPrice: unitPrice, amount: amount, isCountDoubtful: isDoubtful,
      isDoubtful: isDoubtful || name.isEmpty || amount != self.amount)
    if case .unit(let unit, let factor)? = measure {
      line.unit = unit
      line.quantity = line.quantity.multiplied(by: factor)?.rounded ?? line.quantity
    } else if measure == nil, !line.quantity.isWhole {
      // A weight needs its unit.
      (line.isCountDoubtful, line.isDoubtful) = (true, true)
    }
    return line
  }
}
