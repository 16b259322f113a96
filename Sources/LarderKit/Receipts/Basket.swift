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

  /// What the entries come to whose units do not convert to those of their items; known after
  /// ``count(_:)``.
  public private(set) var contents: [BoughtContent] = []

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
  /// Gives an entry a line of its own if its quantity says nothing of the stock, and no line does.
  ///
  /// That is so for an entry without an item, and for one in a unit that does not convert to its item's.
  /// An entry with the name of an item counts as that item; others without an item get a line only if
  /// the rules make items of them. ``save(_:in:)`` does this for all. Throws `contentNeeded` and
  /// `severalPackSizes`.
  public mutating func count(_ entry: Entity) throws(RuleError) {
    let item =
      entry.itemID.map { survey.household[.stockItem, $0] }
      ?? survey.naming.named(entry.title, .stockItem)
    let isOdd = item.map { !entry.unit.converts(to: $0.unit) } ?? false
    let isFree = entry.itemID == nil && (item != nil || rules.makesAny)
    let thing = BoughtThing(entry: entry, item: item)
    guard isOdd || isFree,
      index(of: thing, named: survey.naming.title(of: entry)) == nil
    else { return }
    let line = try thing.line(named: entry.title, isCounted: false, in: survey, by: writer)
    lines.append(line)
    if isOdd, let unit = line.unit {
      contents.append(BoughtContent(line.itemName, entry.desired, Quantity(line.quantity, unit)))
    }
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
    for entry in entries { try count(entry) }
    purchase.entries = entries
    purchase.lines = lines
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

/// What something in a unit of its own came to in the stock, such as a pack of 42 g.
public struct BoughtContent: Equatable, Sendable {
  public let name: String
  /// The quantity on the list.
  public let wanted: Quantity
  /// The quantity that came into the stock.
  public let bought: Quantity

  init(_ name: String, _ wanted: Quantity, _ bought: Quantity) {
    self.name = name
    self.wanted = wanted
    self.bought = bought
  }
}
