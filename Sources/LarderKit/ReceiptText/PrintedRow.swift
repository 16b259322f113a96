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
  /// The numbers of a line without a name.
  ///
  /// Arithmetic finds the quantity and the price among them.
  var numbers: [RowNumber] = []
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
    measure = multiple.quantity.measure
    unitPrice = multiple.price
    isDoubtful = false
  }
}

/// A number of a line, with what its neighbours say about it.
struct RowNumber: Equatable {
  var value: Number
  var decimals: Int
  var measure: Measure?
  var isPerUnit: Bool
  /// The index of its piece.
  var place: Int
  /// The indices of its pieces, with the signs that belong to it.
  var pieces: Range<Int>
  /// Whether it stands next to a sign of multiplication.
  var isFactor: Bool
  /// Whether it is a word of its own, unlike the number in `500g`.
  var standsAlone: Bool
  /// Whether it stands in one word with the piece before it.
  var isGlued = false
}

/// A quantity and a price whose product is an amount.
struct Multiple: Equatable {
  var quantity: RowNumber
  var price: Number
  /// The indices of the price's pieces, if it is printed on the line.
  var pricePieces: Range<Int>?

  /// Returns the numbers whose product is the amount, as quantity and price; nil if there are none.
  static func making(_ amount: Number, of numbers: [RowNumber]) -> Multiple? {
    var found: [(score: Int, multiple: Multiple)] = []
    for (one, quantity) in numbers.enumerated() where quantity.mayCount {
      for (other, price) in numbers.enumerated() where price.place != quantity.place {
        guard quantity.isPlainCount || quantity.isFactor || price.isPerUnit, price.measure == nil,
          price.decimals >= 1
            || (price.isFactor && quantity.isFactor && quantity.decimals != 2),
          price.value > .zero || (amount < .zero && price.value < .zero && quantity.value > .zero),
          quantity.value > .zero || price.value > .zero,
          makes(amount, quantity, price.value)
        else { continue }
        let near = (price.isFactor && quantity.isFactor ? 4 : 0) + (price.isPerUnit ? 4 : 0)
        let isOrdered = one < other && quantity.decimals != 2 ? 2 : 0
        let isCount = quantity.decimals == 0 || quantity.decimals == 3 ? 1 : 0
        found.append(
          (
            (near + isOrdered + isCount) * 10 - min(9, abs(other - one)),
            Multiple(quantity: quantity, price: price.value, pricePieces: price.pieces)
          ))
      }
    }
    return found.max { $0.score < $1.score }?.multiple
  }

  /// Whether quantity times price is the amount, apart from the rounding of a price or a weight.
  static func makes(_ amount: Number, _ quantity: RowNumber, _ price: Number) -> Bool {
    guard let product = quantity.value.multiplied(by: price) else { return false }
    let gap = (product.magnitude - amount.magnitude).magnitude
    let cent = Number(1, over: 100)
    guard quantity.value.isWhole else { return gap <= cent }
    // A rounded price is wrong by up to half a cent for each piece.
    let count = min(quantity.value.magnitude, Number(8))
    return gap <= (Number(1, over: 200).multiplied(by: count) ?? cent)
  }

  /// Whether numbers state a quantity and its price: `2 x 1.49`, `0.412 kg x 14.90/kg`.
  static func isStated(in numbers: [RowNumber]) -> Bool {
    numbers.contains { quantity in
      guard quantity.mayCount, quantity.isFactor || quantity.isWeighed else { return false }
      return numbers.contains { price in
        guard price.place != quantity.place, price.measure == nil else { return false }
        if price.isPerUnit {
          return quantity.isWeighed || quantity.measure == .count || price.isFactor
        }
        return price.isFactor && quantity.isFactor && price.decimals >= 2
          && !price.isSize(beside: quantity)
      }
    }
  }
}

extension RowNumber {
  /// Whether the number can be a quantity.
  var mayCount: Bool {
    value != .zero && decimals <= 3 && !isPerUnit && value.magnitude < Number(10_000)
      && (standsAlone || decimals == 3)
  }

  /// Whether it is a weight or a volume of its own, and not the one of a base price: `1 kg = 3.98/kg`.
  fileprivate var isWeighed: Bool {
    guard !isGlued, let measure, measure != .count, !measure.isSmall else { return false }
    return isFactor || value != Number(1)
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
