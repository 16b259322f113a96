import LarderKit

/// `larder receipt save`.
enum ReceiptSave {
  private static let entries = Argument(
    "ENTRY", .zeroOrMore, values: .named(.all(.shoppingListEntry)),
    help: "the entries that were bought; those in the basket if left out")
  private static let id = Option(
    "id", value: "ID", help: "the receipt's id (a UUID), so that it is saved only once")

  static let command = Command(
    "receipt save", arguments: [entries],
    options: [
      ReceiptOptions.shop, ReceiptOptions.amount, ReceiptOptions.currency, ReceiptOptions.at, id,
      TypedLine.option,
    ] + TypedDetail.options + ReceiptOptions.rules
  ) { invocation in
    let lines = try invocation.typedLines()
    let saving = ReceiptSaving(
      invocation: invocation, entries: invocation.all(entries), id: try receiptID(invocation))
    if lines.isEmpty, try saving.needsForm() { return try saving.editForm() }
    guard let shop = invocation[ReceiptOptions.shop] else { throw try noShop(invocation) }
    try saving.save { survey in
      var purchase = try invocation.purchase(in: survey)
      purchase.shop = try invocation.newName(shop, for: ReceiptOptions.shop.spelling)
      return (purchase, lines)
    }
  }

  private static func receiptID(_ invocation: Invocation) throws -> String? {
    guard let text = invocation[id] else { return nil }
    guard Identifier.isUUID(text) else {
      throw invocation.unreadable(text, for: "--id", "a UUID is needed")
    }
    return text.lowercased()
  }

  /// Returns the error for a missing shop, which may be among the words.
  private static func noShop(_ invocation: Invocation) throws -> CommandError {
    let survey = try invocation.survey()
    let (strangers, known) = invocation.all(entries).reduce(into: ([String](), [String]())) {
      (try? survey.naming.find($1, .shoppingListEntry)) == nil ? $0.0.append($1) : $0.1.append($1)
    }
    let missing = "\(ReceiptOptions.shop.usage) is missing"
    guard !strangers.isEmpty else {
      return CommandError(
        .usage, missing,
        "larder receipt save --shop S --line 'ITEM=N@PRICE' says where and what was bought")
    }
    let amount = strangers.last.flatMap { strangers.count > 1 ? try? TypedMoney($0) : nil }
    let shop = (amount == nil ? strangers : strangers.dropLast()).joined(separator: " ")
    var words = ["larder receipt save", "--shop", shellWord(shop)]
    if amount != nil { words += ["--amount", shellWord(strangers.last ?? "")] }
    words += invocation.typedOptions + known.map { shellWord($0) }
    return CommandError(
      .usage,
      "\(missing), and no entry is called \(strangers.map { "'\($0)'" }.joined(separator: ", "))",
      "did you mean '\(words.joined(separator: " "))'?")
  }
}

extension Invocation {
  /// Returns the purchase from the options; the shop is empty if no option names it.
  func purchase(in survey: Survey) throws -> Edit.Purchase {
    var purchase = Edit.Purchase(shop: self[ReceiptOptions.shop] ?? "")
    let payment = try payment(in: survey.household)
    purchase.amount = payment.amount
    purchase.currency = payment.currency
    purchase.timestamp = try paidAt(survey.calendar)
    return purchase
  }

  /// The options of the command as they were typed.
  fileprivate var typedOptions: [String] {
    parsed.node.command.options.flatMap { option in
      all(option).map { option.isFlag ? option.spelling : "\(option.spelling) \(shellWord($0))" }
    }
  }
}
