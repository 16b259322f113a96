public import LarderModel

extension ReceiptForm {
  /// Creates the form of a receipt that was read from a text.
  public init(of read: ReadReceipt, shop: String, paid: Instant?) {
    self.init(
      shop: formName(shop), paid: paid, amount: read.total.map { TypedMoney($0, read.currency) },
      lines: read.lines.map(\.typed))
  }
}

extension ReadPurchase {
  /// Creates the purchase of a text that somebody corrected in the receipt's form.
  ///
  /// An unchanged line is found as in a text that adds up. A line with a new name means the item
  /// with that name, and the item learns the printed name. Throws `amountDiffers` if the amount is
  /// not the sum of the lines, or all mistakes in lines as ``ThingMistakes``.
  public init(
    of read: ReadReceipt, correctedTo form: ReceiptForm, _ survey: Survey, _ writer: Writer,
    _ rules: LineRules = LineRules()
  ) throws {
    self.init(read, shop: form.shop, survey, writer, rules)
    purchase.timestamp = form.paid ?? writer.now
    purchase.amount = form.amount?.amount
    purchase.currency = form.amount?.currency ?? purchase.currency
    var mistakes = ThingMistakes()
    var each = EachPrices()
    let printed = ReceiptForm(of: read, shop: form.shop, paid: nil).lines
    for (place, known) in TypedLine.pairs(of: form.lines, with: printed) {
      let line = form.lines[place]
      guard line.quantity?.value != .zero else { continue }
      let made = mistakes.attempt(line.name) {
        try self.line(line, printedAs: known.map { (read.lines[$0], read.lineIDs[$0]) }, place)
      }
      guard let made else { continue }
      lines.append(made)
      each.note(line, on: made)
    }
    try mistakes.refuse()
    _ = try each.write(into: &lines, amount: purchase.amount, currency: purchase.currency)
    let prices = lines.compactMap(\.price)
    let sum = prices.reduce(.zero, +)
    if let amount = purchase.amount, prices.count == lines.count, sum != amount {
      throw RuleError.amountDiffers(amount: amount, sum: sum, currency: purchase.currency)
    }
  }

  /// Returns the receipt line for a line of the form.
  private mutating func line(
    _ typed: TypedLine, printedAs known: (line: ReadLine, id: String)?, _ place: Int
  ) throws -> ReceiptLine {
    if let (line, id) = known {
      let isSameAmount = typed.quantity == line.typed.quantity
      if fold(typed.name) == fold(line.typed.name), isSameAmount {
        var made = made(of: line, id)
        made.price = typed.price
        return made
      }
      let thing = try survey.bought(typed.name, basket: [], rules)
      if let item = thing.item, line.kind == .item {
        learned.append((line.name, id))
        if isSameAmount {
          var made = ReceiptLine(
            id: id, itemName: spaced(line.title), quantity: line.quantity, unit: line.unit,
            itemID: nil)
          made.price = typed.price
          count(line, as: item, in: &made)
          if made.itemID == nil { made.itemName = typed.name }
          return made
        }
      } else if line.kind == .item, rules.makesAny {
        learned.append((line.name, id))
      }
      if !isSameAmount, typed.quantity != nil { said.insert(id) }
      return try newLine(typed, thing, id)
    }
    let id = Identifier.derived(
      fromName: "read/\(read.id)/written/\(fold(typed.name))/\(place)")
    return try newLine(typed, try survey.bought(typed.name, basket: [], rules), id)
  }

  private mutating func newLine(
    _ typed: TypedLine, _ thing: BoughtThing, _ id: String
  ) throws -> ReceiptLine {
    let own = Writer(
      now: writer.now, device: writer.device, userID: writer.userID, newID: { id })
    var line = try thing.line(
      named: typed.name, isCounted: typed.quantity != nil, in: survey, by: own)
    try line.take(typed, in: survey)
    line.price = typed.price
    if let entry = thing.entry { take(entry) }
    if thing.item == nil, line.isUnknown, rules.makesItems || !line.isCharge { unknown.insert(id) }
    return line
  }
}

extension TypedLine {
  /// Returns the index of each typed line with that of its printed line; nil for a new line.
  ///
  /// A typed line matches an equal printed line, else the next one with its name, else the next one
  /// with its price.
  ///
  /// With `byPlace`, what is left matches in its order, if it is the same number of lines.
  static func pairs(
    of typed: [TypedLine], with printed: [TypedLine], byPlace: Bool = true
  ) -> [(typed: Int, printed: Int?)] {
    var rest = Array(printed.indices)
    var found: [Int: Int] = [:]
    let rules: [(TypedLine, TypedLine) -> Bool] = [
      { $0 == $1 }, { fold($0.name) == fold($1.name) }, { $0.price == $1.price },
    ]
    for isSame in rules {
      for (place, line) in typed.enumerated() where found[place] == nil {
        guard let index = rest.firstIndex(where: { isSame(line, printed[$0]) }) else { continue }
        found[place] = rest.remove(at: index)
      }
    }
    // If the same number of lines is left on both sides, somebody changed names and prices.
    let open = typed.indices.filter { found[$0] == nil }
    if byPlace, open.count == rest.count {
      for (place, index) in zip(open, rest) { found[place] = index }
    }
    return typed.indices.map { ($0, found[$0]) }
  }
}
