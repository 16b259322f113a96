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
