internal import LarderJSON
public import LarderModel

/// The correction of a receipt, with the fields and lines as they should be.
///
/// The stock follows the lines.
public struct ReceiptCorrection {
  private let receipt: Receipt
  private let survey: Survey
  private let writer: Writer
  private let rules: LineRules
  /// The fields to write, without the lines.
  private var fields: [FieldValue] = []
  public private(set) var lines: [ReceiptLine]
  /// The entries that leave the shopping list because of new lines.
  public private(set) var taken: [Entity] = []
  /// The ids of the lines without an item.
  private var unknown: Set<String> = []

  public init(
    of receipt: Receipt, _ survey: Survey, _ writer: Writer, _ rules: LineRules = LineRules()
  ) {
    self.receipt = receipt
    self.survey = survey
    self.writer = writer
    self.rules = rules
    lines = receipt.lines
  }

  /// The names on new lines that are not items and therefore change no stock.
  public var unknownNames: [String] {
    rules.makesItems ? [] : lines.filter { unknown.contains($0.id) && $0.isUnknown }.map(\.itemName)
  }

  /// Changes the shop.
  ///
  /// The new shop is spelled as on other receipts, unless only the spelling changes.
  public mutating func set(shop: String) {
    let isSame = fold(shop) == fold(receipt.shop)
    let name = isSame ? shop : survey.household.spelling(ofShop: shop)
    fields.append((.shopName, .string(name)))
  }

  /// Changes the amount; nil removes it.
  ///
  /// A receipt without a currency gets the household's. Throws `amountBelowZero`.
  public mutating func set(amount: Number?) throws(RuleError) {
    try amount?.checkAmount()
    fields.append((.amount, amount?.json))
    guard amount != nil, receipt.currency == nil else { return }
    if let currency = survey.household.own?.currency { set(currency: currency) }
  }

  /// Changes the currency of the amount and the prices.
  public mutating func set(currency: String) {
    fields.append((.currency, .string(currency)))
  }

  /// Changes the time of the payment.
  public mutating func set(paid: Instant) {
    fields.append((.timestamp, .string(paid.description)))
  }

  /// Changes or adds a line, or removes it if its quantity is 0.
  ///
  /// A line without an item is linked to the item that now has its name, if `typed` has only the
  /// name, or an amount whose unit converts to the item's. Throws `RuleError` with `notOnReceipt`,
  /// `severalLines` and `unitsDoNotConvert`, or ``NamingError``.
  public mutating func apply(_ typed: TypedLine) throws {
    guard let index = try index(of: typed.name) else {
      guard typed.quantity?.value != .zero else {
        throw RuleError.notOnReceipt(typed.name, shop: receipt.shop)
      }
      return lines.append(try newLine(typed))
    }
    guard typed.quantity?.value != .zero else {
      lines.remove(at: index)
      return
    }
    var line = lines[index]
    if line.itemID == nil {
      let item = survey.naming.named(line.itemName, .stockItem)
      let isNameAlone = typed.quantity == nil && typed.price == nil
      let counts = item.map { typed.quantity?.unit?.converts(to: $0.unit) ?? false } ?? false
      if isNameAlone || counts { line.itemID = item?.id }
      if isNameAlone, line.itemID == nil { unknown.insert(line.id) }
    }
    try line.take(typed, in: survey)
    lines[index] = line
  }

  /// Changes the batch details of a line.
  ///
  /// Throws `RuleError` with `notOnReceipt` and `severalLines`, or ``NamingError``.
  public mutating func note(_ name: String, _ change: (inout ReceiptLine) -> Void) throws {
    guard let index = try index(of: name) else {
      throw RuleError.notOnReceipt(name, shop: receipt.shop)
    }
    change(&lines[index])
  }

  /// Writes the correction.
  ///
  /// The stock follows, and things on new lines leave the shopping list.
  public func save(in edit: inout Edit) throws(RuleError) {
    var lines = lines
    if rules.makesItems {
      var made = lines.filter { unknown.contains($0.id) }
      try edit.makeItems(of: &made, by: writer)
      lines = lines.map { line in made.first { $0.id == line.id } ?? line }
    }
    let items: [FieldValue] =
      lines == receipt.lines ? [] : [(.items, .array(lines.map(\.json)))]
    edit.correct(receipt.key, fields + items, by: writer)
    for entry in taken { edit.close(entry, by: writer) }
  }

  private mutating func newLine(_ typed: TypedLine) throws -> ReceiptLine {
    let typed = survey.withAmountApart(typed)
    let thing = try survey.bought(typed.name, basket: [], rules)
    var line = try thing.line(
      named: typed.name, isCounted: typed.quantity != nil, in: survey, by: writer)
    try line.take(typed, in: survey)
    if let entry = thing.entry { taken.append(entry) }
    if thing.item == nil { unknown.insert(line.id) }
    return line
  }

  /// Returns the index of the line with a name, or of the named item; nil if there is none.
  private func index(of name: String) throws -> Int? {
    let wanted = fold(name)
    let full = lines.indices.filter { fold(lines[$0].itemName) == wanted }
    let found =
      full.isEmpty ? lines.indices.filter { fold(lines[$0].itemName).contains(wanted) } : full
    guard found.count < 2 else {
      throw RuleError.severalLines(
        name, found.map { "\(lines[$0].itemName), \(lines[$0].quantity)" })
    }
    if let index = found.first { return index }
    guard let item = try survey.naming.item(name) else { return nil }
    return lines.firstIndex { $0.itemID == item.id }
  }
}

extension ReceiptCorrection {
  /// Applies the changes that somebody made in the receipt's form.
  ///
  /// Throws `RuleError` with `amountBelowZero`, or all mistakes in lines as ``ThingMistakes``.
  public mutating func apply(_ form: ReceiptForm) throws {
    let before = ReceiptForm(of: receipt, in: survey)
    if form.shop != before.shop { set(shop: form.shop) }
    if form.amount != before.amount {
      try set(amount: form.amount?.amount)
      if let currency = form.amount?.currency { set(currency: currency) }
    }
    if let paid = form.paid, paid != before.paid { set(paid: paid) }
    try replaceLines(form.lines, before: before.lines)
  }

  /// Replaces the lines by those of a form.
  ///
  /// A known line keeps the values that the form does not show.
  ///
  /// `before` has the form's original lines, in the same order.
  private mutating func replaceLines(_ typed: [TypedLine], before: [TypedLine]) throws {
    var rest = Array(zip(lines, before))
    var found: [Int: (line: ReceiptLine, isSame: Bool)] = [:]
    for isSame in [true, false] {
      for (place, line) in typed.enumerated() where found[place] == nil {
        let index = rest.firstIndex { _, shown in
          isSame ? shown == line : fold(shown.name) == fold(line.name)
        }
        if let index { found[place] = (rest.remove(at: index).0, isSame) }
      }
    }
    var mistakes = ThingMistakes()
    lines = typed.enumerated().compactMap { place, line in
      guard line.quantity?.value != .zero else { return nil }
      return mistakes.attempt(line.name) {
        guard let (known, isSame) = found[place] else { return try newLine(line) }
        var changed = known
        if !isSame {
          changed.price = nil
          try changed.take(line, in: survey)
        }
        return changed
      }
    }
    try mistakes.refuse()
  }
}
