internal import LarderModel

/// The reader of one word: `2x`, `6Stk*1,79`, `0,412kg`, `£2.10/kg`, `4.00-A`, `@2.99`.
///
/// Letters behind a number need no meaning: arithmetic finds out whether it is a count.
struct PieceScanner {
  private var rest: Substring
  private let style: NumberStyle
  /// Whether the word is separated from the text before it by more than one space.
  private let isColumn: Bool
  /// Whether it follows a sign of multiplication.
  private var isFactor: Bool
  private let isBehindNumber: Bool
  /// Whether the number before it has no decimals.
  private let isBehindCount: Bool

  init(_ word: String, _ style: NumberStyle, isColumn: Bool, behind before: Piece?) {
    // `(£8.50 each)`, `(6 szt x 1.79)`
    rest = word[...]
    if word.first == "(", !word.contains(")") { rest.removeFirst() }
    if word.last == ")", !word.contains("("), word.contains(where: \.isASCIIDigit) {
      rest.removeLast()
    }
    self.style = style
    self.isColumn = isColumn
    isFactor = before?.kind == .times
    isBehindNumber = before?.number != nil && !isColumn
    isBehindCount = before?.number?.decimals == 0
  }

  /// Returns the pieces of the word; nil if it is an ordinary word.
  mutating func kinds() -> [Piece.Kind]? {
    if isBehindNumber, let pounds = Measure.pounds(rest) { return [.measure(pounds)] }
    if let single = Self.single(rest) { return [single] }
    if let delivered { return [.number(delivered)] }
    if isBehindNumber, let kinds = factor() { return kinds }
    var kinds: [Piece.Kind] = []
    if let first = rest.first, Self.times.contains(first), rest.count > 1 {
      rest.removeFirst()
      kinds.append(.times)
      isFactor = true
    }
    if rest.first == "/" {
      rest.removeFirst()
      kinds.append(.per(nil))
    }
    return number().flatMap { withSuffix($0) }.map { kinds + $0 }
  }

  private static let times: Set<Character> = ["x", "X", "×", "@", "*", "à", "á"]

  /// Whether a word such as `lb` or `szt.` can say what a price is for.
  static func isUnit(_ word: Substring) -> Bool {
    word.count < 13 && word.first?.isLetter ?? false
      && word.allSatisfy { $0.isLetter || $0 == "." }
  }

  /// Returns the piece of a whole word that is a sign, a measure, a currency or a code; nil for
  /// others.
  private static func single(_ word: Substring) -> Piece.Kind? {
    if word.count == 1, times.contains(word[word.startIndex]) { return .times }
    if let code = PrintedCurrency.code(word) { return .currency(code) }
    let bare = word.hasSuffix(":") ? word.dropLast() : word
    if bare.count > 1, let code = PrintedCurrency.code(bare) { return .currency(code) }
    if bare.first == "(", bare.last == ")",
      let code = PrintedCurrency.code(bare.dropFirst().dropLast())
    {
      return .currency(code)
    }
    if let slash = word.lastIndex(of: "/") {
      let (unit, price) = (word[word.index(after: slash)...], word[..<slash])
      let isPrice = price.isEmpty || PrintedCurrency.code(price) != nil
      if isPrice, unit.isEmpty || isUnit(unit) { return .per(Measure(unit)) }
    }
    if let measure = Measure(word) { return .measure(measure) }
    return word.count > 4 && word.allSatisfy(\.isASCIIDigit) ? .code(String(word)) : nil
  }

  /// The number of delivered pieces of a word such as `2/2`, which says how many were ordered, too.
  private var delivered: PrintedNumber? {
    let numbers = rest.split(separator: "/", omittingEmptySubsequences: false)
    guard !isFactor, numbers.count == 2,
      numbers.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) }),
      var number = PrintedNumber(digits: numbers[0], style), number.value > .zero
    else { return nil }
    number.isOfOrdered = true
    return number
  }

  /// Reads what stands between a number and its price: `lb@`, `Stk*1,79`.
  private mutating func factor() -> [Piece.Kind]? {
    let all = rest
    if let measure = unit(), measure != .count || isBehindCount, let first = rest.first,
      Self.times.contains(first)
    {
      rest.removeFirst()
      if rest.isEmpty { return [.measure(measure), .times] }
      isFactor = true
      if let price = number(), price.decimals == style.decimals, let kinds = withSuffix(price) {
        return [.measure(measure), .times] + kinds
      }
    }
    rest = all
    return nil
  }

  /// Removes the letters of a unit, and returns their meaning: a count, if no measure has that name.
  ///
  /// An x behind them is a sign if a number follows: `6Stkx1,79`.
  private mutating func unit() -> Measure? {
    if let pounds = Measure.pounds(rest.prefix(1)) {
      rest.removeFirst()
      return pounds
    }
    var letters = rest.prefix { $0.isLetter || $0 == "." }
    if let last = letters.last, Self.times.contains(last), letters.count > 1,
      rest[letters.endIndex...].first?.isASCIIDigit ?? false
    {
      letters.removeLast()
    }
    guard Self.isUnit(letters) else { return nil }
    rest = rest[letters.endIndex...]
    return Measure(letters) ?? .count
  }

  /// Reads a number, with a sign and a currency before it in any order.
  private mutating func number() -> PrintedNumber? {
    let isNested = rest.first == "(" && rest.last == ")"
    if isNested { rest = rest.dropFirst().dropLast() }
    var isNegative = isNested
    var currency: String?
    for _ in 0..<3 {
      if rest.first == "-" || rest.first == "+" {
        isNegative = isNegative || rest.first == "-"
        rest.removeFirst()
      } else if currency == nil {
        let sign = rest.prefix { !$0.isASCIIDigit && !"-+.,".contains($0) || $0.isLetter }
        guard !sign.isEmpty, let code = PrintedCurrency.code(sign) else { continue }
        currency = code
        rest = rest.dropFirst(sign.count)
      }
    }
    let marks: Set<Character> = [".", ",", "'", "’"]
    var digits = rest.prefix { $0.isASCIIDigit || marks.contains($0) }
    while let last = digits.last, !last.isASCIIDigit { digits.removeLast() }
    // `.70` is a number below one.
    let isPart = digits.first == style.decimalMark && digits.count == style.decimals + 1
    guard isPart || digits.first?.isASCIIDigit ?? false,
      var number = PrintedNumber(digits: isPart ? "0" + digits : digits, style)
    else { return nil }
    rest = rest[digits.endIndex...]
    if isNested, currency == nil, number.decimals != style.decimals { return nil }
    number.currency = currency
    if isNegative { number.value = -number.value }
    return number
  }

  /// Returns the price of one, of a price for several: `3/5.00` behind a sign of multiplication.
  private mutating func priceOfSeveral(_ count: PrintedNumber) -> PrintedNumber? {
    let all = rest
    guard rest.first == "/", count.decimals == 0, count.value > .zero else { return nil }
    rest.removeFirst()
    guard var price = self.number(), price.decimals == style.decimals, rest.isEmpty,
      let one = price.value.divided(by: count.value)
    else {
      rest = all
      return nil
    }
    price.value = one
    return price
  }

  /// Returns a number with what the text after it says; nil if the word is not a number with such a
  /// text.
  private mutating func withSuffix(_ read: PrintedNumber) -> [Piece.Kind]? {
    var number = read
    guard let first = rest.first else { return [.number(number)] }
    if first == "-" {
      number.value = number.value > .zero ? -number.value : number.value
      return rest.count < 3 ? [.number(number)] : nil
    }
    if first == "%" {
      number.isPercent = true
      return rest.count == 1 || rest == "%:" ? [.number(number)] : nil
    }
    if Self.times.contains(first) { return times(number, []) }
    if let code = PrintedCurrency.code(rest) {
      number.currency = number.currency ?? code
      return [.number(number)]
    }
    if isFactor, let price = priceOfSeveral(number) { return [.number(price)] }
    if let slash = rest.firstIndex(of: "/") {
      let unit = rest[rest.index(after: slash)...]
      let isPrice = slash == rest.startIndex || PrintedCurrency.code(rest[..<slash]) != nil
      let measure = Measure(unit)
      let isKnown = unit.isEmpty || measure != nil
      if isPrice, isKnown || (Self.isUnit(unit) && number.decimals == style.decimals) {
        return [.number(number), .per(measure)]
      }
    }
    // `35.99G` is an amount with a tax letter; units of weight have a small letter.
    let isMark = isColumn && ["G", "L"].contains(rest) && number.decimals == style.decimals
    if let measure = Measure(rest), !isMark { return [.number(number), .measure(measure)] }
    let isAmount = number.decimals == style.decimals && style.decimals > 0
    if rest.count == 1, first.isLetter, isAmount { return [.number(number)] }
    return counted(number)
  }

  /// Reads the letters behind a number, and what follows them: `6szt`, `6Stk*1,79`, `0.76lb@1.99`.
  private mutating func counted(_ number: PrintedNumber) -> [Piece.Kind]? {
    guard let measure = unit() else { return nil }
    guard let sign = rest.first else {
      // `2,50each` behind a sign is a price.
      let isCount = number.decimals == 0 && number.currency == nil && number.wholeDigits < 4
      return isCount || isFactor ? [.number(number), .measure(measure)] : nil
    }
    if Self.times.contains(sign) { return times(number, [.measure(measure)]) }
    rest = rest.drop { !$0.isASCIIDigit && !$0.isLetter }
    guard let price = self.number(), price.decimals == 2, price.decimals == style.decimals else {
      return nil
    }
    return withSuffix(price).map { [.number(number), .measure(measure)] + $0 }
  }

  /// Reads the price behind a number and a sign of multiplication, if there is one.
  private mutating func times(
    _ number: PrintedNumber, _ between: [Piece.Kind]
  ) -> [Piece.Kind]? {
    rest = rest.drop(while: Self.times.contains)
    let kinds = [.number(number)] + between + [Piece.Kind.times]
    guard !rest.isEmpty else { return kinds }
    isFactor = true
    guard let second = self.number(), second.decimals >= 2 else { return nil }
    return withSuffix(second).map { kinds + $0 }
  }
}
