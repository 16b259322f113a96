public import LarderModel

/// What was taken of prices behind a single `@` that could mean something else too.
public enum PriceNote: Equatable, Sendable {
  /// Only so do the lines come to the receipt's amount: each price is that of all of its line, or
  /// that of one unit of it.
  case amountSays(inAll: Bool)
  /// No number was typed for the line, so the price is that of all of it.
  case inAll(name: String, Quantity, price: Number)
}

/// The prices of a receipt that were typed for one unit, as in `milk=2l@1.65`.
struct EachPrices: Sendable {
  /// A price, and the number of units that was typed with it; nil if none was.
  private struct Price {
    let one: Number
    let count: Number?
    let unit: Unit?
  }

  private var prices: [String: Price] = [:]

  /// Keeps the price of a line; later lines with the same id replace it.
  mutating func note(_ typed: TypedLine, on line: ReceiptLine) {
    guard let price = typed.price else { return }
    // A number behind a barcode counts packs.
    let isPacks = typed.quantity.map { $0.unit == nil && $0.value != line.quantity } ?? false
    let unit = isPacks ? .pack : typed.quantity?.unit ?? line.unit
    prices[line.id] =
      typed.isEach ? Price(one: price, count: typed.quantity?.value, unit: unit) : nil
  }

  /// Writes what the lines cost in all, and returns what has to be told.
  ///
  /// A price is that of one of the typed number; without a number, it is that of the whole line. If
  /// that does not come to the amount of the receipt, and another reading does, that one is taken.
  /// Throws `priceOfEach` for a price of each gram or millilitre, which nobody means.
  func write(
    into lines: inout [ReceiptLine], amount: Number?, currency: String?
  ) throws(RuleError) -> [PriceNote] {
    let given = lines
    let unsure = given.filter { line in
      prices[line.id].map { ($0.count ?? line.quantity) != Number(1) } ?? false
    }
    guard !unsure.isEmpty else { return [] }
    let usual = try priced(given, currency) { price, _ in price.count }
    if fits(usual, amount) {
      lines = usual
      return []
    }
    if fits(given, amount) {
      return unsure.contains { prices[$0.id]?.count != nil } ? [.amountSays(inAll: true)] : []
    }
    let each = try priced(given, currency) { price, line in price.count ?? line.quantity }
    if fits(each, amount) {
      lines = each
      return [.amountSays(inAll: false)]
    }
    for line in unsure {
      guard let price = prices[line.id], let count = price.count, price.unit?.isTiny ?? false
      else { continue }
      throw .priceOfEach(line.itemName, Quantity(count, price.unit ?? .gram), price: price.one)
    }
    lines = usual
    return unsure.compactMap { line in
      guard let price = prices[line.id], price.count == nil, line.unit?.isMeasured != true else {
        return nil
      }
      return .inAll(
        name: line.itemName, Quantity(line.quantity, line.unit ?? .piece), price: price.one)
    }
  }

  private func priced(
    _ lines: [ReceiptLine], _ currency: String?, by count: (Price, ReceiptLine) -> Number?
  ) throws(RuleError) -> [ReceiptLine] {
    var priced = lines
    for (index, line) in lines.enumerated() {
      guard let price = prices[line.id], let count = count(price, line), count != Number(1) else {
        continue
      }
      guard let sum = price.one.multiplied(by: count) else {
        throw .tooManyDigits(Quantity(count, price.unit ?? .piece))
      }
      // Half a cent is rounded up, as shops do.
      let decimals = max(TypedMoney.decimals(of: currency), price.one.decimals)
      priced[index].price = (sum + Number(1, over: 1_000_000_000)).rounded(decimals: decimals)
    }
    return priced
  }

  private func fits(_ lines: [ReceiptLine], _ amount: Number?) -> Bool {
    let prices = lines.compactMap(\.price)
    guard let amount, prices.count == lines.count else { return false }
    let gap = amount - prices.reduce(.zero, +)
    let rounding = Number(lines.count, over: 100)
    return gap <= rounding && gap >= -rounding
  }
}

extension Number {
  /// The number of its decimals.
  fileprivate var decimals: Int {
    description.split(separator: ".").dropFirst().first?.count ?? 0
  }
}

/// The size of a package in a printed name: `1L`, `500 g`, `6x1,5L`.
struct PrintedSize {
  let quantity: Quantity
  /// The number of things in the package: 6 in `6x1,5L`, otherwise 1.
  let pieces: Number
  /// The name without the size, and without percentages such as `3,5%`.
  let rest: String

  /// Finds the last size in a name; nil if there is none.
  init?(in name: String) {
    var words = name.split(separator: " ").map(String.init)
    let sizes = words.indices.compactMap { Self.size(at: $0, in: words) }
    let last = sizes.max {
      ($0.words.upperBound, $0.words.count) < ($1.words.upperBound, $1.words.count)
    }
    guard let last else { return nil }
    words.removeSubrange(last.words)
    (quantity, pieces) = last.size
    rest = Self.withoutShares(words.joined(separator: " "))
  }

  /// Returns a name without percentages such as `3,5%`.
  static func withoutShares(_ name: String) -> String {
    name.split(separator: " ").filter { !$0.hasSuffix("%") }.joined(separator: " ")
  }

  private typealias Size = (quantity: Quantity, pieces: Number)

  /// Returns the size that begins at a word, and its words: `500g`, `500` and `g`, or `4x` and
  /// `150g`.
  private static func size(at place: Int, in words: [String]) -> (size: Size, words: Range<Int>)? {
    for end in (place + 1)...(place + 4) where end <= words.count {
      if end > place + 1, !goesOn(words[end - 2], in: words[end - 1]) { return nil }
      if let size = measured(words[place..<end].joined()) { return (size, place..<end) }
    }
    return nil
  }

  /// Whether a size continues in the next word.
  ///
  /// It continues around a sign of multiplication, and from a number to its unit. Two adjacent
  /// numbers are not a size: `MEHL 405 1KG`.
  private static func goesOn(_ word: String, in next: String) -> Bool {
    guard let last = word.lowercased().last, let first = next.lowercased().first else {
      return false
    }
    if signs.contains(last) || (word.lowercased() == "fl" && next.lowercased() == "oz") {
      return true
    }
    return last.isASCIIDigit && !first.isASCIIDigit
  }

  private static let signs: Set<Character> = ["x", "×", "*"]
  /// Words after a number that make it a number of pieces.
  private static let piecesWords: Set<String> = [
    "er", "st", "stk", "stck", "stück", "stueck", "ct", "pcs", "pc", "pz", "pièces", "keping",
  ]

  /// Reads a number of pieces, or a weight or volume with the number of packages before it.
  private static func measured(_ word: String) -> Size? {
    let letters = String(word.reversed().prefix { $0.isLetter }.reversed()).lowercased()
    let digits = word.dropLast(letters.count).lowercased()
    if piecesWords.contains(letters), digits.count < 4, digits.allSatisfy(\.isASCIIDigit),
      let count = Number(digits), count > Number(1)
    {
      return (Quantity(count, .piece), count)
    }
    guard let (unit, factor) = unit(letters) else { return nil }
    let factors = digits.split(omittingEmptySubsequences: false, whereSeparator: signs.contains)
    guard (1...2).contains(factors.count) else { return nil }
    var value = factor
    var numbers: [Number] = []
    for part in factors {
      guard let number = number(part, isWhole: unit.isTiny && factor == Number(1)),
        let product = value.multiplied(by: number)
      else { return nil }
      value = product
      numbers.append(number)
    }
    let pieces = numbers.count == 2 && numbers[0].isWhole ? numbers[0] : Number(1)
    return Number(value.rounded.description).map { (Quantity($0, unit), pieces) }
  }

  /// Reads a unit of packages, with the number of it in the printed one.
  ///
  /// A pound stays one, as an ounce may be a fluid one.
  private static func unit(_ letters: String) -> (Unit, Number)? {
    if customary.contains(letters) {
      return CustomaryUnit.unit(written: letters).map { ($0, Number(1)) }
    }
    guard !letters.isEmpty, letters.count < 3, case .unit(let unit, let factor)? = Measure(letters)
    else { return nil }
    return (unit, factor)
  }

  private static let customary: Set<String> = ["lb", "lbs", "oz", "floz", "gal", "qt"]

  /// Reads a number above zero.
  ///
  /// With `isWhole`, three digits after a mark are thousands, as in `1.000G`, because nobody means
  /// a part of a gram.
  private static func number(_ text: Substring, isWhole: Bool) -> Number? {
    guard text.first?.isASCIIDigit ?? false else { return nil }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    let isThousands = isWhole && parts.count == 2 && parts[1].count == 3
    return Number(parts.joined(separator: isThousands ? "" : ".")).flatMap { $0 > .zero ? $0 : nil }
  }
}
