internal import LarderModel

/// A piece of a receipt's line.
struct Piece: Equatable {
  enum Kind: Equatable {
    case number(PrintedNumber)
    /// `x`, `×`, `*` or `@` between a quantity and a price.
    case times
    /// `/kg` or `EUR/kg`: the unit of a price.
    case per
    case measure(Measure)
    case currency(String)
    /// Digits that are not a number, such as those of an article or a till.
    case code(String)
    case word
  }

  var kind: Kind
  /// The index of its word in the line.
  var word: Int
  /// The number of spaces before its word; 0 inside a word.
  var gap: Int
  /// The number of characters of its word.
  var length = 0
  /// Whether its word says that a weight is net.
  var isNetWord = false

  var number: PrintedNumber? {
    if case .number(let number) = kind { number } else { nil }
  }
}

/// A receipt's line in pieces.
struct PrintedLine {
  /// The number in the text, from 1.
  var number: Int
  var text: String
  var words: [String] = []
  var pieces: [Piece] = []
  /// The column of the first character that is no space.
  var indent = 0

  init(_ text: String, number: Int, _ style: NumberStyle) {
    self.number = number
    self.text = text
    var gap = 0
    var word = ""
    indent = text.prefix { $0 == " " }.count
    for character in text + " " {
      guard character == " " else {
        word.append(character)
        continue
      }
      if !word.isEmpty {
        var scanner = PieceScanner(
          word, style, isColumn: gap > 1, isFactor: pieces.last?.kind == .times)
        let kinds = scanner.kinds() ?? [.word]
        let isNet = ["net", "netto"].contains(word.lowercased())
        for (index, kind) in kinds.enumerated() {
          pieces.append(
            Piece(
              kind: kind, word: words.count, gap: index == 0 ? gap : 0, length: word.count,
              isNetWord: isNet))
        }
        words.append(word)
        (word, gap) = ("", 0)
      }
      gap += 1
    }
    if let first = pieces.indices.first { pieces[first].gap = 9 }
    joinSigns()
    joinCurrencies()
  }

  /// Joins a separate minus with the number next to it.
  private mutating func joinSigns() {
    for index in pieces.indices.reversed() where isMinus(pieces[index]) {
      let before = index > 0 ? index - 1 : nil
      if let before, pieces[index].gap == 1, var number = pieces[before].number,
        number.value > .zero, index == pieces.count - 1
      {
        number.value = -number.value
        pieces[before].kind = .number(number)
        pieces.remove(at: index)
        continue
      }
      var next = index + 1
      if next < pieces.count, case .currency = pieces[next].kind { next += 1 }
      guard next < pieces.count, var number = pieces[next].number, pieces[index].gap > 1,
        pieces[index + 1].gap <= 1, number.value > .zero
      else { continue }
      number.value = -number.value
      pieces[next].kind = .number(number)
      pieces.remove(at: index)
    }
  }

  private func isMinus(_ piece: Piece) -> Bool { piece.kind == .word && words[piece.word] == "-" }

  /// Gives each number the currency next to it.
  private mutating func joinCurrencies() {
    for index in pieces.indices {
      guard case .currency(let code) = pieces[index].kind else { continue }
      for place in [index - 1, index + 1] where pieces.indices.contains(place) {
        guard var number = pieces[place].number, number.currency == nil else { continue }
        number.currency = code
        pieces[place].kind = .number(number)
        break
      }
    }
  }
}

/// The reader of one word: `2x`, `0,412kg`, `£2.10/kg`, `4.00-A`, `@2.99`.
struct PieceScanner {
  private var rest: Substring
  private let style: NumberStyle
  /// Whether the word is separated from the text before it by more than one space.
  private let isColumn: Bool
  /// Whether it follows a sign of multiplication.
  private let isFactor: Bool

  init(_ word: String, _ style: NumberStyle, isColumn: Bool, isFactor: Bool) {
    rest = word[...]
    self.style = style
    self.isColumn = isColumn
    self.isFactor = isFactor
  }

  /// Returns the pieces of the word; nil if it is an ordinary word.
  mutating func kinds() -> [Piece.Kind]? {
    if let single = Self.single(rest) { return [single] }
    var kinds: [Piece.Kind] = []
    if let first = rest.first, Self.times.contains(first), rest.count > 1 {
      rest.removeFirst()
      kinds.append(.times)
    }
    if rest.first == "/" {
      rest.removeFirst()
      kinds.append(.per)
    }
    return number().flatMap { withSuffix($0) }.map { kinds + $0 }
  }

  private static let times: Set<Character> = ["x", "X", "×", "@", "*"]

  /// Returns the piece of a whole word that is a sign, a measure, a currency or a code; nil for
  /// others.
  private static func single(_ word: Substring) -> Piece.Kind? {
    if ["x", "X", "×", "*", "@", "à"].contains(word) { return .times }
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
      if Measure(unit) != nil, price.isEmpty || PrintedCurrency.code(price) != nil { return .per }
      if word == "/" { return .per }
    }
    if Measure(word) != nil { return .measure(Measure(word) ?? .count) }
    return word.count > 4 && word.allSatisfy(\.isASCIIDigit) ? .code(String(word)) : nil
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
    if Self.times.contains(first) {
      rest.removeFirst()
      guard !rest.isEmpty else { return [.number(number), .times] }
      guard let second = self.number(), second.decimals >= 2 else { return nil }
      return withSuffix(second).map { [.number(number), .times] + $0 }
    }
    if let code = PrintedCurrency.code(rest) {
      number.currency = number.currency ?? code
      return [.number(number)]
    }
    if isFactor, let price = priceOfSeveral(number) { return [.number(price)] }
    if let slash = rest.firstIndex(of: "/") {
      let unit = rest[rest.index(after: slash)...]
      let isPrice = slash == rest.startIndex || PrintedCurrency.code(rest[..<slash]) != nil
      return isPrice && (unit.isEmpty || Measure(unit) != nil) ? [.number(number), .per] : nil
    }
    // `35.99G` is an amount with a tax letter; units of weight have a small letter.
    let isMark = isColumn && ["G", "L"].contains(rest) && number.decimals == style.decimals
    if let measure = Measure(rest), !isMark { return [.number(number), .measure(measure)] }
    let isTaxLetter =
      rest.count == 1 && first.isLetter && number.decimals == style.decimals && style.decimals > 0
    return isTaxLetter ? [.number(number)] : nil
  }
}
