import LarderKit

/// `larder receipt`: purchases, with shop and price.
enum ReceiptCommand {
  static let receipt = Argument(
    "RECEIPT", values: .named(.all(.receipt)),
    help: "a receipt's shop, day, or both as in 'greenway 2026-11-20', its file or id")

  static let command = Command(
    "receipt", group: "Household",
    parts: [
      .init("list") { ReceiptList.list },
      .init("save") { ReceiptSave.command.withDryRun },
      .init("read") { ReceiptRead.command.withDryRun },
      .init("show") { ReceiptList.show },
      .init("edit") { ReceiptEdit.command.withDryRun },
      .init("void") { ReceiptVoid.void.withDryRun },
      .init("restore") { ReceiptVoid.restore.withDryRun },
    ], defaultSubcommand: "list")
}

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
    return try mapError(try TypedMoney(text, in: household.own?.currency)) {
      (mistake: TypedMoney.Mistake) in unreadable(text, for: name, mistake.reason)
    }
  }

  /// Returns the currency from `--currency`, in capitals.
  private func currency() throws -> String? {
    try value(ReceiptOptions.currency, "three letters such as EUR are needed") { text in
      let code = text.uppercased()
      let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (65...90).contains($0) }
      return isCode ? code : nil
    }
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

  /// Returns the details from `--expiry`, `--location` and `--lot`.
  func typedDetails(_ survey: Survey) throws -> [TypedDetail] {
    try TypedDetail.options.flatMap { option in
      try all(option).map { try detail($0, option, survey) }
    }
  }

  private func detail(_ text: String, _ option: Option, _ survey: Survey) throws -> TypedDetail {
    guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
      throw unreadable(text, for: option.spelling, "\(option.placeholder ?? "") is needed")
    }
    let said = String(text[text.index(after: equals)...])
    let value: TypedDetail.Value
    switch option {
    case TypedDetail.location:
      let place = said.isEmpty ? nil : try survey.location(named: said)
      value = .location(place?.id)
    case TypedDetail.lot: value = .lot(said.isEmpty ? nil : said)
    default:
      value = .expiry(
        said.isEmpty ? nil : try day(said, for: option.spelling, survey.calendar, in: text))
    }
    return TypedDetail(name: String(text[..<equals]), value: value)
  }

  /// Returns the lines from `--line`; throws all mistakes at once.
  func typedLines() throws -> [TypedLine] {
    var problems: [UsageProblem] = []
    let lines = all(TypedLine.option).compactMap { text -> TypedLine? in
      do throws(TypedLine.Mistake) {
        return try TypedLine(assigned: text)
      } catch {
        problems.append(
          .unreadable(value: text, name: TypedLine.option.spelling, reason: error.reason))
        return nil
      }
    }
    guard problems.isEmpty else { throw UsageError(problems, in: path) }
    return lines
  }
}

/// One `--expiry ITEM=DAY`, `--location ITEM=L` or `--lot ITEM=CODE`: a detail of a line's batch.
struct TypedDetail {
  /// The new value; nil removes the detail.
  enum Value {
    case expiry(Day?)
    case location(String?)
    case lot(String?)
  }

  let name: String
  let value: Value

  static let expiry = Option(
    "expiry", value: "ITEM=DAY", isRepeatable: true, help: "the expiry day of an item on it")
  static let location = Option(
    "location", value: "ITEM=L", isRepeatable: true, help: "the location of an item on it")
  static let lot = Option(
    "lot", value: "ITEM=CODE", isRepeatable: true, help: "the code printed on an item's package")

  static let options = [expiry, location, lot]

  /// Writes the detail into a line.
  func apply(to line: inout ReceiptLine) {
    switch value {
    case .expiry(let day): line.expiry = day
    case .location(let id): line.locationID = id
    case .lot(let code): line.lotCode = code
    }
  }
}

extension TypedLine {
  static let option = Option(
    "line", short: "l", value: "ITEM=N@PRICE", isRepeatable: true,
    help:
      "the quantity of an item and the price of one; @@PRICE is that of all; =N or @PRICE may be left out"
  )
}
