internal import LarderJSON
public import LarderModel

/// The purchase on a receipt's text, in the names of a household.
///
/// It has the receipt's lines, the entries that leave the shopping list, and the names that items
/// learn.
public struct ReadPurchase {
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
  /// line without an item. Throws for a text that does not add up.
  public init(
    of read: ReadReceipt, shop: String, paid: Instant, _ survey: Survey, _ writer: Writer,
    _ rules: LineRules = LineRules()
  ) throws(ReadingDoubt) {
    let today = survey.calendar.today
    if let doubt = ReadingDoubt(read, on: today, hasShop: !shop.isEmpty, hasDay: true) {
      throw doubt
    }
    self.init(read, shop: shop, survey, writer, rules)
    purchase.timestamp = paid
    purchase.amount = read.total
    for (line, id) in zip(read.lines, read.lineIDs) { lines.append(made(of: line, id)) }
  }

  init(
    _ read: ReadReceipt, shop: String, _ survey: Survey, _ writer: Writer, _ rules: LineRules
  ) {
    self.read = read
    self.survey = survey
    self.writer = writer
    self.rules = rules
    purchase = Edit.Purchase(shop: shop)
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
    guard rules.closesEntries, !taken.contains(where: { $0.id == entry.id }) else { return }
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
}
