internal import LarderJSON

extension Edit {
  /// The data from which a receipt is saved.
  public struct Purchase: Sendable {
    public var shop: String
    public var amount: Number?
    public var currency: String?
    public var timestamp: Instant?
    /// The names of those of shop, time and amount that a form filled in, and nobody said.
    public var guessed: Set<FieldName> = []
    /// Whether only the day of the timestamp is known.
    public var isDayOnly = false
    public var id: String?
    /// The shopping entries that were bought.
    public var entries: [Entity] = []
    /// Corrections of what the entries say, and lines that were on no list.
    ///
    /// A line corrects the entry of its item, or the entry without an item that has its name.
    public var lines: [ReceiptLine] = []

    public init(shop: String) {
      self.shop = shop
    }
  }

  /// Saves a receipt: its lines add to the stock, and its shopping entries are closed.
  ///
  /// The shop gets the spelling that the household has for it.
  ///
  /// If the receipt exists already, by its id or because its entries lead to the same id, it is
  /// returned and nothing changes. If this throws, nothing changes either.
  public mutating func save(_ purchase: Purchase, by writer: Writer) throws(RuleError) -> Entity {
    var attempt = self
    var purchase = purchase
    purchase.shop = after.spelling(ofShop: purchase.shop)
    let receipt = try attempt.saveInPlace(purchase, by: writer)
    self = attempt
    return receipt
  }

  /// Saves a receipt like ``save(_:by:)``, but keeps the spelling of the shop.
  ///
  /// It is for many receipts that are all saved or none. If it throws, entries may stay ticked off.
  package mutating func saveInPlace(_ purchase: Purchase, by writer: Writer) throws(RuleError)
    -> Entity
  {
    if let id = purchase.id, let known = after[.receipt, id] {
      guard !known.isTombstone else { throw .receiptIsVoid(id: id) }
      return known
    }
    let completed = try complete(purchase.entries, by: writer)
    let saved = SavedBasket(completed, at: writer.now)
    var lines = try completed.map { entry throws(RuleError) in
      try line(for: entry, purchase.lines)
    }
    let extras = purchase.lines.filter { extra in !completed.contains { corrects(extra, $0) } }
    lines += purchase.id == nil ? saved.named(extras) : extras
    guard !lines.isEmpty else { throw .nothingToSave }
    if let amount = purchase.amount { try amount.checkAmount() }
    lines = lines.map(after.counted)
    let listed = lines.map { quantity(of: $0, listedIn: completed) }
    for index in lines.indices { saved.mark(&lines[index], listed: listed[index]) }
    let paid = purchase.timestamp ?? now(for: lines, by: writer)
    let usual = keepAsUsual(&lines, since: paid)
    for line in lines { try check(line) }
    if purchase.isDayOnly { try checkIsClear(lines, paidOn: day(of: paid)) }
    let id = purchase.id ?? saved.receiptID ?? writer.newID()
    if let known = after[.receipt, id] {
      guard !known.isTombstone else { throw .receiptIsVoid(id: id) }
      return known
    }
    var receipt = new(
      .receipt, id: id,
      [
        (.shopName, .string(purchase.shop)),
        (.timestamp, .string(paid.description)),
        (.amount, purchase.amount?.json), (.currency, purchase.currency.map { .string($0) }),
        (.items, .array(lines.map(\.json))),
      ], by: writer)
    saved.stamp(&receipt, of: purchase)
    // As if all were bought as it was listed, and corrected then: so what somebody says of a line is
    // added to what everybody derives from the list.
    var first = receipt
    for (index, quantity) in listed.enumerated() {
      guard let quantity else { continue }
      (lines[index].quantity, lines[index].unit) = (quantity.value, quantity.unit)
    }
    if let stamp = receipt.register(.items)?.stamp {
      first.write(.items, .array(lines.map(\.json)), at: stamp)
    }
    put(first)
    replenish(from: nil, to: first, at: writer.now, device: writer.device)
    put(receipt)
    replenish(from: first, to: receipt, at: writer.now, device: writer.device)
    doubtDates(of: lines.filter { usual.contains($0.id) }, by: writer)
    for entry in completed { close(entry, by: writer) }
    return receipt
  }

  /// Throws if something was counted on the very day on which it was bought, so that it may be in that
  /// count or not.
  private func checkIsClear(_ lines: [ReceiptLine], paidOn day: Day) throws(RuleError) {
    for item in lines.compactMap({ $0.itemID.flatMap { after[.stockItem, $0] } }) {
      guard let counted = item.anchor?.at, self.day(of: counted) == day else { continue }
      throw .countedThatDay(item: item.title, day)
    }
  }

  /// Returns the time of what is bought now: after what was counted of it, also by a clock that is
  /// behind.
  private func now(for lines: [ReceiptLine], by writer: Writer) -> Instant {
    lines.compactMap { $0.itemID.flatMap { after[.stockItem, $0] }?.anchor?.at.next }
      .reduce(writer.now, max)
  }

  /// Takes an entry off the shopping list, because it was bought.
  public mutating func close(_ entry: Entity, by writer: Writer) {
    let fields: [FieldValue] = [(.isCompleted, .bool(true)), (.isDeleted, .bool(true))]
    write(fields, to: entry.key, now: writer.now)
  }

  private mutating func complete(_ entries: [Entity], by writer: Writer) throws(RuleError)
    -> [Entity]
  {
    var completed: [Entity] = []
    for entry in entries {
      guard !entry.isTombstone else { throw .entryIsClosed(name: title(of: entry)) }
      write([(.isCompleted, .bool(true))], to: entry.key, now: writer.now)
      completed.append(after[entry.key] ?? entry)
    }
    return completed
  }

  /// Returns the line for an entry; one in a unit that does not convert to its item's needs a
  /// correction.
  private func line(for entry: Entity, _ corrections: [ReceiptLine]) throws(RuleError)
    -> ReceiptLine
  {
    let item = entry.itemID.flatMap { after[.stockItem, $0] }
    let correction = corrections.first { corrects($0, entry) }
    var bought = item.map { after.counted(entry.desired, in: $0.unit) } ?? entry.desired
    if let item, !bought.unit.converts(to: item.unit) {
      guard let correction else {
        throw .contentNeeded(item: item.title, entry.desired, unit: item.unit)
      }
      bought = Quantity(correction.quantity, item.unit)
    }
    var line = ReceiptLine(
      id: entry.lineID, itemName: title(of: entry), quantity: bought.value, unit: bought.unit,
      itemID: entry.itemID)
    if let correction {
      line.itemID = entry.itemID ?? correction.itemID
      line.quantity = correction.quantity
      line.unit = correction.unit ?? line.unit
      line.price = correction.price
      line.expiry = correction.expiry
      line.locationID = correction.locationID
      line.lotCode = correction.lotCode
      line.others = correction.others
    }
    return line
  }

  /// Returns what the entry of a line says that it comes to; nil if there is none, or if it says
  /// nothing of the stock.
  private func quantity(of line: ReceiptLine, listedIn entries: [Entity]) -> Quantity? {
    guard let entry = entries.first(where: { $0.lineID == line.id }) else { return nil }
    guard let item = line.itemID.flatMap({ after[.stockItem, $0] }) else { return entry.desired }
    let quantity = after.counted(entry.desired, in: item.unit)
    return quantity.unit.converts(to: item.unit) ? quantity : nil
  }

  private func corrects(_ line: ReceiptLine, _ entry: Entity) -> Bool {
    guard let item = entry.itemID else { return fold(line.itemName) == fold(entry.title) }
    return line.itemID == item
  }

  /// Throws if a line has a location or a unit that its item can't have.
  private func check(_ line: ReceiptLine) throws(RuleError) {
    if let place = line.locationID, !place.isEmpty { try checkPlace(place) }
    guard let item = line.itemID.flatMap({ after[.stockItem, $0] }), let unit = line.unit,
      !unit.converts(to: item.unit)
    else { return }
    throw .unitsDoNotConvert(of: item.title, unit, item.unit)
  }
}

extension Household {
  /// Returns a line with its quantity as it counts in its item's unit.
  public func counted(_ line: ReceiptLine) -> ReceiptLine {
    guard let item = line.itemID.flatMap({ self[.stockItem, $0] }), let unit = line.unit else {
      return line
    }
    var line = line
    let quantity = counted(Quantity(line.quantity, unit), in: item.unit)
    (line.quantity, line.unit) = (quantity.value, quantity.unit)
    return line
  }

  /// Returns a shop's name as the newest receipt of that shop spells it, otherwise unchanged.
  ///
  /// Case and accents don't matter.
  public func spelling(ofShop name: String) -> String {
    let wanted = fold(name)
    let known = all(.receipt).filter { !$0.isTombstone && fold($0.title) == wanted }
    return known.max { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }?.title ?? name
  }
}

extension Number {
  /// Throws `amountBelowZero` for a number below zero.
  public func checkAmount() throws(RuleError) {
    guard self >= .zero else { throw .amountBelowZero(self) }
  }
}

/// The rules for how long things keep and where they are put if nobody says it
/// (docs/adoption.md, section 18).
extension Edit {
  /// Returns the usual expiry of an item that came on a day; nil if the item does not say how long
  /// it keeps.
  ///
  /// Its confidence is a half, so people see that the date is not from the package.
  func usualExpiry(of item: Entity, since day: Day) -> ExpiryInfo? {
    item.keepsDays.map { ExpiryInfo(guessed: day.adding(days: $0)) }
  }

  /// Returns the details of the batch to which something of an item comes, by what is said and else by
  /// what is usual; nil for the loose stock.
  func details(
    of item: Entity, expiry: ExpiryInfo?? = nil, place: String?? = nil, at moment: Instant
  ) -> BatchDetails? {
    var details = BatchDetails(productID: item.id)
    details.expiry = expiry ?? usualExpiry(of: item, since: day(of: moment))
    details.locationID = place ?? usualPlace(of: item)
    return details == BatchDetails(productID: item.id) ? nil : details
  }

  /// Returns the id of the location where an item is put; nil if the item names none that is there.
  func usualPlace(of item: Entity) -> String? {
    item.locationID.flatMap { id in
      after[.storageLocation, id].flatMap { $0.isTombstone || !Stock(after).isOurs($0) ? nil : id }
    }
  }

  /// Returns the day of a moment in the household.
  func day(of moment: Instant) -> Day { Day(moment, in: after.own?.timeZone ?? "UTC") }

  /// Gives lines the usual location and expiry of their items, and returns the ids of the lines that
  /// had no date.
  ///
  /// A line that counted as its item among the `earlier` ones already stays as it is.
  func keepAsUsual(
    _ lines: inout [ReceiptLine], since moment: Instant, after earlier: [ReceiptLine] = []
  ) -> Set<String> {
    let known = Dictionary(earlier.map { ($0.id, $0.itemID) }) { first, _ in first }
    var ids: Set<String> = []
    for index in lines.indices {
      if let item = known[lines[index].id], item == lines[index].itemID { continue }
      guard let item = lines[index].itemID.flatMap({ after[.stockItem, $0] }) else { continue }
      if lines[index].locationID == nil { lines[index].locationID = usualPlace(of: item) }
      guard lines[index].expiry == nil, let usual = usualExpiry(of: item, since: day(of: moment))
      else { continue }
      lines[index].expiry = usual.date
      ids.insert(lines[index].id)
    }
    return ids
  }

  /// Marks the dates of the batches of some lines as usual expiries, with a confidence of a half.
  ///
  /// In a batch that was made just now, they are as old as its dates, which nobody said.
  mutating func doubtDates(of lines: [ReceiptLine], by writer: Writer) {
    for line in lines {
      guard let place = place(of: line), place.isBatch, var batch = after[place.key],
        var info = batch.expiry
      else { continue }
      info.confidence = ExpiryInfo.guess
      if before[place.key] == nil, let stamp = batch.register(.expiryInfo)?.stamp,
        stamp < batch.createdAt
      {
        batch.write(.expiryInfo, info.json, at: stamp)
        put(batch)
        continue
      }
      write([(.expiryInfo, info.json)], to: place.key, now: writer.now)
    }
  }
}
