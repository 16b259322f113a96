public import LarderModel

/// The rules for things on a receipt's lines.
public struct LineRules: Sendable {
  /// Whether a line removes its thing from the shopping list.
  public var closesEntries = true
  /// When it was paid; nil for now.
  ///
  /// What was put on the list after that stays there.
  public var paid: Instant?
  /// Whether a thing whose full name nobody knows becomes an item.
  public var makesItems = false
  /// Whether a thing that is found by no part of a name either becomes an item.
  ///
  /// A deposit, a tax, a fee or a discount is no thing.
  public var keepsNewThings = false
  /// What somebody said of names that are only a part of others, by the folded name: words that name
  /// the whole; nil if the name is meant as it is.
  public var meanings: [String: String?] = [:]

  public init() {}

  /// Whether anything becomes an item.
  var makesAny: Bool { makesItems || keepsNewThings }

  /// Whether a line removes an entry from the shopping list.
  func closes(_ entry: Entity) -> Bool {
    guard closesEntries, let paid else { return closesEntries }
    let wish: [FieldName] = [.desiredQuantity, .unit, .isDeleted]
    return wish.allSatisfy { entry.register($0).map { $0.stamp <= paid } ?? true }
  }
}

/// The meaning of a name on a receipt: an entry of the shopping list, an item, both, or nothing
/// known.
struct BoughtThing {
  var entry: Entity?
  var item: Entity?

  /// Returns a new line for the thing.
  ///
  /// Unless `isCounted`, the line has the usual quantity.
  ///
  /// `isCounted` says that a typed quantity follows. Throws `amountNeeded`, and the errors of
  /// ``Survey/content(of:as:)`` for what is on the list.
  func line(
    named name: String, isCounted: Bool, in survey: Survey, by writer: Writer
  ) throws(RuleError) -> ReceiptLine {
    guard let entry else {
      let quantity = try item.map { item throws(RuleError) in
        isCounted ? Quantity(Number(1), item.unit) : try survey.one(of: item, named: name)
      }
      return ReceiptLine(
        id: writer.newID(), itemName: item?.title ?? name, quantity: quantity?.value ?? Number(1),
        unit: quantity?.unit, itemID: item?.id)
    }
    let wanted = entry.desired
    let bought = try item.map { item throws(RuleError) in
      isCounted && !wanted.unit.converts(to: item.unit)
        ? Quantity(wanted.value, item.unit) : try survey.content(of: wanted, as: item)
    }
    return ReceiptLine(
      id: writer.newID(), itemName: survey.naming.title(of: entry),
      quantity: (bought ?? wanted).value, unit: (bought ?? wanted).unit,
      itemID: entry.itemID ?? item?.id)
  }
}

extension Survey {
  /// Returns the quantity that comes into the stock of an item with a quantity on the list or on a
  /// receipt.
  ///
  /// It is what converts to the item's unit, and the content of packs whose size is known. A number
  /// without a unit counts in the item's, unless that is a weight or a volume. Throws `contentNeeded`,
  /// and `severalPackSizes` for packs.
  public func content(of wanted: Quantity, as item: Entity) throws(RuleError) -> Quantity {
    let counted = household.counted(wanted, in: item.unit)
    guard !counted.unit.converts(to: item.unit) else { return counted }
    var product: String?
    do throws(RuleError) {
      let typed = TypedQuantity(value: wanted.value, unit: wanted.unit)
      if let packs = try packs(typed, of: item, named: "") { return packs }
    } catch {
      guard case .noPackSize(_, _, let sample) = error else { throw error }
      product = sample
    }
    if wanted.unit == .piece, !item.unit.isMeasured { return Quantity(wanted.value, item.unit) }
    throw .contentNeeded(item: item.title, wanted, unit: item.unit, product: product)
  }

  /// Returns a line with the amount that begins its name, as in `2 l Milk`, unless this is a full
  /// name.
  func withAmountApart(_ typed: TypedLine) -> TypedLine {
    let words = typed.name.split(separator: " ").map(String.init)
    guard typed.quantity == nil, words.count > 1, Barcode(written: typed.name) == nil,
      (try? TypedAmount(words[0])) != nil
    else { return typed }
    let reader = TypedThings([], kind: .stockItem, in: self, splitting: .byFullNames)
    guard let counted = reader.counted(words), counted.isLeading, !counted.isUnsure,
      !counted.name.isEmpty, case .success(.quantity(let quantity)) = counted.amount.value
    else { return typed }
    var line = typed
    (line.name, line.quantity) = (counted.name, quantity)
    return line
  }

  /// Returns the meaning of a name on a receipt.
  ///
  /// Matches are, in this order: an entry in the basket, an item, an entry of the list. Each is named
  /// in full: with a part, the line would count as more of another thing. Throws `notFound` with what
  /// the words are a part of, unless they are meant as they are.
  func bought(
    _ name: String, basket: [Entity], _ rules: LineRules
  ) throws(NamingError) -> BoughtThing {
    let name = (rules.meanings[fold(name)] ?? nil) ?? name
    if let entry = try entry(name, among: basket) { return bought(entry) }
    if let item = try naming.itemToBuy(name) { return bought(item, basket, rules) }
    let listed = naming.all(.shoppingListEntry).filter(rules.closes)
    if let entry = try entry(name, among: listed) { return bought(entry) }
    try refusePart(
      name, rules,
      of: naming.candidates(withPart: name, .stockItem)
        + naming.candidates(
          withPart: name, .shoppingListEntry, among: (basket + listed).filter { $0.itemID == nil }))
    return BoughtThing()
  }

  /// Throws `notFound` for a name that is a part of others, unless it is meant as it is.
  func refusePart(
    _ name: String, _ rules: LineRules, of wholes: [Candidate]
  ) throws(NamingError) {
    guard !wholes.isEmpty, !rules.makesItems, rules.meanings[fold(name)] == nil else { return }
    throw .notFound(Missing(words: name, kind: .stockItem, near: [], wholes: wholes, untaken: []))
  }

  private func bought(_ entry: Entity) -> BoughtThing {
    let item = entry.itemID.map { household[.stockItem, $0] }
    return BoughtThing(entry: entry, item: item ?? naming.named(entry.title, .stockItem))
  }

  private func bought(_ item: Entity, _ basket: [Entity], _ rules: LineRules) -> BoughtThing {
    let own = basket.first { $0.itemID == item.id }
    let listed = household.listed(item).flatMap { rules.closes($0) ? $0 : nil }
    return BoughtThing(entry: own ?? listed, item: item)
  }

  /// Returns the one entry that is named in full; nil if none is.
  ///
  /// Throws if several are.
  private func entry(_ name: String, among entries: [Entity]) throws(NamingError) -> Entity? {
    do throws(NamingError) {
      return try naming.findInFull(name, .shoppingListEntry, among: entries)
    } catch {
      guard case .ambiguous = error else { return nil }
      throw error
    }
  }
}

extension ReceiptLine {
  /// Changes the line as somebody typed it; values that they left out stay.
  ///
  /// Throws `lineOfNothing`, `unitsDoNotConvert`, and the errors of ``Survey/packs(_:of:named:)``
  /// and ``Survey/refuseUnclear(_:of:)``.
  mutating func take(_ typed: TypedLine, in survey: Survey) throws(RuleError) {
    let item = itemID.flatMap { survey.household[.stockItem, $0] }
    if let amount = typed.quantity {
      guard amount.value > .zero else { throw .lineOfNothing(itemName) }
      let packs = try item.flatMap { item throws(RuleError) in
        try survey.packs(amount, of: item, named: typed.name)
      }
      if packs == nil, let item { try survey.refuseUnclear(amount, of: item) }
      quantity = packs?.value ?? amount.value
      // A number alone is in the item's unit if the line's earlier one does not convert to it.
      let usual = item.flatMap { item in unit.flatMap { $0.converts(to: item.unit) ? $0 : nil } }
      unit = packs?.unit ?? amount.unit ?? (item == nil ? unit : usual)
    }
    price = typed.price ?? price
    self = survey.household.counted(self)
    guard let item, let unit, !unit.converts(to: item.unit) else { return }
    throw .unitsDoNotConvert(of: item.title, unit, item.unit)
  }

  /// Whether it names a thing that is not an item; a discount is not a thing.
  var isUnknown: Bool { itemID == nil && (price ?? .zero) >= .zero }

  /// Whether its name is that of a deposit, a tax, a fee or a discount, as receipts print them.
  var isCharge: Bool { RowKind.isCharge(ReceiptWords.label(of: itemName)) }

  /// Returns the line counted in the size of its package, and named without it; nil if its name has
  /// no size, or its quantity a unit.
  fileprivate func withSizeApart() -> ReceiptLine? {
    guard unit == nil, let size = PrintedSize(in: itemName),
      size.rest.count(where: \.isLetter) > 1, let all = size.quantity.times(quantity)
    else { return nil }
    var line = self
    (line.itemName, line.quantity, line.unit) = (size.rest, all.value, all.unit)
    return line
  }
}

extension Household {
  /// Returns the entry of the shopping list for an item: its own, or one that has its name.
  func listed(_ item: Entity) -> Entity? {
    entry(of: item).flatMap { $0.isTombstone ? nil : $0 } ?? freeEntry(named: item.title)
  }
}

/// The items of lines that count for nothing yet, the same for a receipt that is saved, read,
/// corrected or imported.
extension Edit {
  /// Makes items of lines without one, one for each name, and returns the ids of the lines that
  /// count as one of them.
  ///
  /// A line in `printed` has the name on a receipt: the item is named without the size of the
  /// package, and `HAFERMILCH 1L` counts as a litre unless somebody said its amount (`said`). Every
  /// device makes the same items.
  @discardableResult
  mutating func makeItems(
    of lines: inout [ReceiptLine], _ ids: Set<String>, printed: Set<String>,
    said: Set<String> = [], by writer: Writer
  ) throws(RuleError) -> [String] {
    var made: [String: String] = [:]
    var counted: [String] = []
    for index in lines.indices where lines[index].itemID == nil && ids.contains(lines[index].id) {
      var line = lines[index]
      var title = line.itemName
      if printed.contains(line.id), let apart = line.withSizeApart() {
        title = apart.itemName
        if !said.contains(line.id) { (line.quantity, line.unit) = (apart.quantity, apart.unit) }
      }
      let name = fold(title)
      if made[name] == nil { made[name] = try makeItem(title, of: line, by: writer).id }
      guard let id = made[name], let item = after[.stockItem, id],
        (line.unit ?? .piece).converts(to: item.unit)
      else { continue }
      line.itemID = id
      lines[index] = line
      counted.append(line.id)
    }
    return counted
  }

  private mutating func makeItem(
    _ title: String, of line: ReceiptLine, by writer: Writer
  ) throws(RuleError) -> Entity {
    var item = NewItem(title)
    item.unit = line.unit ?? .piece
    let id = Identifier.derived(from: "read", line.id, "item")
    let isTaken = after[.stockItem, id] != nil
    return try add(item, by: isTaken ? writer : writer.making(id))
  }

  /// Adds printed names, each with the id of its line, to the other names of the lines' items.
  mutating func learn(
    _ names: [(name: String, line: String)], of lines: [ReceiptLine], in survey: Survey,
    at now: Instant
  ) {
    for (name, id) in names where !name.isEmpty {
      guard let itemID = lines.first(where: { $0.id == id })?.itemID,
        let item = after[.stockItem, itemID], survey.naming.named(name, .stockItem) == nil,
        !([item.title] + item.aliases).contains(where: { fold($0) == fold(name) })
      else { continue }
      let all = (item.aliases + [spaced(name)]).map { JSON.string($0) }
      write([(.aliases, .array(all))], to: item.key, now: now)
    }
  }

  /// Returns the items that the change makes of the lines of some receipts, in the order of the
  /// lines.
  public func newThings(on receipts: [Entity]) -> [NewThing] {
    var order: [String] = []
    var sums: [String: Number] = [:]
    for line in receipts.flatMap(\.lines) {
      guard let id = line.itemID, before[.stockItem, id] == nil, let item = after[.stockItem, id]
      else { continue }
      if sums[id] == nil { order.append(id) }
      let bought = line.quantity(in: item).converted(to: item.unit) ?? .zero
      sums[id] = (sums[id, default: .zero] + bought).rounded
    }
    return order.compactMap { id in
      after[.stockItem, id].map {
        NewThing(name: $0.title, quantity: Quantity(sums[id] ?? .zero, $0.unit))
      }
    }
  }
}

/// A thing that comes into the stock for the first time, because it was bought.
public struct NewThing: Equatable, Sendable {
  /// The new item's name.
  public let name: String
  /// The bought quantity, in the unit in which the item is counted from then on.
  public let quantity: Quantity
}
