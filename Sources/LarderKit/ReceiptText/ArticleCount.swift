internal import LarderModel

/// The number of articles that a receipt names: `4 ITEMS`, `Total Qty 6`.
///
/// The number of its positions, as in `Posten: 5`, says nothing about quantities.
enum ArticleCount {
  /// Returns the numbers that lines name.
  static func all(in lines: [PrintedLine]) -> [Number] { lines.flatMap { numbers(on: $0.text) } }

  /// Returns the numbers that may name all things among the first rows, for each number of rows.
  static func numbers(of rows: [PrintedRow]) -> [Set<Number>] {
    var (all, things): ([Number], [Number]) = ([.zero, .zero], [.zero, .zero])
    return [[]]
      + rows.map { row in
        let pieces = row.quantity.flatMap { $0.isWhole ? $0 : nil } ?? Number(1)
        all = [all[0] + Number(1), all[1] + pieces]
        if row.kind == .item { things = [things[0] + Number(1), things[1] + pieces] }
        return Set(all + things)
      }
  }

  private static func numbers(on text: String) -> [Number] {
    let counts: [Substring] = text.split { !$0.isASCIIDigit && !".,".contains($0) }
      .filter { $0.count < 4 && $0.allSatisfy(\.isASCIIDigit) }
    guard !counts.isEmpty else { return [] }
    let label = ReceiptWords.label(of: text)
    let words = label.filter(ReceiptWords.articleWords.contains)
    guard !words.isEmpty, label.count < 8 else { return [] }
    // `2 Stk 1,19` and `Qty: 3` are about one thing.
    let isAboutAll =
      !words.allSatisfy(ReceiptWords.countWords.contains)
      || label.hasWord(of: ReceiptWords.articleFillers)
    let rest = label.filter {
      !ReceiptWords.articleWords.contains($0) && !ReceiptWords.articleFillers.contains($0)
        && !ReceiptWords.fillers.contains($0)
    }
    guard isAboutAll, rest.isEmpty || rest.beginning(ReceiptWords.totals) == rest else { return [] }
    return counts.compactMap { Number($0.withoutZeros) }
  }
}

extension ReadReceipt {
  /// Marks quantities without a price of one as doubtful if no way of counting makes the number of
  /// articles that the receipt names.
  mutating func check(articles: [Number]) {
    let isUnconfirmed = { (line: ReadLine) in
      line.kind == .item && line.unitPrice == nil && line.unit == nil && line.quantity > Number(1)
    }
    guard !articles.isEmpty, lines.contains(where: isUnconfirmed) else { return }
    let ways: [Set<ReadLine.Kind>] = [
      [.item], [.item, .deposit], [.item, .fee], [.item, .deposit, .fee],
      [.item, .deposit, .fee, .discount],
    ]
    let counts = ways.flatMap { kinds in
      let counted = lines.filter { kinds.contains($0.kind) }
      let pieces = counted.map { $0.quantity.isWhole && $0.unit == nil ? $0.quantity : Number(1) }
      return [Number(counted.count), pieces.reduce(.zero, +)]
    }
    guard !articles.contains(where: counts.contains) else { return }
    for place in lines.indices where isUnconfirmed(lines[place]) {
      (lines[place].isCountDoubtful, lines[place].isDoubtful) = (true, true)
    }
  }
}
