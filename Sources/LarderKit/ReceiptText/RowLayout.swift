internal import LarderModel

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
  /// Whether most things have the numbers of delivered and ordered pieces: `2/2`.
  var hasDelivered = false
  /// The marks of taxes and departments at the ends of names.
  var marks = NameMarks()
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
    let delivered = rows.count { line, _ in
      line.pieces.indices.contains {
        line.pieces[$0].number?.isOfOrdered ?? false && line.pieces.isColumn($0)
      }
    }
    hasDelivered = delivered > 1 && delivered * 2 >= rows.count
    marks = NameMarks(of: rows.compactMap { $0.1?.name }, in: lines)
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
    // They may as well be the numbers of the lines.
    if counts.count > 2, !isCounted, counts == (1...counts.count).map({ Number($0) }) { return }
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
      !number.isPercent, !number.isOfOrdered, number.currency == nil,
      number.value.magnitude < Number(1000)
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
