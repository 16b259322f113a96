internal import LarderModel

/// Joins rows that a receipt prints on several lines.
///
/// A name may stand above its amount, and a quantity with a price above or below it.
struct RowJoiner {
  /// The rows with an amount, in order.
  private(set) var rows: [PrintedRow] = []
  /// The line numbers of totals whose amount can't be read: `Total 3580`.
  private(set) var unreadTotals: [Int] = []
  /// The names since the last amount.
  private var names: [PrintedRow] = []
  /// The row since the last amount that has only a barcode.
  private var code: PrintedRow?
  /// A quantity with a price that fits no earlier row.
  private var waiting: PrintedRow?
  /// The index of the row right above it.
  private var waitingBehind: Int?
  /// The rows above and below a quantity with a price that makes the amount of neither.
  private var unfit: [(above: Int?, below: Int?)] = []
  /// The number of quantities above their rows minus that of those below.
  private var lead = 0
  /// Whether most amounts stand on lines of their own.
  private let hasAmountsApart: Bool

  init(_ all: [PrintedRow]) {
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

  private mutating func add(_ row: PrintedRow) {
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
  private mutating func addNamed(_ row: PrintedRow) {
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
    guard let last = rows.indices.last, let before = rows[last].amount, mayBeCounted(last) else {
      return
    }
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
  private mutating func addDetail(_ row: PrintedRow) {
    guard row.numbers.count > 1 else { return }
    if let last = rows.indices.last, let amount = rows[last].amount, names.isEmpty,
      mayBeCounted(last)
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

/// The columns of a receipt's lines.
struct RowLayout: Equatable {
  /// Whether each line begins with its quantity.
  var leadsWithQuantity = false
  /// Whether most lines begin with an article number.
  var hasCodes = false
  /// Whether a column after the names has the quantity.
  var hasQuantityColumn = false
  /// Whether the quantities before names may as well be parts of the names.
  var isLoose = false
  /// The column at which names begin, if quantities stand left of it.
  var nameColumn: Int?
  /// The numbers of articles that the receipt names.
  var articles: [Number] = []

  init() {}

  /// Finds the layout of a receipt's lines.
  init(of lines: [PrintedLine], _ style: NumberStyle) {
    let reader = RowReader(style, RowLayout())
    let rows = lines.map { ($0, reader.row($0)) }.prefix { $0.1?.kind != .total }
      .filter { $0.1.map { $0.amount != nil && $0.hasName && $0.kind == .item } ?? false }
    let coded = rows.filter { $0.0.hasLeadingCode }
    hasCodes = rows.count > 1 && coded.count * 5 >= rows.count * 3
    for line in lines where !line.pieces.contains(where: { $0.number != nil }) {
      let label = ReceiptWords.label(of: line.text)
      guard let place = label.firstIndex(where: ReceiptWords.quantityHeadings.contains),
        let other = label.firstIndex(where: ReceiptWords.headings.contains)
      else { continue }
      leadsWithQuantity = place < other
      hasQuantityColumn = !leadsWithQuantity
      articles = ArticleCount.all(in: lines)
      return
    }
    articles = ArticleCount.all(in: lines)
    countLeading(rows.compactMap { line, row in row.map { (line, $0) } })
  }

  /// Decides whether numbers before names are quantities.
  ///
  /// They are if they stand in a column left of all names, or before all of them, or if the number
  /// of articles on the receipt says so. Otherwise they are parts of names: `7 UP`.
  private mutating func countLeading(_ rows: [(line: PrintedLine, row: PrintedRow)]) {
    let (leading, others) = rows.reduce(into: ([PrintedLine](), [PrintedLine]())) {
      $1.line.hasLeadingCount ? $0.0.append($1.line) : $0.1.append($1.line)
    }
    guard !leading.isEmpty else { return }
    let counts = leading.compactMap { $0.pieces[0].number?.value }
    let pieces = rows.filter { !$0.line.hasLeadingCount }.map { $0.row.quantity ?? Number(1) }
      .reduce(counts.reduce(.zero, +)) { $0 + ($1.isWhole ? $1 : Number(1)) }
    let isCounted = articles.contains(pieces) && !articles.contains(Number(rows.count))
    if others.isEmpty {
      guard rows.count > 1 || isCounted else { return }
      leadsWithQuantity = true
      isLoose = rows.count < 3 && !isCounted && !counts.contains(Number(1))
      return
    }
    // Names that begin with a number stand in the column of the other names.
    let start = others.map(\.indent).min() ?? 0
    let counted = leading.filter { $0.indent < start }
    let isColumn =
      !counted.isEmpty
      && counted.allSatisfy { line in
        others.contains { abs($0.indent - line.startOfName) <= 1 }
      }
    if isColumn { nameColumn = start }
    leadsWithQuantity = isColumn || isCounted
  }
}

extension PrintedLine {
  /// Whether it begins with an article number, maybe after one or two tax letters.
  fileprivate var hasLeadingCode: Bool {
    let first = pieces.first { $0.kind != .word || $0.length > 2 }
    guard case .code? = first?.kind else { return false }
    return true
  }

  /// The column of the name behind a leading number.
  fileprivate var startOfName: Int {
    indent + (words.first?.count ?? 0) + (pieces.dropFirst().first?.gap ?? 0)
  }

  /// Whether it begins with a whole number, such as `2 Milk`.
  var hasLeadingCount: Bool {
    guard pieces.count > 1, let number = pieces[0].number, number.decimals == 0,
      !number.isPercent, number.currency == nil, number.value.magnitude < Number(1000)
    else { return false }
    return pieces[1].kind == .word
  }
}

/// The table of a receipt's taxes: what is in it is no thing.
enum TaxTable {
  /// Returns the indices of the lines in such tables, without totals and payments.
  static func places(in lines: [PrintedLine], _ rows: [PrintedRow?], _ style: NumberStyle) -> Set<
    Int
  > {
    var places: Set<Int> = []
    var isInside = false
    for (place, line) in lines.enumerated() {
      guard !line.pieces.isEmpty else { continue }
      let amounts = line.pieces.compactMap(\.number).filter { $0.decimals == style.decimals }
      guard amounts.isEmpty || isInside || amounts.count > 2 else { continue }
      let label = ReceiptWords.label(of: line.text)
      if amounts.isEmpty, isHeading(label) {
        (isInside, _) = (true, places.insert(place))
      } else if isInside, isRow(label, rows[place], amounts.count) {
        if rows[place]?.kind != .total { places.insert(place) }
      } else {
        isInside = false
        if isSum(amounts.map(\.value)), isTax(label) { places.insert(place) }
      }
    }
    return places
  }

  /// Whether a line is the heading of a table of taxes: `MwSt Netto Steuer Brutto`.
  private static func isHeading(_ label: [String]) -> Bool {
    let words = label.filter { $0.count > 1 }
    return words.count > 1
      && words.allSatisfy {
        ReceiptWords.taxes.contains($0) || ReceiptWords.taxHeadings.contains($0)
      }
      && (words.hasWord(of: ReceiptWords.taxes) || words.hasWord(of: ReceiptWords.netHeadings))
  }

  /// Whether a line below such a heading belongs to the table: it names a rate or nothing.
  private static func isRow(_ label: [String], _ row: PrintedRow?, _ amounts: Int) -> Bool {
    if let kind = row?.kind, [.payment, .change].contains(kind), row?.hasName ?? false {
      return false
    }
    return label.allSatisfy { word in
      word.count < 3 || ReceiptWords.taxes.contains(word)
        || ReceiptWords.taxHeadings.contains(word) || ReceiptWords.fillers.contains(word)
    }
  }

  /// Whether a line names a tax, or nothing but its mark.
  private static func isTax(_ label: [String]) -> Bool {
    label.allSatisfy { $0.count < 3 } || label.hasWord(of: ReceiptWords.taxes)
  }

  /// Whether three amounts are a net amount, its tax and their sum, in any order.
  private static func isSum(_ amounts: [Number]) -> Bool {
    guard amounts.count == 3, amounts.allSatisfy({ $0 > .zero }) else { return false }
    let (sum, most) = (amounts.reduce(.zero, +), amounts.max() ?? .zero)
    // A tax is at most a third of its net amount.
    let tax = amounts.min() ?? .zero
    return sum == most + most && tax + tax + tax < most
  }
}
