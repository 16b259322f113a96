internal import LarderModel

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
