import LarderJSON
import LarderKit
import LarderModel

/// The options for the fields of a receipt.
enum ReceiptOptions {
  static let shop = Option("shop", value: "S", help: "the shop")
  static let amount = Option("amount", value: "A", help: "the total amount")
  static let currency = Option(
    "currency", value: "C", help: "the currency (ISO 4217); the household's if left out")
  static let at = Option(
    "at", value: "T", help: "when it was paid: a day, a time, or both; now if left out")
}

extension Invocation {
  /// Returns the amount from `--amount`.
  func amount() throws -> Number? {
    guard let text = self[ReceiptOptions.amount] else { return nil }
    guard let number = Number(text) else {
      throw unreadable(
        text, for: ReceiptOptions.amount.spelling, "a number such as 23.05 is needed")
    }
    return number
  }

  /// Returns the currency from `--currency`, in capitals.
  func currency() throws -> String? {
    guard let text = self[ReceiptOptions.currency] else { return nil }
    let code = text.uppercased()
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw unreadable(
        text, for: ReceiptOptions.currency.spelling, "three letters such as EUR are needed")
    }
    return code
  }

  /// Returns the time from `--at`.
  func paidAt(_ calendar: HouseholdCalendar) throws -> Instant? {
    try self[ReceiptOptions.at].map { try moment($0, for: ReceiptOptions.at.spelling, calendar) }
  }

  /// Returns the lines from `--line`.
  func typedLines() throws -> [TypedLine] {
    try all(TypedLine.option).map { text throws(UsageError) in try TypedLine(text, self) }
  }
}
