public import LarderModel

/// The correction of a receipt, with the fields and lines as they should be.
///
/// The stock follows the lines.
public struct ReceiptCorrection {
  private let receipt: Receipt
  private let survey: Survey
  private let writer: Writer
  public let rules: LineRules
  /// The fields to write, without the lines.
  private var fields: [FieldValue] = []
  public private(set) var lines: [ReceiptLine]
  /// The entries that leave the shopping list because of new lines.
  public private(set) var taken: [Entity] = []
  private var amount: Number?
  private var currency: String?
  private var each = EachPrices()
  /// What has to be told about prices; known after ``save(in:)``.
  public private(set) var priceNotes: [PriceNote] = []
  /// The ids of the named lines whose name is not an item's.
  private var unknown: Set<String> = []
  /// The ids of the lines whose amount somebody said.
  private var said: Set<String> = []
  /// The names on lines that somebody linked to an item by another name, each with its line.
  private var learned: [(name: String, line: String)] = []

  public init(
    of receipt: Receipt, _ survey: Survey, _ writer: Writer, _ rules: LineRules = LineRules()
  ) {
    self.receipt = receipt
    self.survey = survey
    self.writer = writer
    var rules = rules
    rules.paid = receipt.timestamp
    self.rules = rules
    lines = receipt.lines
    (amount, currency) = (receipt.amount, receipt.currency)
  }

  /// The names on new and named lines that are not items and therefore change no stock.
  public var unknownNames: [String] {
    rules.makesAny ? [] : lines.filter { unknown.contains($0.id) && $0.isUnknown }.map(\.itemName)
  }

  /// The names on lines that would count as an item if somebody said so: only their price or a
  /// detail was corrected.
  public private(set) var uncountedNames: [String] = []

  /// Whether a line becomes an item that nobody knew.
  public var makesItems: Bool {
    rules.makesItems && lines.contains { unknown.contains($0.id) && $0.isUnknown }
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
    self.amount = amount
    guard amount != nil, receipt.currency == nil else { return }
    if let currency = survey.household.own?.currency { set(currency: currency) }
  }

  /// Changes the currency of the amount and the prices.
  public mutating func set(currency: String) {
    fields.append((.currency, .string(currency)))
    self.currency = currency
  }

  /// Changes the time of the payment.
  public mutating func set(paid: Instant) {
    fields.append((.timestamp, .string(paid.description)))
  }

  /// Changes or adds a line, or removes it if its quantity is 0.
  ///
  /// A line without an item counts as the item that has its name by now, unless `typed` has only a
  /// price. Throws `RuleError` with `notOnReceipt`, `severalLines`, `unitsDoNotConvert` and
  /// `amountNeeded`, or ``NamingError``.
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
      let item = survey.item(printedAs: line)
      if typed.quantity == nil, typed.price != nil, !rules.makesItems {
        if item != nil { uncountedNames.append(line.itemName) }
      } else {
        try count(&line, as: item, typed.quantity)
      }
    }
    try line.take(typed, in: survey)
    each.note(typed, on: line)
    lines[index] = line
  }

  /// Lets each line that counts for nothing count as the item of its name, or as a thing that nobody
  /// knows; what can't be counted, and what is no thing, stays.
  public mutating func countAll() throws {
    for index in lines.indices where lines[index].isUnknown && !lines[index].isCharge {
      var line = lines[index]
      let item = survey.item(printedAs: line)
      if let item, survey.quantity(of: line, as: item) == nil { continue }
      try count(&line, as: item, nil)
      lines[index] = line
    }
  }

  /// Lets a line without an item count as one, in the amount that is said, otherwise in the printed
  /// one; without an item, the line's name is one that nobody knows.
  private mutating func count(
    _ line: inout ReceiptLine, as item: Entity?, _ amount: TypedQuantity?
  ) throws(RuleError) {
    guard let item else {
      if line.isUnknown, rules.makesItems || !line.isCharge { unknown.insert(line.id) }
      if amount != nil { said.insert(line.id) }
      return
    }
    if amount == nil {
      guard let quantity = survey.quantity(of: line, as: item) else {
        guard let unit = line.unit else { throw .amountNeeded(item: item.title, unit: item.unit) }
        throw .unitsDoNotConvert(of: item.title, unit, item.unit)
      }
      (line.quantity, line.unit) = (quantity.value, quantity.unit)
    }
    line.itemID = item.id
    if let entry = survey.household.listed(item) { take(entry) }
  }

  private mutating func take(_ entry: Entity) {
    guard rules.closes(entry), !taken.contains(where: { $0.id == entry.id }) else { return }
    taken.append(entry)
  }

  /// Changes the batch details of a line.
  ///
  /// Throws `RuleError` with `notOnReceipt` and `severalLines`, or ``NamingError``.
  public mutating func note(_ name: String, _ change: (inout ReceiptLine) -> Void) throws {
    guard let index = try index(of: name) else {
      throw RuleError.notOnReceipt(name, shop: receipt.shop)
    }
    change(&lines[index])
    if lines[index].itemID == nil, survey.item(printedAs: lines[index]) != nil {
      uncountedNames.append(lines[index].itemName)
    }
  }

  /// Writes the correction.
  ///
  /// The stock follows, and things on new lines leave the shopping list. Throws `priceOfEach`.
  public mutating func save(in edit: inout Edit) throws(RuleError) {
    priceNotes = try each.write(into: &lines, amount: amount, currency: currency)
    var lines = lines
    if rules.makesAny {
      try edit.makeItems(
        of: &lines, unknown, printed: Set(receipt.lines.map(\.id)), said: said, by: writer)
    }
    edit.learn(learned, of: lines, in: survey, at: writer.now)
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
    each.note(typed, on: line)
    if let entry = thing.entry { take(entry) }
    if thing.item == nil, line.isUnknown, rules.makesItems || !line.isCharge {
      unknown.insert(line.id)
    }
    return line
  }

  /// Returns the index of the line with a name, or of the named item; nil if there is none.
  ///
  /// Throws `notFound` with the lines that have the name as a part of theirs.
  private func index(of name: String) throws -> Int? {
    let name = (rules.meanings[fold(name)] ?? nil) ?? name
    let wanted = fold(name)
    let found = try single(lines.indices.filter { fold(lines[$0].itemName) == wanted }, name)
    if let found { return found }
    if let item = try survey.naming.itemToBuy(name) {
      return lines.firstIndex { $0.itemID == item.id }
    }
    guard !rules.makesItems, rules.meanings[wanted] == nil,
      let part = try single(
        lines.indices.filter { fold(lines[$0].itemName).contains(wanted) }, name)
    else { return nil }
    let whole = Candidate(
      name: lines[part].itemName, detail: "\(lines[part].quantity)", path: "")
    try survey.refusePart(name, rules, of: [whole])
    return nil
  }

  /// Returns the one index of some; nil if there is none.
  ///
  /// Throws `severalLines` for several.
  private func single(_ found: [Int], _ name: String) throws(RuleError) -> Int? {
    guard found.count < 2 else {
      throw .severalLines(name, found.map { "\(lines[$0].itemName), \(lines[$0].quantity)" })
    }
    return found.first
  }
}

extension ReceiptCorrection {
  /// Applies the changes that somebody made in the receipt's form.
  ///
  /// Throws `RuleError` with `amountBelowZero`, or all mistakes in lines as ``ThingMistakes``.
  public mutating func apply(_ form: ReceiptForm) throws {
    let before = asRead(ReceiptForm(of: receipt, in: survey))
    if form.shop != before.shop { set(shop: form.shop) }
    if form.amount != before.amount {
      try set(amount: form.amount?.amount)
      if let currency = form.amount?.currency { set(currency: currency) }
    }
    if let paid = form.paid, paid != before.paid { set(paid: paid) }
    try replaceLines(form.lines, before: before.lines)
  }

  /// Returns a form as its text is read, so that what is not changed in the text is no change.
  private func asRead(_ form: ReceiptForm) -> ReceiptForm {
    guard let read = try? ReceiptForm(form.text(in: survey), in: survey),
      read.lines.count == form.lines.count
    else { return form }
    return read
  }

  /// Replaces the lines by those of a form.
  ///
  /// A known line keeps the values that the form does not show. `before` has the form's original
  /// lines, in the same order.
  private mutating func replaceLines(_ typed: [TypedLine], before: [TypedLine]) throws {
    var mistakes = ThingMistakes()
    let known = lines
    lines = TypedLine.pairs(of: typed, with: before, byPlace: false).compactMap { place, earlier in
      let line = typed[place]
      guard line.quantity?.value != .zero else { return nil }
      return mistakes.attempt(line.name) {
        guard let earlier else { return try newLine(line) }
        return try changed(known[earlier], shownAs: before[earlier], to: line)
      }
    }
    try mistakes.refuse()
  }

  /// Returns a line of the form as somebody changed it.
  ///
  /// A new name of a line that counts is another thing. One of a line that counts for nothing says
  /// what it is, and the item learns the line's name.
  private mutating func changed(
    _ known: ReceiptLine, shownAs shown: TypedLine, to typed: TypedLine
  ) throws -> ReceiptLine {
    guard typed != shown else { return known }
    let isRenamed = fold(typed.name) != fold(shown.name)
    let isSameThing =
      known.itemID == nil && (known.price != nil || typed.quantity == shown.quantity)
    guard isSameThing || !isRenamed else { return try newLine(typed) }
    var line = known
    let amount = typed.quantity == shown.quantity ? nil : typed.quantity
    if line.itemID == nil {
      let item =
        isRenamed
        ? try survey.bought(typed.name, basket: [], rules).item : survey.item(printedAs: line)
      if isRenamed || amount != nil || rules.makesItems {
        try count(&line, as: item, amount)
        if isRenamed, line.isUnknown || item != nil { learned.append((line.itemName, line.id)) }
      } else if item != nil {
        uncountedNames.append(line.itemName)
      }
      if isRenamed { line.itemName = item?.title ?? typed.name }
    }
    line.price = nil
    try line.take(TypedLine(typed.name, quantity: amount, price: typed.price), in: survey)
    each.note(typed, on: line)
    return line
  }
}
