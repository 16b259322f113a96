internal import LarderModel

extension ReceiptSum {
  /// The ways in which a receipt may mean its rows otherwise than most do.
  struct Reading: OptionSet, CaseIterable {
    let rawValue: Int
    /// Discounts above the subtotal that have no minus are in the prices.
    static let earlyDiscountsIncluded = Reading(rawValue: 1)
    /// Discounts below the subtotal have no minus, or repeat those above.
    static let lateDiscountsIncluded = Reading(rawValue: 2)
    /// Taxes above the total are in the prices.
    static let taxesIncluded = Reading(rawValue: 4)
    static let depositsIncluded = Reading(rawValue: 8)
    static let feesIncluded = Reading(rawValue: 16)
    static let roundingIncluded = Reading(rawValue: 32)
    /// A rounding without a sign is taken off.
    static let roundingOff = Reading(rawValue: 64)
    /// A word for a discount is in the name of a thing.
    static let discountsAreItems = Reading(rawValue: 128)
    /// A word for a payment is one, and not the name of a thing.
    static let paymentsAreNone = Reading(rawValue: 256)
    /// The sum of what was saved is taken off.
    static let savingsCount = Reading(rawValue: 512)
    /// A word for a former price is in the name of a thing.
    static let formerPricesAreItems = Reading(rawValue: 1024)

    /// A tax that is the sum of those above it repeats them.
    static let taxesRepeated = Reading(rawValue: 2048)

    static let allCases = (0..<12).map { Reading(rawValue: 1 << $0) }

    /// The readings, those with the fewest differences first.
    static let all: [Reading] =
      [[]] + allCases
      + allCases.enumerated().flatMap { index, one in allCases[(index + 1)...].map { one.union($0) }
      }
  }
}

extension ReceiptRow {
  /// Returns the line that the row is.
  func read(as kind: ReadLine.Kind, _ amount: Number) -> ReadLine {
    var line = ReadLine(
      line: self.line, kind: kind, name: name, barcode: barcode, quantity: quantity ?? Number(1),
      unit: nil, unitPrice: unitPrice, amount: amount,
      isDoubtful: isDoubtful || name.isEmpty || amount != self.amount)
    if case .unit(let unit, let factor)? = measure {
      line.unit = unit
      line.quantity = line.quantity.multiplied(by: factor)?.rounded ?? line.quantity
    } else if measure == nil, !line.quantity.isWhole {
      // Scales print kilograms, and no unit where a column has the weight.
      line.unit = .kilogram
    }
    return line
  }
}
