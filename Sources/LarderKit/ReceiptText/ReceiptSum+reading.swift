internal import LarderModel

extension ReceiptSum {
  /// A set of unusual ways to read a receipt's rows.
  struct Reading: OptionSet, CaseIterable {
    let rawValue: Int
    /// The prices include discounts above the subtotal that have no minus.
    static let earlyDiscountsIncluded = Reading(rawValue: 1)
    /// Discounts below the subtotal have no minus, or repeat those above.
    static let lateDiscountsIncluded = Reading(rawValue: 2)
    /// The prices include taxes above the total.
    static let taxesIncluded = Reading(rawValue: 4)
    static let depositsIncluded = Reading(rawValue: 8)
    static let feesIncluded = Reading(rawValue: 16)
    static let roundingIncluded = Reading(rawValue: 32)
    /// A rounding without a sign is subtracted.
    static let roundingOff = Reading(rawValue: 64)
    /// The word for a discount is part of a thing's name.
    static let discountsAreItems = Reading(rawValue: 128)
    /// A word for a payment above the total means a payment, not the name of a thing.
    static let paymentsAreNone = Reading(rawValue: 256)
    /// The sum of what was saved is subtracted.
    static let savingsCount = Reading(rawValue: 512)
    /// The word for a former price is part of a thing's name.
    static let formerPricesAreItems = Reading(rawValue: 1024)

    /// A tax that equals the sum of the taxes above it repeats them.
    static let taxesRepeated = Reading(rawValue: 2048)

    static let allCases = (0..<12).map { Reading(rawValue: 1 << $0) }

    /// All readings, those with the fewest unusual ways first.
    static let all: [Reading] =
      [[]] + allCases
      + allCases.enumerated().flatMap { index, one in allCases[(index + 1)...].map { one.union($0) }
      }
  }
}

extension ReceiptRow {
  /// Returns the row as a line of a read receipt.
  func read(as kind: ReadLine.Kind, _ amount: Number) -> ReadLine {
    var line = ReadLine(
      line: self.line, kind: kind, name: name, barcode: barcode, quantity: quantity ?? Number(1),
      unit: nil, unitPrice: unitPrice, amount: amount, isCountDoubtful: isDoubtful,
      isDoubtful: isDoubtful || name.isEmpty || amount != self.amount)
    if case .unit(let unit, let factor)? = measure {
      line.unit = unit
      line.quantity = line.quantity.multiplied(by: factor)?.rounded ?? line.quantity
    } else if measure == nil, !line.quantity.isWhole {
      // Scales print kilograms, and print no unit if a column has the weight.
      line.unit = .kilogram
    }
    return line
  }
}
