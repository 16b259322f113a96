internal import LarderModel

/// The kind of a receipt's line, which its words tell.
enum RowKind: Equatable {
  case item, discount, deposit, tax, rounding, fee
  /// A line that changes no sum, such as the amount saved or the tax in the prices.
  case remark
  /// The price of the thing before it without the discount; it changes no sum either.
  case formerPrice
  case subtotal, total, payment, change

  /// Creates the kind of a line with an amount.
  init(_ label: [String], isNegative: Bool) {
    let words = ReceiptWords.self
    let rest = Array(label.drop(while: words.fillers.contains))
    if label.beginning(words.subtotals) != nil {
      self = .subtotal
    } else if Self.isTotal(label) || Self.isTotal(rest) {
      self = .total
    } else if label.beginning(words.taxBases) != nil {
      self = .remark
    } else if label.hasWord(of: words.taxes) {
      self = label.hasWord(of: words.included) ? .remark : .tax
    } else if label.beginning(words.saved) != nil || label.beginning(words.parts) != nil {
      self = .remark
    } else if !isNegative, label.beginning(words.formerPrices) != nil {
      self = .formerPrice
    } else if label.hasWord(of: words.roundings)
      || label.hasPhrase(of: words.roundingPhrases)
    {
      self = .rounding
    } else if label.hasWord(of: words.deposits) || label.hasPhrase(of: words.depositPhrases) {
      self = .deposit
    } else if label.beginning(words.changes) != nil {
      self = .change
    } else if label.hasWord(of: words.discounts) {
      self = .discount
    } else if label.beginning(words.payments) != nil {
      self = .payment
    } else if isNegative {
      self = .discount
    } else if label.beginning(words.fees) != nil || label.hasWord(of: words.feeWords) {
      self = .fee
    } else {
      self = .item
    }
  }

  /// Whether the words that somebody typed are those of a deposit, a tax, a fee or a discount.
  ///
  /// A thing may have such a word in its name, as in `Tip Top bread`, so a fee is only one in full,
  /// and a discount begins with its word.
  static func isCharge(_ label: [String]) -> Bool {
    switch RowKind(label, isNegative: false) {
    case .deposit, .tax, .rounding: true
    case .discount: label.prefix(1).contains(where: ReceiptWords.discounts.contains)
    case .fee:
      label.beginning(ReceiptWords.fees) == label || label.hasWord(of: ReceiptWords.feeWords)
    default: false
    }
  }

  /// Whether the words are the phrase of a total, with nothing that gives it another meaning.
  private static func isTotal(_ label: [String]) -> Bool {
    guard let phrase = label.beginning(ReceiptWords.totals) else { return label.last == "bal" }
    let rest = label.dropFirst(phrase.count)
    guard let first = rest.first else { return true }
    // `Total tax` and `Total includes GST` are no totals; `Total (inc GST)` is one.
    let isTax = ReceiptWords.taxes.contains(first) || ["includes", "included"].contains(first)
    return !isTax && rest.allSatisfy { ReceiptWords.fillers.contains($0) || $0.count == 1 }
  }
}

/// The content of a receipt's line, or of several lines that belong together.
struct PrintedRow: Equatable {
  /// The number of the line with the name, or else with the amount, from 1.
  var line: Int
  var name = ""
  var label: [String] = []
  var barcode: String?
  /// The article number on a line without a name.
  var codes: String?
  var amount: Number?
  var quantity: Number?
  var measure: Measure?
  var unitPrice: Number?
  var currency: String?
  /// The numbers of a line without a name, or whose name is in doubt.
  ///
  /// Arithmetic finds the quantity and the price among them.
  var numbers: [RowNumber] = []
  /// Whether its name is a word at a quantity or a price, so it may as well have none: `6 szt x 1.79`.
  var isDetail = false
  /// Whether more than numbers is printed on a line without a name: `24 @`, `2 st`.
  var hasSign = false
  /// Whether a word is printed on it.
  var hasWord = false
  /// Whether the printed quantity and price do not make the amount.
  var isDoubtful = false

  var kind: RowKind {
    RowKind(isTotalWithTax ? ["total"] : label, isNegative: (amount ?? .zero) < .zero)
  }

  /// Whether it is a total with a note in parentheses that it includes the tax: `Total (GST incl)`.
  private var isTotalWithTax: Bool {
    guard let open = name.firstIndex(of: "("), name.last == ")" else { return false }
    let before = ReceiptWords.label(of: String(name[..<open]))
    return before.beginning(ReceiptWords.totals) == before
      && ReceiptWords.label(of: String(name[open...])).hasWord(of: ReceiptWords.included)
  }
  var hasName: Bool { !name.isEmpty }

  /// Sets the quantity and the price of one.
  mutating func take(_ multiple: Multiple) {
    quantity = multiple.quantity.value
    measure = multiple.measure
    unitPrice = multiple.price
    isDoubtful = false
  }

  /// Sets the name.
  mutating func take(_ name: NameReader) {
    self.name = name.name
    label = name.label
    barcode = name.barcode
    if !hasName { codes = name.codes }
  }
}

extension PrintedRow {
  /// Whether a row with an amount below zero is named as a thing is, and not as what is taken off;
  /// `rows` are those above it.
  func isThing(among rows: ArraySlice<PrintedRow>) -> Bool {
    let words = ReceiptWords.self
    let things = rows.filter { $0.kind == .item }.map(\.label)
    if label.isEmpty { return false }
    if things.contains(label) || label.hasWord(of: words.voids) { return true }
    let isTaking = label.contains { word in
      words.discounts.contains(word) || words.roundings.contains(word) || words.fees[word] != nil
        || words.discounts.contains { $0.count > 4 && word.contains($0) }
    }
    // `2 for 3.00`, `Card 10%`; the digits of a size belong to a thing.
    let isComputed = name.contains(where: \.isASCIIDigit) && PrintedSize(in: name) == nil
    if isTaking || isComputed { return false }
    // `Card price cheddar` is taken off the cheddar.
    return !things.contains { thing in
      label.contains { $0.count > 3 && thing.contains($0) }
        && label.contains { $0.count > 2 && !thing.contains($0) }
    }
  }

  /// Returns the row with the unit of the scale, if it has a weight and a price without one.
  func weighed(in scale: Measure?) -> PrintedRow {
    guard measure == nil, let quantity, !quantity.isWhole else { return self }
    var row = self
    row.measure = scale
    return row
  }
}

/// The scale of a shop.
enum PrintedScale {
  /// Returns the only unit of weight that a receipt names, or else the one of its country; nil where
  /// scales print kilograms and pounds.
  static func measure(in lines: [PrintedLine], currency: String?) -> Measure? {
    let weights = [Measure("kg"), Measure("lb")].compactMap(\.self)
    let named = weights.filter { weight in
      lines.contains { line in
        line.pieces.contains { $0.kind == .measure(weight) || $0.kind == .per(weight) }
          || ReceiptWords.label(of: line.text).contains { Measure($0) == weight }
      }
    }
    if let only = named.first, named.count == 1 { return only }
    return named.isEmpty && !["USD", "CAD", nil].contains(currency) ? Measure("kg") : nil
  }
}

/// A number of a line, with what its neighbours say about it.
struct RowNumber: Equatable {
  var value: Number
  var decimals: Int
  var measure: Measure?
  var isPerUnit: Bool
  /// The measure that it is the price of.
  var per: Measure?
  /// The index of its piece.
  var place: Int
  /// The indices of its pieces, with the signs that belong to it.
  var pieces: Range<Int>
  /// Whether it stands next to a sign of multiplication.
  var isFactor: Bool
  /// Whether it is a word of its own, unlike the number in `500g`.
  var standsAlone: Bool
  /// Whether the number of ordered pieces follows it: `2/2`.
  var isOfOrdered = false
  /// Whether it stands in one word with the piece before it.
  var isGlued = false
}

/// A quantity and a price whose product is an amount.
struct Multiple: Equatable {
  var quantity: RowNumber
  var price: Number
  /// The measure of the quantity.
  var measure: Measure?
  /// The indices of the price's pieces, if it is printed on the line.
  var pricePieces: Range<Int>?

  /// The indices from the first to the last of its pieces.
  var span: Range<Int> {
    let (count, price) = (quantity.pieces, pricePieces ?? quantity.pieces)
    return min(count.lowerBound, price.lowerBound)..<max(count.upperBound, price.upperBound)
  }

  /// Returns the numbers whose product is the amount, as quantity and price; nil if there are none.
  static func making(_ amount: Number, of numbers: [RowNumber]) -> Multiple? {
    var found: [(score: Int, multiple: Multiple)] = []
    for (one, quantity) in numbers.enumerated() where quantity.mayCount {
      for (other, price) in numbers.enumerated() where price.place != quantity.place {
        guard quantity.isPlainCount || quantity.isFactor || price.isPerUnit, price.measure == nil,
          price.decimals >= 1
            || (price.isFactor && quantity.isFactor && quantity.decimals != 2),
          price.value > .zero || (amount < .zero && price.value < .zero && quantity.value > .zero),
          quantity.value > .zero || price.value > .zero, price.isPrice(of: quantity.measure),
          makes(amount, quantity, price.value, decimals: price.decimals)
        else { continue }
        let near = (price.isFactor && quantity.isFactor ? 4 : 0) + (price.isPerUnit ? 4 : 0)
        let isOrdered = one < other && quantity.decimals != 2 ? 2 : 0
        let isCount = quantity.decimals == 0 || quantity.decimals == 3 ? 1 : 0
        found.append(
          (
            (near + isOrdered + isCount) * 10 - min(9, abs(other - one)),
            Multiple(
              quantity: quantity, price: price.value, measure: quantity.measure ?? price.per,
              pricePieces: price.pieces)
          ))
      }
    }
    return found.max { $0.score < $1.score }?.multiple
  }

  /// Whether quantity times price is the amount, apart from the rounding of a price or a weight.
  ///
  /// A price without `decimals` is in a currency that has no cents.
  static func makes(
    _ amount: Number, _ quantity: RowNumber, _ price: Number, decimals: Int = 2
  ) -> Bool {
    guard let product = quantity.value.multiplied(by: price) else { return false }
    let gap = (product.magnitude - amount.magnitude).magnitude
    let isWhole = decimals == 0 && amount.isWhole && amount.magnitude >= Number(100)
    let cent = isWhole ? Number(1) : Number(1, over: 100)
    guard quantity.value.isWhole else { return gap <= cent }
    // A rounded price is wrong by up to half a cent for each piece.
    let count = min(quantity.value.magnitude, Number(8))
    return gap <= (Number(1, over: 200).multiplied(by: count) ?? cent)
  }

  /// Whether numbers state a quantity and its price: `2 x 1.49`, `0.412 kg x 14.90/kg`.
  static func isStated(in numbers: [RowNumber]) -> Bool { stated(in: numbers) != nil }

  /// Returns the pieces from a stated quantity to its price; nil if none is stated.
  static func stated(in numbers: [RowNumber]) -> Range<Int>? {
    for quantity in numbers
    where (quantity.mayCount || quantity.value == .zero)
      && (quantity.isFactor || quantity.isWeighed)
    {
      let price = numbers.first { price in
        guard price.place != quantity.place, price.measure == nil else { return false }
        if price.isPerUnit {
          return quantity.isWeighed || quantity.measure == .count || price.isFactor
        }
        return price.isFactor && quantity.isFactor && price.decimals >= 2
          && !price.isSize(beside: quantity)
      }
      if let price {
        return Multiple(quantity: quantity, price: price.value, pricePieces: price.pieces).span
      }
    }
    return nil
  }
}

extension RowNumber {
  /// Whether the number can be a quantity.
  var mayCount: Bool {
    value != .zero && decimals <= 3 && !isPerUnit && value.magnitude < Number(10_000)
      && (standsAlone || decimals == 3)
  }

  /// Whether it is not the price of another measure.
  fileprivate func isPrice(of measure: Measure?) -> Bool {
    guard let per, let measure, measure != .count else { return true }
    return per == measure
  }

  /// Whether it is a weight or a volume of its own, and not the one of a base price: `1 kg = 3.98/kg`.
  fileprivate var isWeighed: Bool {
    guard !isGlued, let measure, measure != .count, !measure.isSmall else { return false }
    return isFactor || value != Number(1)
  }

  /// Whether it has a unit of weight.
  var isWeight: Bool {
    guard case .unit(let unit, _)? = measure else { return false }
    return [.gram, .kilogram].contains(unit)
  }

  /// Whether it is the size of a bottle or a can right behind its count: `24x0,33`.
  func isSize(beside count: RowNumber) -> Bool {
    let isGlued = count.place + 2 == place && isGlued
    return isGlued && count.decimals == 0
      && [20, 25, 33, 50, 70, 75, 100, 150, 200].contains { value == Number($0, over: 100) }
  }

  /// Whether the number does not look like a price: it has a measure, or not two decimals.
  fileprivate var isPlainCount: Bool { decimals != 2 || measure != nil }
}

extension Number {
  var magnitude: Number { self < .zero ? -self : self }
}
