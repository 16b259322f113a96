public import LarderModel

extension Survey {
  /// Returns the first other receipt of the same shop and day with the same amount.
  public func twin(of receipt: Receipt) -> Receipt? {
    guard let amount = receipt.amount else { return nil }
    let (shop, day) = (fold(receipt.shop), calendar.day(of: receipt.timestamp))
    return liveReceipts.filter { other in
      other.id != receipt.id && other.amount == amount && other.currency == receipt.currency
        && fold(other.shop) == shop && calendar.day(of: other.timestamp) == day
    }
    .min { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
  }

  /// Returns words that name this receipt and no other: the shop with the day or the time, or the
  /// path.
  public func reference(to receipt: Receipt) -> String {
    let time = calendar.text(of: receipt.timestamp)
    let day = calendar.day(of: receipt.timestamp).description
    return ["\(receipt.shop) \(day)", "\(receipt.shop) \(time)"]
      .first { (try? naming.find($0, .receipt))?.id == receipt.id }
      ?? household.path(of: receipt.key)?.text ?? receipt.id
  }

  /// Returns the receipt lines that have one of an item's names but no item, the newest first.
  public func linesWithoutItem(
    named names: [String]
  ) -> [(receipt: Receipt, line: ReceiptLine)] {
    let wanted = Set(names.map(fold))
    let found = liveReceipts.flatMap { receipt in
      receipt.lines.filter { $0.itemID == nil && wanted.contains(fold($0.itemName)) }
        .map { (receipt: receipt, line: $0) }
    }
    return found.sorted { one, other in
      (one.receipt.timestamp, one.receipt.id) > (other.receipt.timestamp, other.receipt.id)
    }
  }

  /// Returns the names of a receipt's items whose totals were the same in an earlier survey.
  public func unchangedItems(of receipt: Receipt, since before: Survey) -> [String] {
    let ids = receipt.lines.compactMap(\.itemID)
    return ids.enumerated().filter { ids[..<$0.offset].contains($0.element) == false }.compactMap {
      guard let item = household[.stockItem, $0.element],
        before.household[.stockItem, $0.element].map({ before.stock.total(of: $0) })
          == stock.total(of: item)
      else { return nil }
      return item.title
    }
  }

  /// Returns the items of a receipt whose stock was counted after it was paid, so that what was bought
  /// is in that count.
  public func countedSince(_ receipt: Receipt) -> [(item: Entity, at: Instant)] {
    let items = Set(receipt.lines.compactMap(\.itemID)).compactMap { household[.stockItem, $0] }
    return items.compactMap { item in
      item.countedAt.flatMap { $0 > receipt.timestamp ? (item: item, at: $0) : nil }
    }.sorted(byText: \.item.title, thenID: \.item.id)
  }

  private var liveReceipts: [Receipt] {
    naming.all(.receipt).filter { !$0.isTombstone }.map { Receipt(entity: $0) }
  }
}

extension Survey {
  /// Returns the item of a printed line; nil if there is none, or several.
  ///
  /// It is found by its barcode, or by its full name or alias, with or without the size of the
  /// package.
  func item(printedAs line: ReceiptLine, barcode: String? = nil) -> Entity? {
    let name = line.itemName
    let names = [barcode, name, PrintedSize(in: name)?.rest, PrintedSize.withoutShares(name)]
    for name in names.compactMap(\.self) where !name.isEmpty {
      do throws(NamingError) {
        if let item = try naming.itemInFull(name) { return item }
      } catch {
        // Several items have the name, so it is not clear which one is meant.
        return nil
      }
    }
    return nil
  }

  /// Returns the quantity of a printed line in a unit that converts to its item's; nil if there is
  /// none.
  ///
  /// A printed weight is the quantity. A package counts by the size in its name, or by the pack
  /// size of the item's product. For an item that is counted in pieces, `6x1,5L` is six and `10ER`
  /// is ten; for one in packs, each is one.
  public func quantity(of line: ReceiptLine, as item: Entity, barcode: String? = nil) -> Quantity? {
    if let unit = line.unit {
      let quantity = household.counted(Quantity(line.quantity, unit), in: item.unit)
      return quantity.unit.converts(to: item.unit) ? quantity : nil
    }
    let size = PrintedSize(in: line.itemName)
    if let all = size?.quantity.times(line.quantity) {
      let quantity = household.counted(all, in: item.unit)
      if quantity.unit.converts(to: item.unit) { return quantity }
    }
    let count = TypedQuantity(value: line.quantity)
    let words = barcode ?? ""
    do throws(RuleError) {
      if let packs = try packs(count, of: item, named: words) { return packs }
      guard item.unit.isMeasured else {
        let pieces = item.unit == .pack ? nil : size?.pieces
        return Quantity(line.quantity, item.unit).times(pieces ?? Number(1))
      }
      return try packs(TypedQuantity(value: line.quantity, unit: .pack), of: item, named: words)
    } catch {
      return nil
    }
  }

  /// Returns the shop of a receipt.
  ///
  /// It is a known shop whose name stands above the things, otherwise the printed name.
  public func shop(of receipt: ReadReceipt) -> String {
    let words = { (text: String) in " " + ReceiptWords.label(of: text).joined(separator: " ") + " "
    }
    let head = receipt.head.map(words)
    let known = Set(household.all(.receipt).filter { !$0.isTombstone }.map(\.title))
    let printed = known.filter { shop in
      let name = words(shop)
      return name.count > 4 && head.contains { $0.contains(name) }
    }
    return printed.max { ($0.count, $1) < ($1.count, $0) } ?? receipt.shop
  }

  /// Returns the receipt with its first number alone, or without one, if it is in the household so.
  ///
  /// It was saved from a text that lacks the others, or by a Larder that did not read them.
  public func asSaved(_ receipt: ReadReceipt) -> ReadReceipt {
    for count in [receipt.numbers.count, 1, 0] where count <= receipt.numbers.count {
      var saved = receipt
      saved.numbers = Array(receipt.numbers.prefix(count))
      if household[.receipt, saved.id] != nil { return saved }
    }
    return receipt
  }
}

extension Quantity {
  /// Returns the quantity several times, rounded as files store it; nil if that is too large.
  func times(_ count: Number) -> Quantity? {
    value.multiplied(by: count).flatMap { Number($0.rounded.description) }.map {
      Quantity($0, unit)
    }
  }
}

extension ReadReceipt {
  /// The id of the receipt, which is the same for everybody who reads the same text.
  ///
  /// It is derived from the printed shop, time and total, and from the numbers that the till and the
  /// card terminal gave to the receipt. If the shop, the time or the total is missing, the amounts of all lines are used
  /// too.
  public var id: String {
    let isWhole = !shop.isEmpty && day != nil && minutes != nil && total != nil
    let amounts = isWhole ? [] : lines.map(\.amount.description)
    let parts = [
      fold(shop), day?.description ?? "", minutes.map(String.init) ?? "", total?.description ?? "",
    ]
    let numbers = numbers.isEmpty ? [] : ["no"] + numbers
    return Identifier.derived(
      fromName: (["read"] + parts + amounts + numbers).joined(separator: "/"))
  }

  /// The ids of the lines, derived from the receipt's id, the printed name and the amount.
  ///
  /// Equal lines are numbered.
  var lineIDs: [String] {
    let receipt = id
    var seen: [String: Int] = [:]
    return lines.map { line in
      let name = "read/\(receipt)/\(fold(line.name))/\(line.amount)"
      seen[name, default: 0] += 1
      return Identifier.derived(fromName: "\(name)/\(seen[name] ?? 1)")
    }
  }

  /// Returns the moment of the purchase, at noon if no time is printed; nil without a day.
  public func paid(_ calendar: HouseholdCalendar) -> Instant? {
    day.map { calendar.instant(of: $0, minutes: minutes ?? 12 * 60) }
  }
}

extension ReadLine {
  /// The name on the receipt, or the kind of a line without a name.
  public var title: String { name.isEmpty ? kind.rawValue : name }

  /// The line as people write it in the receipt's form.
  var typed: TypedLine {
    TypedLine(
      formName(title), quantity: TypedQuantity(shown: Quantity(quantity, unit ?? .piece)),
      price: amount)
  }
}

/// The reasons why a read receipt needs a person before it can be saved; nothing was changed.
public struct ReadingDoubt: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    case noLines
    case noTotal
    /// The shop paid money back.
    case belowZero
    /// The printed total minus the sum of the lines.
    case difference(Number)
    case noDay
    case noShop
    /// The printed day is after today.
    case dayAhead(Day)
    /// The printed day is more than a year ago.
    case dayLongAgo(Day)
    /// The number of lines whose quantity the printed numbers contradict.
    case quantities(Int)
    /// The number of discounts without a minus and of things with one.
    case signs(Int)
  }

  public let receipt: ReadReceipt
  public let reasons: [Reason]

  /// Creates the doubt; nil if nothing is doubtful.
  ///
  /// With `hasShop` or `hasDay`, somebody gave that value.
  public init?(_ receipt: ReadReceipt, on today: Day, hasShop: Bool, hasDay: Bool) {
    let doubtful = receipt.lines.count(where: \.isCountDoubtful)
    let signs = receipt.lines.count(where: \.isSignDoubtful)
    let hasDifference = !receipt.lines.isEmpty && receipt.difference != .zero
    // At midnight, a till may be a day ahead.
    let isAhead = receipt.day.map { $0 > today.adding(days: 1) } ?? false
    let isLongAgo = receipt.day.map { $0 < today.adding(days: -366) } ?? false
    let all: [Reason?] = [
      receipt.lines.isEmpty ? .noLines : nil, receipt.total == nil ? .noTotal : nil,
      receipt.total ?? .zero < .zero ? .belowZero : nil,
      hasDifference ? receipt.difference.map { .difference($0) } : nil,
      doubtful > 0 ? .quantities(doubtful) : nil, signs > 0 ? .signs(signs) : nil,
      hasDay || receipt.day != nil ? nil : .noDay,
      isAhead && !hasDay ? receipt.day.map { .dayAhead($0) } : nil,
      isLongAgo && !hasDay ? receipt.day.map { .dayLongAgo($0) } : nil,
      hasShop || !receipt.shop.isEmpty ? nil : .noShop,
    ]
    let reasons = all.compactMap(\.self)
    guard !reasons.isEmpty else { return nil }
    self.receipt = receipt
    self.reasons = reasons
  }
}
