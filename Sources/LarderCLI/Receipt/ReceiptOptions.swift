import LarderJSON
import LarderKit
import LarderModel

/// The options for the fields of a receipt.
enum ReceiptOptions {
  static let shop = Option("shop", value: "S", values: .named(.shop), help: "the shop")
  static let amount = Option("amount", value: "A", help: "the total amount")
  static let currency = Option(
    "currency", value: "C", help: "the currency (ISO 4217); the household's if left out")
  static let at = Option(
    "at", value: "T", help: "when it was paid: a day, a time, or both; now if left out")
  static let keep = Option("keep", help: "leave what --line names on the shopping list")
  static let new = Option("new", help: "make items of what --line names and nobody knows")
  static let noNew = Option("no-new", help: "make no items, and don't ask")
  static let strict = Option(
    "strict", help: "refuse an amount that is not the sum of the lines, instead of warning")

  /// The options with the rules for lines.
  static let rules = [keep, new, noNew, strict]
}

extension Invocation {
  /// Returns the amount from `--amount`, and the currency from `--currency` or from the amount.
  func payment(in household: Household) throws -> (amount: Number?, currency: String?) {
    let currency = try self.currency()
    guard let text = self[ReceiptOptions.amount] else { return (nil, currency) }
    let name = ReceiptOptions.amount.spelling
    let money = try money(text, for: name, in: household)
    try money.amount.checkAmount()
    if let currency, let written = money.currency, written != currency {
      throw unreadable(text, for: name, "\(ReceiptOptions.currency.spelling) says \(currency)")
    }
    return (money.amount, currency ?? money.currency)
  }

  /// Returns a sum of money.
  func money(_ text: String, for name: String, in household: Household) throws -> TypedMoney {
    do throws(TypedMoney.Mistake) {
      return try TypedMoney(text, in: household.own?.currency)
    } catch {
      throw unreadable(text, for: name, error.reason)
    }
  }

  /// Returns the currency from `--currency`, in capitals.
  private func currency() throws -> String? {
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

  /// The rules for the lines, from `--keep` and `--new`.
  var lineRules: LineRules {
    var rules = LineRules()
    rules.closesEntries = !has(ReceiptOptions.keep)
    rules.makesItems = has(ReceiptOptions.new)
    return rules
  }
}

extension TypedMoney.Mistake {
  /// The reason in words.
  var reason: String {
    switch self {
    case .noNumber: "an amount such as 23.05, 23,05 or 23.05€ is needed"
    case .comma(let decimal, let thousands):
      "this may be \(decimal) or \(thousands); write one of them"
    }
  }
}
