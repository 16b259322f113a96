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
    var multiple: Range<Int>?
    if let amount = row.amount, let found = Multiple.making(amount, of: numbers) {
      row.take(found)
      multiple = found.span
      used.formUnion(found.quantity.pieces)
      used.formUnion(found.pricePieces ?? 0..<0)
      useSigns(around: &used, in: pieces)
      usePrices(behind: found.quantity, &used, in: pieces, upTo: end)
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
      // Neither a price nor a column says that it is one.
      row.isDoubtful =
        (layout.isLoose && quantity.pieces == 0..<1 && !quantity.isFactor)
        || (quantity.decimals == 3 && row.amount != nil && !layout.hasQuantityColumn)
    }
    // A quantity and a price are printed, and do not make the amount.
    if let amount = row.amount, row.unitPrice == nil,
      Multiple.isStated(in: numbers) || hasUnfitColumns(amount, numbers, in: pieces, upTo: end)
        || (row.quantity == nil && hasLooseCount(numbers, in: pieces, upTo: end))
    {
      row.isDoubtful = true
    }
    row.quantity = row.quantity?.magnitude
    if let amount, amount > 0, pieces[amount - 1].isCurrency { used.insert(amount - 1) }
    let span = amount == nil ? Multiple.stated(in: numbers) : multiple
    let name = name(on: line, upTo: end, without: used, around: span)
    row.take(name.reader)
    row.isDetail =
      row.hasName
      && (name.isInside || (amount == nil && span == nil && isDetail(numbers, in: line)))
    row.hasWord = pieces.contains { [.word, .measure(.count)].contains($0.kind) }
    row.hasSign = row.hasWord || pieces.contains { $0.kind == .times || $0.isMeasure }
    if !row.hasName || amount == nil { row.numbers = numbers }
    guard row.hasName || row.amount != nil || !numbers.isEmpty || row.codes != nil else {
      return nil
    }
    return row
  }

  /// Reads a line's name without the words around a quantity and its price, in the pieces of `span`.
  ///
  /// Such a word may be the one for a piece, in any language. If there is no other, it may as well be
  /// the name, which stands inside of them: `6 szt x 1.79`, `2 Apples @ 0.50`.
  private func name(
    on line: PrintedLine, upTo end: Int, without used: Set<Int>, around span: Range<Int>?
  ) -> (reader: NameReader, isInside: Bool) {
    let reader = { (places: [Int]) in
      NameReader(line, upTo: end, without: used.union(places), layout)
    }
    guard let span else { return (reader([]), false) }
    let behind = span.upperBound..<max(end, span.upperBound)
    let words = behind.count { line.pieces[$0].isLongWord }
    let outside = reader(Array(span.lowerBound..<(words < 2 ? behind : span).upperBound))
    if !outside.name.isEmpty { return (outside, false) }
    // `6 szt   Water   1.79`: the column of the count has its word.
    let column = (span.lowerBound..<end).prefix { $0 == span.lowerBound || line.pieces[$0].gap < 2 }
    let beside = reader(Array(column))
    return beside.name.isEmpty ? (reader([]), true) : (beside, false)
  }

  /// Whether a line has nothing but a quantity, a price, or both, with a word or two: `2 KPL`,
  /// `2 KPL 2.59 €/KPL`.
  private func isDetail(_ numbers: [RowNumber], in line: PrintedLine) -> Bool {
    guard let first = numbers.first, !line.pieces.contains(where: \.isCode) else { return false }
    let words = line.pieces.filter(\.isLongWord)
    let isHeaded = line.pieces[..<first.place].allSatisfy { piece in
      piece.kind != .word
        || ReceiptWords.label(of: line.words[piece.word])
          .allSatisfy(ReceiptWords.quantityHeadings.contains)
    }
    let isCount = first.mayCount && (first.decimals == 0 || first.measure != nil)
    let hasPrice = numbers.contains {
      $0.place != first.place && ($0.decimals == style.decimals || $0.isPerUnit)
    }
    guard isHeaded, isCount || first.isPerUnit || first.isFactor else { return false }
    return hasPrice
      ? words.count < 3 : words.count < 2 && numbers.allSatisfy { $0.place == first.place }
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
        && (count.place == 0 || count.isFactor || (count.measure ?? .count) != .count
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

  /// Whether a number stands in a column of its own, between a name and an amount.
  private func hasLooseCount(_ numbers: [RowNumber], in pieces: [Piece], upTo end: Int) -> Bool {
    numbers.contains { number in
      guard number.decimals == 0, number.mayCount, number.value > Number(1) else { return false }
      if number.isOfOrdered { return true }
      let (first, behind) = (number.pieces.lowerBound, number.pieces.upperBound..<end)
      let start = first > 0 && pieces[first - 1].kind == .times ? first - 1 : first
      return start > 0 && pieces[start].gap > 1
        && behind.count(where: { pieces[$0].isLongWord }) < 2
        && behind.dropFirst().allSatisfy { pieces[$0].gap < 2 }
        && pieces[number.pieces.upperBound...].first { $0.gap != 1 }?.gap ?? 0 > 1
    }
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
    if place > 0, pieces[place].gap == 0, pieces[place - 1].isPer { return true }
    var next = place + 1
    if next < pieces.count, case .currency = pieces[next].kind { next += 1 }
    guard next < pieces.count else { return false }
    if pieces[next].isPer { return true }
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
    var words = 0
    while index < pieces.count {
      switch pieces[index].kind {
      case .times: return index + 1 < pieces.count && (words == 0 || isPrice(index + 1, in: pieces))
      case .currency, .measure: index += 1
      case .word where pieces[index].isNet: index += 1
      // `6 szt x 1.79`
      case .word where words < 2 && pieces[place].number?.decimals == 0:
        (words, index) = (words + 1, index + 1)
      default: return false
      }
    }
    return false
  }

  /// Whether a price begins at a piece.
  private func isPrice(_ place: Int, in pieces: [Piece]) -> Bool {
    let rest = pieces[place...].drop(while: \.isCurrency)
    return rest.first?.number?.decimals == style.decimals && style.decimals > 0
  }

  private func numbers(in pieces: [Piece], upTo end: Int) -> [RowNumber] {
    // No line has more numbers that mean something.
    let places = (0..<end).filter { pieces[$0].number != nil }.suffix(12)
    return places.flatMap { place -> [RowNumber] in
      guard let number = pieces[place].number, !number.isPercent,
        !number.isOfOrdered || pieces.isColumn(place)
      else { return [] }
      var range = place..<(place + 1)
      var (measure, per): (Measure?, Measure?)
      let isPerUnit = isPerUnit(place, in: pieces)
      scan: while range.upperBound < end {
        switch pieces[range.upperBound].kind {
        case .currency: break
        case .per(let unit): per = per ?? unit
        case .measure(let found):
          if !isPerUnit { measure = found }
        case .word where pieces[range.upperBound].isNet: break
        default: break scan
        }
        range = range.lowerBound..<(range.upperBound + 1)
      }
      if place > 0,
        pieces[place - 1].isCurrency || (pieces[place].gap == 0 && pieces[place - 1].isPer)
      {
        range = (place - 1)..<range.upperBound
      }
      let isFactor = isTimes(before: place, in: pieces) || isTimes(behind: place, in: pieces)
      let next = place + 1 < pieces.count ? pieces[place + 1] : nil
      let isGlued = next.map { $0.gap == 0 && $0.isMeasure } ?? false
      let read = RowNumber(
        value: number.value, decimals: number.decimals, measure: measure, isPerUnit: isPerUnit,
        per: per, place: place, pieces: range, isFactor: isFactor,
        standsAlone: !isGlued || isFactor || measure == .count, isOfOrdered: number.isOfOrdered,
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
    if layout.hasDelivered, let delivered = numbers.first(where: \.isOfOrdered) { return delivered }
    let first = numbers.first.flatMap {
      $0.pieces.lowerBound == 0 && $0.decimals == 0 && $0.mayCount && !$0.isOfOrdered
        ? $0 : nil
    }
    // `2 x Milk`
    let isLeading = layout.leadsWithQuantity && line.indent < layout.nameColumn ?? .max
    if let first, first.isFactor || isLeading, first.standsAlone,
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
      ?? numbers.first { $0.decimals == 3 && $0.isWeight && !$0.isPerUnit }
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

extension [Piece] {
  /// Whether a piece begins the line or a column, or ends one.
  func isColumn(_ place: Int) -> Bool {
    self[place].gap > 1 || (place + 1 < count && self[place + 1].gap > 1)
  }
}

extension Piece {
  var isCurrency: Bool { if case .currency = kind { true } else { false } }
  var isPer: Bool { if case .per = kind { true } else { false } }
  fileprivate var isCode: Bool { if case .code = kind { true } else { false } }
  fileprivate var isMeasure: Bool { if case .measure = kind { true } else { false } }
  fileprivate var isShort: Bool { length <= 3 }
  fileprivate var isLongWord: Bool { kind == .word && length > 1 }
  fileprivate var isNet: Bool { kind == .word && isNetWord }
}
