internal import LarderModel

/// Joins rows that a receipt prints on several lines.
///
/// A name may stand above its amount, and a quantity with a price above or below it.
struct RowJoiner {
  /// The rows with an amount, in order.
  private(set) var rows: [PrintedRow] = []
  /// The line numbers of totals whose amount can't be read: `Total 3580`.
  private(set) var unreadTotals: [Int] = []
  /// The rows without an amount since the last amount that are names, or may be.
  private var names: [PrintedRow] = []
  /// The row since the last amount that has only a barcode.
  private var code: PrintedRow?
  /// A quantity, a price or both that fit no earlier row.
  private var waiting: Detail?
  /// The rows above and below a quantity that makes the amount of neither, the number of all rows
  /// above it, and its count if no price stands at it.
  private var unfit: [(above: Int?, below: Int?, number: Int, count: Number?)] = []
  /// The number of quantities above their rows minus that of those below.
  private var lead = 0
  /// Whether most amounts stand on lines of their own.
  private let hasAmountsApart: Bool
  /// Whether a word between a quantity and its price is the name of the thing.
  private let namesAreInside: Bool

  /// The numbers of rows that follow each other and may count one thing.
  private struct Detail {
    var numbers: [RowNumber]
    /// The number of its last line.
    var line: Int
    /// The index of the row right above it.
    var behind: Int?
    /// Whether it is a number with a word or a sign, as in `2 KPL`, and not a price.
    var isCount: Bool
    /// Whether its number has a word that may be a name, such as `2 guests`.
    var hasWord: Bool
    /// Whether it is only a number or only a price.
    var isPart: Bool { Set(numbers.map(\.place)).count < 2 }
  }

  init(_ all: [PrintedRow]) {
    let amounts = all.filter { $0.amount != nil }
    let apart = amounts.filter { !$0.hasName && $0.numbers.isEmpty }
    hasAmountsApart = apart.count * 5 >= amounts.count * 3
    namesAreInside = zip(all, all.dropFirst()).contains { above, row in
      row.isDetail && row.amount != nil && (above.amount != nil || !above.hasName)
    }
    for row in all { add(row) }
    dropWaiting(before: nil)
    let numbers = ArticleCount.numbers(of: rows)
    for place in unfit where !(place.count.map { numbers[place.number].contains($0) } ?? false) {
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
    defer { waiting = nil }
    guard let waiting else { return }
    let count = openCount(waiting)
    guard count != nil || Multiple.isStated(in: waiting.numbers) else { return }
    unfit.append((above: waiting.behind, below: index, number: rows.count, count: count))
  }

  /// The number without a price that counts something; nil if there is none.
  private func openCount(_ detail: Detail) -> Number? {
    guard detail.isPart, detail.isCount, let number = detail.numbers.first, number.mayCount,
      number.value != Number(1), !rows.isEmpty || !detail.hasWord
    else { return nil }
    // `250 g` is the size of a package, and no scale prints it so.
    let isSize =
      (number.measure ?? .count) != .count && number.decimals != 3
      && !(number.decimals == 2 && number.measure == Measure("lb"))
    return isSize ? nil : number.value
  }

  private mutating func add(_ row: PrintedRow) {
    guard row.amount != nil else {
      if row.hasName, !row.isDetail {
        names.append(row)
        if row.kind == .total, row.name.count(where: \.isASCIIDigit) > 2 {
          unreadTotals.append(row.line)
        }
      } else if row.codes != nil, row.numbers.isEmpty {
        code = row
      } else if !addDetail(row), row.isDetail {
        names.append(row)
      }
      return
    }
    defer { code = nil }
    if row.hasName, !isBelowName(row) { addNamed(row) } else { addNameless(row) }
    names = []
  }

  /// The names that no quantity or price stands beside.
  private var plainNames: [PrintedRow] { names.filter { !$0.isDetail } }

  /// Whether the word between a row's quantity and price is no name, because one stands above.
  private func isBelowName(_ row: PrintedRow) -> Bool {
    guard row.isDetail, !namesAreInside, let name = names.last, !name.isDetail else { return false }
    // The first name of a receipt is the shop's.
    return name.line == row.line - 1 && (!rows.isEmpty || plainNames.count > 1)
  }

  /// Adds a row with a name and an amount.
  private mutating func addNamed(_ row: PrintedRow) {
    guard !isTakenOff(row) else {
      waiting = nil
      return
    }
    var row = row
    if let before = plainNames.last, before.line == row.line - 1, row.kind == .item,
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
  private func isTakenOff(_ row: PrintedRow) -> Bool {
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
  private mutating func take(_ row: inout PrintedRow) {
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
  private mutating func addNameless(_ row: PrintedRow) {
    guard let amount = row.amount, !isPrice(row, amount) else { return }
    if let name = nameAbove {
      rows.append(joined(row, with: name))
      return
    }
    if amount < .zero, row.codes != nil, !rows.isEmpty, !isTakenOff(row) {
      // A negative amount with an article number is a discount on that article.
      var off = row
      off.name = row.codes ?? ""
      rows.append(off)
      return
    }
    guard let last = rows.indices.last, let before = rows[last].amount, mayBeCounted(last) else {
      return wait(row, amount)
    }
    let numbers = row.numbers + (waiting?.numbers ?? [])
    if before == amount, row.unitPrice != nil {
      lead -= 1
      rows[last].quantity = row.quantity
      rows[last].measure = row.measure
      rows[last].unitPrice = row.unitPrice
    } else if let count = numbers.first(where: {
      $0.mayCount && $0.value.magnitude > Number(1) && Multiple.makes(amount, $0, before)
    }) {
      raise(last, to: amount, count)
      waiting = nil
    } else if row.isDoubtful, before == amount {
      rows[last].isDoubtful = true
    } else {
      wait(row, amount)
    }
  }

  /// Keeps a quantity with an amount that may be the price of the thing below: `6 u 1.79`.
  private mutating func wait(_ row: PrintedRow, _ price: Number) {
    guard !row.numbers.isEmpty else { return }
    dropWaiting(before: nil)
    waiting = Detail(
      numbers: row.numbers + [RowNumber(price: price)], line: row.line, behind: nil,
      isCount: true, hasWord: true)
  }

  /// Takes an amount without a name for the price of one, if that makes the amount above it.
  private mutating func isPrice(_ row: PrintedRow, _ price: Number) -> Bool {
    guard plainNames.isEmpty, let last = rows.indices.last, let amount = rows[last].amount,
      mayBeCounted(last), amount != price,
      let multiple = Multiple.making(
        amount, of: row.numbers + (waiting?.numbers ?? []) + [RowNumber(price: price)])
    else { return false }
    rows[last].take(multiple)
    waiting = nil
    return true
  }

  /// The name that an amount below it belongs to.
  private var nameAbove: PrintedRow? {
    let plain = plainNames
    // The first name of a receipt is the shop's.
    if rows.isEmpty, plain.count < 2, let name = names.last, name.isDetail { return name }
    return plain.last ?? names.last
  }

  /// Returns an amount with the name above it, and its quantity.
  private mutating func joined(_ row: PrintedRow, with name: PrintedRow) -> PrintedRow {
    var joined = row
    joined.line = name.line
    joined.name = name.name
    joined.label = name.label
    let names = plainNames
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
    if joined.unitPrice == nil, let amount = row.amount,
      let multiple = Multiple.making(amount, of: name.numbers)
    {
      joined.take(multiple)
      if waiting?.line == name.line { waiting = nil }
    } else if !name.isDetail, joined.unitPrice == nil, Multiple.isStated(in: name.numbers) {
      joined.isDoubtful = true
    } else if name.isDetail, waiting?.line == name.line {
      // The number is a part of the name: `7 UP`.
      waiting = nil
    } else if joined.unitPrice != nil || waiting?.isPart != true {
      take(&joined)
    }
    return joined
  }

  /// Adds quantities and prices that have no name and no amount; returns whether they count the row
  /// above.
  private mutating func addDetail(_ row: PrintedRow) -> Bool {
    guard !row.numbers.isEmpty else { return false }
    let isCount = row.numbers.contains { $0.decimals == 0 || $0.measure != nil }
    var detail = Detail(
      numbers: row.numbers, line: row.line, isCount: isCount && row.hasSign,
      hasWord: row.hasWord)
    if let waiting, waiting.isPart, waiting.line == row.line - 1, detail.isPart {
      detail.numbers = waiting.numbers + row.numbers.map(\.onNextLine)
      detail.behind = waiting.behind
      detail.isCount = waiting.isCount || detail.isCount
      self.waiting = nil
    } else {
      detail.behind = plainNames.isEmpty ? rows.indices.last : nil
    }
    if let last = rows.indices.last, let amount = rows[last].amount, plainNames.isEmpty,
      mayBeCounted(last)
    {
      let own = rows[last].quantity.map { [RowNumber(count: $0, rows[last].measure)] } ?? []
      if let multiple = Multiple.making(amount, of: detail.numbers)
        ?? Multiple.making(amount, of: own + detail.numbers)
      {
        lead -= 1
        rows[last].take(multiple)
        return true
      }
      for count in detail.numbers where count.decimals == 0 && count.value > Number(1) {
        for total in detail.numbers where total.decimals >= 2 && total.value > amount {
          guard Multiple.makes(total.value, count, amount) else { continue }
          raise(last, to: total.value, count)
          return true
        }
      }
    }
    dropWaiting(before: nil)
    waiting = detail
    return false
  }

  /// Makes the amount of a row the price of one, and sets the amount of all.
  private mutating func raise(_ index: Int, to amount: Number, _ count: RowNumber) {
    rows[index].unitPrice = rows[index].amount
    rows[index].amount = amount
    rows[index].quantity = count.value
    rows[index].measure = count.measure
  }
}

extension RowNumber {
  /// A quantity that was read from another line.
  fileprivate init(count: Number, _ measure: Measure?) {
    self.init(
      value: count, decimals: 0, measure: measure, isPerUnit: false, place: -2, pieces: 0..<0,
      isFactor: true,
      standsAlone: true)
  }

  /// A price that is printed alone on its line.
  fileprivate init(price: Number) {
    self.init(
      value: price, decimals: 2, isPerUnit: false, place: -1, pieces: 0..<0, isFactor: true,
      standsAlone: true)
  }

  /// The number at a place behind those of the line before.
  fileprivate var onNextLine: RowNumber {
    var number = self
    number.place += 1000
    return number
  }
}
