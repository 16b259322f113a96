import LarderJSON
import LarderKit
import LarderModel

/// `larder receipt edit`.
enum ReceiptEdit {
  private static let options =
    [
      ReceiptOptions.shop, ReceiptOptions.amount, ReceiptOptions.currency, ReceiptOptions.at,
      TypedLine.option,
    ] + TypedDetail.options

  static let command = Command(
    "edit", summary: "Correct a receipt; the stock follows",
    discussion: """
      --line changes the quantity or the price of a line, and the stock by the difference; \
      something that is not on the receipt yet becomes a new line. A line with the quantity 0 is \
      removed.
      """,
    examples: [
      Example("larder receipt edit 2026-11-20 --amount 23.50"),
      Example("larder receipt edit 2026-11-20 --line 'Milk=3l@4.95'", "three litres, not two"),
      Example("larder receipt edit 2026-11-20 --line 'Bread=0'", "there was no bread"),
    ],
    arguments: [ReceiptCommand.receipt],
    options: options
  ) { invocation in
    let lines = try invocation.typedLines()
    guard options.contains(where: { !invocation.all($0).isEmpty }) else {
      throw CommandError(
        .usage, "what to change is missing",
        hints: ["give --shop, --amount, --currency, --at, --line, --expiry, --location or --lot"])
    }
    var key: EntityKey?
    let change = try invocation.change { edit, writer, survey in
      let old = try survey.naming.find(invocation[ReceiptCommand.receipt], .receipt)
      key = old.key
      var fields = try fields(of: old, invocation, survey)
      let details = try invocation.typedDetails(survey)
      if !lines.isEmpty || !details.isEmpty {
        var corrected = CorrectedLines(old, survey, writer)
        for line in lines { try corrected.apply(line) }
        for detail in details { try corrected.apply(detail) }
        fields.append((.items, .array(corrected.lines.map(\.json))))
      }
      edit.correct(old.key, fields, by: writer)
      return "correct a receipt of \(old.title)"
    }
    guard let receipt = key.flatMap({ change[$0] }) else { return }
    invocation.output.report(
      receipt, change, change.isNothing ? "unchanged:" : "corrected", invocation)
  }

  private static func fields(
    of receipt: Entity, _ invocation: Invocation, _ survey: Survey
  ) throws -> [FieldValue] {
    var fields: [FieldValue] = []
    if let shop = invocation[ReceiptOptions.shop] {
      fields.append((.shopName, .string(try invocation.newName(shop, for: "--shop"))))
    }
    let payment = try invocation.payment(in: survey.household)
    if let amount = payment.amount { fields.append((.amount, amount.json)) }
    let standard =
      payment.amount == nil || receipt.currency != nil ? nil : survey.household.own?.currency
    if let currency = payment.currency ?? standard {
      fields.append((.currency, .string(currency)))
    }
    if let at = try invocation.paidAt(survey.calendar) {
      fields.append((.timestamp, .string(at.description)))
    }
    return fields
  }
}

/// The lines of a receipt that is being corrected.
private struct CorrectedLines {
  private(set) var lines: [ReceiptLine]
  private let survey: Survey
  private let writer: Writer
  private let title: String

  init(_ receipt: Entity, _ survey: Survey, _ writer: Writer) {
    lines = receipt.lines
    title = receipt.title
    self.survey = survey
    self.writer = writer
  }

  /// Changes or adds a line, or removes it if its quantity is 0.
  mutating func apply(_ typed: TypedLine) throws(any Error) {
    guard let index = try index(of: typed.name) else {
      try append(typed)
      return
    }
    if let quantity = typed.quantity {
      if quantity.value == .zero {
        lines.remove(at: index)
        return
      }
      lines[index].quantity = quantity.value
      lines[index].unit = quantity.unit ?? lines[index].unit
    }
    if let price = typed.price { lines[index].price = price }
    try check(lines[index])
  }

  mutating func apply(_ detail: TypedDetail) throws(any Error) {
    guard let index = try index(of: detail.name) else {
      throw CommandError(
        .notFound, "'\(detail.name)' is not on the receipt of \(title)",
        hints: ["--line '\(detail.name)=N' adds it"])
    }
    detail.apply(to: &lines[index])
  }

  private mutating func append(_ typed: TypedLine) throws(any Error) {
    let item = try survey.naming.item(typed.name)
    let quantity = typed.quantity ?? TypedQuantity(value: Number(1))
    guard quantity.value > .zero else {
      throw CommandError(.notFound, "'\(typed.name)' is not on the receipt of \(title)")
    }
    var line = ReceiptLine(
      id: writer.newID(), itemName: item?.title ?? typed.name, quantity: quantity.value,
      unit: quantity.unit ?? item?.unit, itemID: item?.id)
    line.price = typed.price
    try check(line)
    lines.append(line)
  }

  /// Returns the line with a name, or of the named item; nil if there is none.
  private func index(of name: String) throws(any Error) -> Int? {
    let wanted = fold(name)
    let byName = lines.indices.filter { fold(lines[$0].itemName) == wanted }
    if byName.count == 1 { return byName[0] }
    let parts = lines.indices.filter { fold(lines[$0].itemName).contains(wanted) }
    if byName.isEmpty, parts.count == 1 { return parts[0] }
    guard byName.isEmpty, parts.isEmpty else {
      let shown = (byName.isEmpty ? parts : byName).map { lines[$0] }
      throw CommandError(
        .ambiguous, "'\(name)' could be \(shown.count) lines of the receipt",
        problems: shown.map { Problem("\($0.itemName), \($0.quantity)") },
        hints: ["write more of the name; lines of one name are told apart in the file only"])
    }
    guard let item = try survey.naming.item(name) else { return nil }
    return lines.firstIndex { $0.itemID == item.id }
  }

  private func check(_ line: ReceiptLine) throws(RuleError) {
    guard let item = line.itemID.flatMap({ survey.household[.stockItem, $0] }),
      let unit = line.unit,
      !unit.converts(to: item.unit)
    else { return }
    throw .unitsDoNotConvert(of: item.title, unit, item.unit)
  }
}
