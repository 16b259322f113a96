internal import LarderModel

/// The reader of one line.
struct RowReader {
  private let style: NumberStyle
  private let layout: RowLayout

  init(_ style: NumberStyle, _ layout: RowLayout) {
    self.style = style
    self.layout = layout
  }

  /// Returns the content of a line; nil if it has none.
  func row(_ line: PrintedLine) -> PrintedRow? {
    let pieces = line.pieces
    guard !pieces.isEmpty else { return nil }
    var row = PrintedRow(line: line.number)
    let amount = amountPlace(in: pieces)
    let end = amount ?? pieces.count
    let numbers = numbers(in: pieces, upTo: end)
    row.amount = amount.flatMap { pieces[$0].number?.value }
    row.currency = amount.flatMap { pieces[$0].number?.currency }
    var used: Set<Int> = []
    if let amount = row.amount, let multiple = Multiple.making(amount, of: numbers) {
      row.take(multiple)
      used.formUnion(multiple.quantity.pieces)
      used.formUnion(multiple.pricePieces ?? 0..<0)
      useSigns(around: &used, in: pieces)
      usePrices(behind: multiple.quantity, &used, in: pieces, upTo: end)
      if let first = numbers.first, first.pieces.lowerBound == 0, first.decimals == 0,
        line.hasLeadingCount, !used.contains(0), layout.hasQuantityColumn
      {
        used.insert(0)
      }
    } else if let quantity = plainQuantity(numbers, in: line) {
      row.quantity = quantity.value
      row.measure = quantity.measure
      used.formUnion(quantity.pieces)
      useSigns(around: &used, in: pieces)
      useColumns(behind: quantity, &used, in: pieces, upTo: end)
      if let price = numbers.first(where: { $0.isPrice(of: quantity) }) {
        used.formUnion(price.pieces)
        useSigns(around: &used, in: pieces)
      }
      row.isDoubtful = layout.isLoose && quantity.pieces == 0..<1 && !quantity.isFactor
    }
    // A quantity and a price are printed, and do not make the amount.
    if let amount = row.amount, row.unitPrice == nil,
      Multiple.isStated(in: numbers) || hasUnfitColumns(amount, numbers, in: pieces, upTo: end)
    {
      row.isDoubtful = true
    }
    row.quantity = row.quantity?.magnitude
    if let amount, amount > 0, pieces[amount - 1].isCurrency { used.insert(amount - 1) }
    let name = NameReader(line, upTo: end, without: used, layout.hasCodes)
    row.name = name.name
    row.label = name.label
    row.barcode = name.barcode
    if !row.hasName { row.codes = name.codes }
    if !row.hasName { row.numbers = numbers }
    guard row.hasName || row.amount != nil || !numbers.isEmpty || row.codes != nil else {
      return nil
    }
    return row
  }

  /// Whether a line has a quantity and a price in columns that do not make the amount.
  ///
  /// Another column may have the reduced sum, or what was taken off.
  private func hasUnfitColumns(
    _ amount: Number, _ numbers: [RowNumber], in pieces: [Piece], upTo end: Int
  ) -> Bool {
    let prices = numbers.filter { price in
      price.decimals == style.decimals && price.measure == nil && !price.isGlued
        && (price.place + 1..<end).allSatisfy { !pieces[$0].isLongWord }
        && pieces[price.pieces.lowerBound..<end].contains { $0.gap > 1 || $0.kind == .word }
    }
    guard !prices.isEmpty else { return false }
    let quantities = numbers.filter { count in
      count.mayCount && (count.decimals == 0 || count.decimals == 3) && !count.isGlued
        && count.place < prices[0].place
        && (count.place == 0 || count.isFactor || count.measure != nil
          || pieces[count.pieces.lowerBound].gap > 1)
        && count.measure?.isSmall != true
    }
    let percents = pieces.compactMap(\.number).filter(\.isPercent).map(\.value.magnitude)
    let parts = percents.compactMap { (Number(100) - $0).divided(by: Number(100)) }
    let isReduced = quantities.contains { quantity in
      prices.contains { price in
        let others = prices.filter { $0 != price }.map(\.value.magnitude)
        return others.contains { other in
          other == amount.magnitude && quantity.value > Number(1)
            || Multiple.makes(amount.magnitude + other, quantity, price.value)
            || Multiple.makes(amount, quantity, price.value - other)
        }
          || parts.contains { part in
            amount.divided(by: part).map { Multiple.makes($0, quantity, price.value) } ?? false
          }
      }
    }
    return !quantities.isEmpty && !isReduced
  }

  /// Returns the index of the amount at the end of a line; nil if there is none.
  private func amountPlace(in pieces: [Piece]) -> Int? {
    guard let place = pieces.indices.last(where: { isAmount($0, in: pieces) }) else { return nil }
    let tail = pieces[(place + 1)...]
    let isFactor = isTimes(before: place, in: pieces) || isTimes(behind: place, in: pieces)
    // `£4 50` has lost its decimal mark.
    let isCut = pieces[place].number?.decimals == 0 && tail.contains { $0.number != nil }
    guard tail.count <= 3, !isFactor, !(style.mayBeWhole && isCut), !isPerUnit(place, in: pieces),
      tail.allSatisfy(isTail)
    else { return nil }
    return place
  }

  private func isAmount(_ place: Int, in pieces: [Piece]) -> Bool {
    guard let number = pieces[place].number, !number.isPercent else { return false }
    if style.mayBeWhole, number.decimals == 0 {
      // The last digits of `4 50` and `4 € 50` are cents, not an amount.
      let before = pieces[..<place].lastIndex { !$0.isCurrency }
      let isPart =
        before.map { pieces[$0].number != nil && pieces[$0 + 1].gap < 2 } ?? false
        && place > 0 && pieces[place].gap < 2
      let isColumn = style.hasWholeColumn && pieces[place].gap > 1 && place > 0
      return !isPart && (number.currency != nil || isColumn)
    }
    return number.decimals == style.decimals && (style.decimals > 0 || number.currency != nil)
  }

  /// Whether a piece may follow an amount: a currency, a star, or the mark of a tax or a
  /// department.
  private func isTail(_ piece: Piece) -> Bool {
    switch piece.kind {
    case .currency, .times: true
    case .number(let number): number.decimals == 0 && number.value.magnitude < Number(1000)
    case .word, .measure: piece.isShort
    case .per, .code: false
    }
  }

  private func isPerUnit(_ place: Int, in pieces: [Piece]) -> Bool {
    if place > 0, pieces[place].gap == 0, pieces[place - 1].kind == .per { return true }
    var next = place + 1
    if next < pieces.count, case .currency = pieces[next].kind { next += 1 }
    guard next < pieces.count else { return false }
    if pieces[next].kind == .per { return true }
    return pieces[next].kind == .measure(.count)
      && (pieces[place].number.map { $0.decimals == 2 || $0.currency != nil } ?? false)
  }

  private func isTimes(before place: Int, in pieces: [Piece]) -> Bool {
    var index = place - 1
    var isPer = false
    while index >= 0 {
      switch pieces[index].kind {
      case .times: return true
      case .currency: index -= 1
      case .per: (isPer, index) = (true, index - 1)
      // The `1 lb` in `@ 1 lb /0.58` belongs to the price; the size in `4x 150g 1.99` does not.
      case .measure where isPer && index > 1 && pieces[index - 2].kind == .times: index -= 2
      default: return false
      }
    }
    return false
  }

  private func isTimes(behind place: Int, in pieces: [Piece]) -> Bool {
    var index = place + 1
    while index < pieces.count {
      switch pieces[index].kind {
      case .times: return index + 1 < pieces.count
      case .currency, .measure: index += 1
      case .word where pieces[index].isNet: index += 1
      default: return false
      }
    }
    return false
  }

  private func numbers(in pieces: [Piece], upTo end: Int) -> [RowNumber] {
    (0..<end).flatMap { place -> [RowNumber] in
      guard let number = pieces[place].number, !number.isPercent else { return [] }
      var range = place..<(place + 1)
      var measure: Measure?
      let isPerUnit = isPerUnit(place, in: pieces)
      scan: while range.upperBound < end {
        switch pieces[range.upperBound].kind {
        case .currency, .per: break
        case .measure(let found):
          if !isPerUnit { measure = found }
        case .word where pieces[range.upperBound].isNet: break
        default: break scan
        }
        range = range.lowerBound..<(range.upperBound + 1)
      }
      if place > 0,
        pieces[place - 1].isCurrency || (pieces[place].gap == 0 && pieces[place - 1].kind == .per)
      {
        range = (place - 1)..<range.upperBound
      }
      let isFactor = isTimes(before: place, in: pieces) || isTimes(behind: place, in: pieces)
      let next = place + 1 < pieces.count ? pieces[place + 1] : nil
      let isGlued = next.map { $0.gap == 0 && $0.isMeasure } ?? false
      let read = RowNumber(
        value: number.value, decimals: number.decimals, measure: measure, isPerUnit: isPerUnit,
        place: place, pieces: range, isFactor: isFactor,
        standsAlone: !isGlued || isFactor || measure == .count,
        isGlued: pieces[place].gap == 0)
      guard let value = number.withDecimals, number.currency == nil, measure?.isSmall != true else {
        return [read]
      }
      var other = read
      (other.value, other.decimals) = (value, value.isWhole ? 0 : 3)
      return [other, read]
    }
  }

  /// Returns the quantity of a line without a price, or whose price does not make the amount.
  private func plainQuantity(_ numbers: [RowNumber], in line: PrintedLine) -> RowNumber? {
    let hasWords = { (places: Range<Int>) in places.contains { line.pieces[$0].isLongWord } }
    let isHeading = { (place: Int) in
      line.pieces.indices.contains(place) && line.pieces[place].kind == .word
        && ReceiptWords.label(of: line.words[line.pieces[place].word])
          .hasWord(of: ReceiptWords.quantityHeadings)
    }
    let first = numbers.first.flatMap {
      $0.pieces.lowerBound == 0 && $0.decimals == 0 && $0.mayCount ? $0 : nil
    }
    // `2 x Milk`
    let isLeading = layout.leadsWithQuantity && line.indent < layout.nameColumn ?? .max
    if let first, first.isFactor || isLeading || first.measure == .count, first.standsAlone,
      hasWords(first.pieces.upperBound..<line.pieces.count)
    {
      return first
    }
    // `Qty 3`
    if let named = numbers.first(where: { isHeading($0.pieces.lowerBound - 1) && $0.mayCount }) {
      return named
    }
    // `2 QTY Onions`
    if var first, first.pieces == 0..<1, line.pieces.count > 2, isHeading(1) {
      first.pieces = 0..<2
      return first
    }
    let column = numbers.first { number in
      let place = number.pieces.lowerBound
      return layout.hasQuantityColumn && place > 0 && line.pieces[place].gap > 1 && number.mayCount
        && (number.decimals == 0 || number.decimals == 3) && hasWords(0..<place)
    }
    let factor = numbers.first { number in
      number.decimals == 0 && number.isFactor && number.mayCount
        && numbers.contains { $0.isPrice(of: number) }
    }
    // Scales print grams.
    return column ?? factor
      ?? numbers.first { $0.decimals == 3 && $0.measure != nil && !$0.isPerUnit }
  }

  /// Marks the signs of multiplication next to used pieces as used.
  private func useSigns(around used: inout Set<Int>, in pieces: [Piece]) {
    for place in pieces.indices where pieces[place].kind == .times {
      if used.contains(place - 1) || used.contains(place + 1) { used.insert(place) }
    }
  }

  /// Marks all prices between a quantity and the amount as used, if nothing else stands there.
  ///
  /// Beside the price that makes the amount, a column may have the former one.
  private func usePrices(
    behind quantity: RowNumber, _ used: inout Set<Int>, in pieces: [Piece], upTo end: Int
  ) {
    let columns = quantity.pieces.upperBound..<max(end, quantity.pieces.upperBound)
    guard columns.allSatisfy({ pieces[$0].kind != .word && !pieces[$0].isCode }) else { return }
    used.formUnion(columns)
  }

  /// Marks the prices in the columns between a quantity and the amount as used.
  private func useColumns(
    behind quantity: RowNumber, _ used: inout Set<Int>, in pieces: [Piece], upTo end: Int
  ) {
    let columns = quantity.pieces.upperBound..<end
    guard !columns.isEmpty, columns.allSatisfy({ !pieces[$0].isLongWord }) else { return }
    used.formUnion(columns)
  }
}

extension RowNumber {
  /// Whether it is the price in `2 x 1.49`, if another number is the quantity.
  fileprivate func isPrice(of quantity: RowNumber) -> Bool {
    self != quantity && isFactor && quantity.isFactor && decimals >= 2 && measure == nil
      && !isSize(beside: quantity)
  }
}

extension Piece {
  var isCurrency: Bool { if case .currency = kind { true } else { false } }
  fileprivate var isCode: Bool { if case .code = kind { true } else { false } }
  fileprivate var isMeasure: Bool { if case .measure = kind { true } else { false } }
  fileprivate var isShort: Bool { length <= 3 }
  fileprivate var isLongWord: Bool { kind == .word && length > 1 }
  fileprivate var isNet: Bool { kind == .word && isNetWord }
}
