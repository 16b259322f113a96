public import LarderModel

/// The input of a new receipt: entries of the shopping list, and lines that correct or complete
/// them.
public struct Basket {
  private let survey: Survey
  private let writer: Writer
  private let rules: LineRules
  /// The entries of the shopping list that were bought.
  public private(set) var entries: [Entity]
  /// The entries that were not in the basket, but that a line names.
  public private(set) var taken: [Entity] = []
  /// The lines that correct an entry, or that are not on the list.
  public private(set) var lines: [ReceiptLine] = []

  /// The item ids and names for which a line was typed.
  private var isTyped: Set<String> = []
  private var each = EachPrices()
  /// What has to be told about prices; known after ``save(_:in:)``.
  public private(set) var priceNotes: [PriceNote] = []
  /// The ids of the lines whose name is not the name of an item.
  private var unknown: Set<String> = []
  /// The ids of the lines that are no things, such as deposits; what was on the list is a thing.
  private var charges: Set<String> = []

  /// Creates a basket with some entries; duplicates count once.
  public init(
    _ entries: [Entity], _ survey: Survey, _ writer: Writer, _ rules: LineRules = LineRules()
  ) {
    var once: [Entity] = []
    for entry in entries where !once.contains(where: { $0.id == entry.id }) { once.append(entry) }
    self.entries = once
    self.survey = survey
    self.writer = writer
    self.rules = rules
  }

  /// The names of lines and entries that are not items and therefore change no stock.
  public var unknownNames: [String] {
    guard !rules.makesAny else { return [] }
    let names = Set(lines.map { fold($0.itemName) })
    let free = entries.filter {
      $0.itemID == nil && survey.naming.named($0.title, .stockItem) == nil
    }
    return free.map(\.title).filter { !names.contains(fold($0)) }
      + lines.filter { unknown.contains($0.id) && $0.isUnknown }.map(\.itemName)
  }

  /// Adds a line for an entry of the shopping list, an item, or anything else with this name.
  ///
  /// A quantity that was not typed comes from the entry, or is one of the item. Throws `RuleError`
  /// with `lineNamedTwice`, `lineOfNothing` and `unitsDoNotConvert`, or ``NamingError``.
  public mutating func add(_ typed: TypedLine) throws {
    let typed = survey.withAmountApart(typed)
    let thing = try survey.bought(typed.name, basket: entries, rules)
    var line = try line(for: thing, named: typed.name, isCounted: typed.quantity != nil)
    guard !isTyped.contains(line.itemID ?? fold(line.itemName)) else {
      throw RuleError.lineNamedTwice(line.itemName)
    }
    try line.take(typed, in: survey)
    each.note(typed, on: line)
    isTyped.insert(line.itemID ?? fold(line.itemName))
    if thing.item == nil {
      if thing.entry == nil, line.isCharge {
        charges.insert(line.id)
      } else {
        unknown.insert(line.id)
      }
    }
    if let entry = thing.entry, !entries.contains(where: { $0.id == entry.id }) {
      entries.append(entry)
      taken.append(entry)
    }
    put(line)
  }

  /// Adds a line as it is.
  mutating func add(_ line: ReceiptLine) { put(line) }

  /// Changes the batch details of something that is in the basket or on a line.
  ///
  /// Throws `RuleError` with `notInBasket`, or ``NamingError``.
  public mutating func note(_ name: String, _ change: (inout ReceiptLine) -> Void) throws {
    var rules = LineRules()
    rules.closesEntries = false
    let thing = try survey.bought(name, basket: entries, rules)
    guard thing.entry != nil || index(of: thing, named: name) != nil else {
      throw RuleError.notInBasket(name)
    }
    var line = try line(for: thing, named: name, isCounted: false)
    change(&line)
    put(line)
  }

  private func index(of thing: BoughtThing, named name: String) -> Int? {
    let title = thing.entry.map { survey.naming.title(of: $0) } ?? name
    return lines.firstIndex { line in
      thing.item.map { $0.id == line.itemID } ?? (fold(line.itemName) == fold(title))
    }
  }

  /// Returns the current line of a thing, or a new one.
  private func line(
    for thing: BoughtThing, named name: String, isCounted: Bool
  ) throws(RuleError) -> ReceiptLine {
    if let index = index(of: thing, named: name) { return lines[index] }
    return try thing.line(named: name, isCounted: isCounted, in: survey, by: writer)
  }

  private mutating func put(_ line: ReceiptLine) {
    if let index = lines.firstIndex(where: { $0.id == line.id }) {
      lines[index] = line
    } else {
      lines.append(line)
    }
  }
}

extension Basket {
  /// Returns lines for the entries that have no item and no line yet.
  ///
  /// An entry with the name of an item counts as that item. Other entries get a line only if the
  /// rules make items of them.
  private func linesOfFreeEntries() throws(RuleError) -> [ReceiptLine] {
    var made: [ReceiptLine] = []
    for entry in entries where entry.itemID == nil {
      let thing = BoughtThing(
        entry: entry, item: survey.naming.named(entry.title, .stockItem))
      guard thing.item != nil || rules.makesAny, index(of: thing, named: entry.title) == nil
      else { continue }
      made.append(
        try thing.line(named: entry.title, isCounted: false, in: survey, by: writer))
    }
    return made
  }

  /// Saves the receipt of a purchase with the basket's entries and lines.
  ///
  /// If the receipt was saved before, it is returned and nothing changes. Throws the errors of
  /// `Edit.save(_:by:)`, and `priceOfEach`.
  public mutating func save(_ purchase: Edit.Purchase, in edit: inout Edit) throws(RuleError)
    -> Entity
  {
    var attempt = edit
    var purchase = purchase
    purchase.entries = entries
    purchase.lines = lines + (try linesOfFreeEntries())
    priceNotes = try each.write(
      into: &purchase.lines, amount: purchase.amount, currency: purchase.currency)
    if rules.makesAny {
      let unknown = Set(purchase.lines.filter(\.isUnknown).map(\.id))
        .subtracting(rules.makesItems ? [] : charges)
      try attempt.makeItems(of: &purchase.lines, unknown, printed: [], by: writer)
    }
    let receipt = try attempt.save(purchase, by: writer)
    if edit.after[receipt.key] == nil { edit = attempt }
    return receipt
  }
}
