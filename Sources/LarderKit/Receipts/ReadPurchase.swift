public import LarderModel

/// The purchase on a receipt's text, in the names of a household.
///
/// It has the receipt's lines, the entries that leave the shopping list, and the names that items
/// learn.
public struct ReadPurchase: Sendable {
  /// A line whose item is known, but whose amount can't be counted in the item's unit.
  public struct Uncounted: Equatable, Sendable {
    /// The name on the receipt.
    public let name: String
    public let item: String
    public let unit: Unit
    /// Whether the receipt has an amount, but in a unit that does not convert.
    public let isInOtherUnit: Bool
  }

  let read: ReadReceipt
  let survey: Survey
  let writer: Writer
  let rules: LineRules
  var purchase: Edit.Purchase
  var lines: [ReceiptLine] = []
  /// The ids of the lines with unknown things.
  var unknown: Set<String> = []
  /// The ids of the lines whose amount somebody changed.
  var said: Set<String> = []
  /// The printed names that somebody linked to an item, each with its line.
  var learned: [(name: String, line: String)] = []
  /// The entries of the shopping list that were bought.
  public private(set) var taken: [Entity] = []
  public private(set) var uncounted: [Uncounted] = []

  /// Creates the purchase of a text that adds up.
  ///
  /// Things are found by their barcode, or by their full name or alias. Any other thing stays a
  /// line without an item. `isDayOnly` says that only the day of the payment is known. Throws for a
  /// text that does not add up.
  public init(
    of read: ReadReceipt, shop: String, paid: Instant, isDayOnly: Bool = false, _ survey: Survey,
    _ writer: Writer, _ rules: LineRules = LineRules()
  ) throws(ReadingDoubt) {
    let today = survey.calendar.today
    if let doubt = ReadingDoubt(read, on: today, hasShop: !shop.isEmpty, hasDay: true) {
      throw doubt
    }
    self.init(read, shop: shop, paid: paid, survey, writer, rules)
    purchase.isDayOnly = isDayOnly
    purchase.amount = read.total
    for (line, id) in zip(read.lines, read.lineIDs) { lines.append(made(of: line, id)) }
  }

  init(
    _ read: ReadReceipt, shop: String, paid: Instant, _ survey: Survey, _ writer: Writer,
    _ rules: LineRules
  ) {
    self.read = read
    self.survey = survey
    self.writer = writer
    var rules = rules
    rules.paid = paid
    self.rules = rules
    purchase = Edit.Purchase(shop: shop)
    purchase.timestamp = paid
    purchase.id = read.id
    purchase.currency = read.currency ?? survey.household.own?.currency
  }

  /// The names that are not items and therefore change no stock.
  public var unknownNames: [String] {
    rules.makesAny ? [] : lines.filter { unknown.contains($0.id) }.map(\.itemName)
  }

  /// Returns the receipt line for a printed line.
  mutating func made(of line: ReadLine, _ id: String) -> ReceiptLine {
    var made = ReceiptLine(
      id: id, itemName: spaced(line.title), quantity: line.quantity, unit: line.unit, itemID: nil)
    made.price = line.amount
    guard line.kind == .item else { return made }
    if let item = survey.item(printedAs: made, barcode: line.barcode) {
      count(line, as: item, in: &made)
    } else if !line.name.isEmpty {
      if let entry = survey.household.freeEntry(named: line.name) { take(entry) }
      unknown.insert(id)
    }
    return made
  }

  /// Counts a line as an item; if its amount does not fit the item, notes that in ``uncounted``.
  mutating func count(_ line: ReadLine, as item: Entity, in made: inout ReceiptLine) {
    guard let quantity = survey.quantity(of: made, as: item, barcode: line.barcode) else {
      let isSaid = line.unit != nil || PrintedSize(in: line.name) != nil
      uncounted.append(
        Uncounted(
          name: line.title, item: item.title, unit: item.unit, isInOtherUnit: isSaid))
      return
    }
    made.itemID = item.id
    made.itemName = item.title
    made.quantity = quantity.value
    made.unit = quantity.unit
    if let entry = survey.household.listed(item) { take(entry) }
  }

  mutating func take(_ entry: Entity) {
    guard rules.closes(entry), !taken.contains(where: { $0.id == entry.id }) else { return }
    taken.append(entry)
  }
}

extension ReadPurchase {
  /// Saves the receipt, updates the stock and the shopping list, and adds learned names to items.
  ///
  /// If the receipt was saved before, it is returned and nothing changes. Throws `receiptIsVoid` if
  /// it was voided, and the errors of `Edit.save(_:by:)`.
  public func save(in edit: inout Edit) throws(RuleError) -> Receipt {
    if let known = edit.after[.receipt, read.id], !known.isTombstone {
      return Receipt(entity: known)
    }
    var attempt = edit
    var purchase = purchase
    purchase.lines = lines
    if rules.makesAny {
      let names = Set(
        try attempt.makeItems(
          of: &purchase.lines, unknown, printed: unknown, said: said, by: writer))
      for index in purchase.lines.indices where names.contains(purchase.lines[index].id) {
        let item = purchase.lines[index].itemID.flatMap { attempt.after[.stockItem, $0] }
        purchase.lines[index].itemName = item?.title ?? purchase.lines[index].itemName
      }
    }
    attempt.learn(learned, of: purchase.lines, in: survey, at: writer.now)
    let receipt = try attempt.save(purchase, by: writer)
    for entry in taken { attempt.close(entry, by: writer) }
    edit = attempt
    return Receipt(entity: receipt)
  }

  /// Creates the purchase of a text that somebody corrected in the receipt's form.
  ///
  /// An unchanged line is found as in a text that adds up. A line with a new name means the item
  /// with that name, and the item learns the printed name. Throws `amountDiffers` if the amount is
  /// not the sum of the lines, or all mistakes in lines as ``ThingMistakes``.
  public init(
    of read: ReadReceipt, correctedTo form: ReceiptForm, _ survey: Survey, _ writer: Writer,
    _ rules: LineRules = LineRules()
  ) throws {
    self.init(read, shop: form.shop, paid: form.paid ?? writer.now, survey, writer, rules)
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
      let isSameName = fold(typed.name) == fold(line.typed.name)
      if isSameName, isSameAmount {
        var made = made(of: line, id)
        made.price = typed.price
        return made
      }
      var rules = rules
      // A printed name is an item's in full or not at all.
      if isSameName { rules.meanings.updateValue(nil, forKey: fold(typed.name)) }
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
    var line = try thing.line(
      named: typed.name, isCounted: typed.quantity != nil, in: survey, by: writer.making(id))
    try line.take(typed, in: survey)
    line.price = typed.price
    if let entry = thing.entry { take(entry) }
    if thing.item == nil, line.isUnknown, rules.makesItems || !line.isCharge { unknown.insert(id) }
    return line
  }
}

extension ReceiptForm {
  /// Creates the form of a receipt that was read from a text.
  public init(of read: ReadReceipt, shop: String, paid: Instant?) {
    self.init(
      shop: formName(shop), paid: paid, amount: read.total.map { TypedMoney($0, read.currency) },
      lines: read.lines.map(\.typed))
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
