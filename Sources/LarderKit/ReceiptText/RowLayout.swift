internal import LarderModel

/// The columns of a receipt's lines.
struct RowLayout: Equatable {
  /// Whether each line begins with its quantity.
  var leadsWithQuantity = false
  /// Whether most lines begin with an article number.
  var hasCodes = false
  /// Whether a column after the names has the quantity.
  var hasQuantityColumn = false

  init() {}

  /// Finds the layout of a receipt's lines.
  init(of lines: [PrintedLine], _ style: NumberStyle) {
    let reader = RowReader(style, RowLayout())
    let rows = lines.map { ($0, reader.row($0)) }.prefix { $0.1?.kind != .total }
      .filter { $0.1.map { $0.amount != nil && $0.hasName && $0.kind == .item } ?? false }
    let coded = rows.filter { $0.0.hasLeadingCode }
    hasCodes = rows.count > 1 && coded.count * 5 >= rows.count * 3
    for line in lines {
      let label = ReceiptWords.label(of: line.text)
      guard let place = label.firstIndex(where: ReceiptWords.quantityHeadings.contains),
        let other = label.firstIndex(where: ReceiptWords.headings.contains),
        !line.pieces.contains(where: { $0.number != nil })
      else { continue }
      leadsWithQuantity = place < other
      hasQuantityColumn = !leadsWithQuantity
      return
    }
    let leading = rows.filter { $0.0.hasLeadingCount }
    leadsWithQuantity = rows.count > 1 && leading.count * 5 >= rows.count * 3
  }
}

extension PrintedLine {
  /// Whether it begins with an article number, maybe after one or two tax letters.
  fileprivate var hasLeadingCode: Bool {
    let first = pieces.first { $0.kind != .word || $0.length > 2 }
    guard case .code? = first?.kind else { return false }
    return true
  }

  /// Whether it begins with a whole number, such as `2 Milk`.
  var hasLeadingCount: Bool {
    guard pieces.count > 1, let number = pieces[0].number, number.decimals == 0,
      !number.isPercent, number.currency == nil, number.value.magnitude < Number(1000)
    else { return false }
    return pieces[1].kind == .word
  }
}
