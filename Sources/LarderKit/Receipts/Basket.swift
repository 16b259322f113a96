internal import LarderJSON
public import LarderModel

/// The input of a new receipt: the entries of the list, and lines that differ from them.
public struct Basket {
  private let survey: Survey
  private let writer: Writer
  /// The entries of the shopping list that were bought.
  public let entries: [Entity]
  /// Lines that correct those of an item's entry, or that are on no list.
  public private(set) var lines: [ReceiptLine] = []
  /// Lines that correct those of an entry without an item, with the entry.
  private var corrections: [(entry: Entity, line: ReceiptLine)] = []

  /// The item ids and names for which a line was typed.
  private var isTyped: Set<String> = []

  /// Creates a basket with some entries; duplicates count once.
  public init(_ entries: [Entity], _ survey: Survey, _ writer: Writer) {
    var once: [Entity] = []
    for entry in entries where !once.contains(where: { $0.id == entry.id }) { once.append(entry) }
    self.entries = once
    self.survey = survey
    self.writer = writer
  }

  /// Adds a line for an entry in the basket, for an item, or for anything else by its name.
  ///
  /// An argument that is nil keeps the entry's value, or the default: one of the item. Throws
  /// `RuleError` with `lineNamedTwice` and `lineOfNothing`, or ``NamingError``.
  public mutating func add(
    _ name: String, quantity: Number? = nil, unit: Unit? = nil, price: Number? = nil
  ) throws {
    let place = try place(name)
    var line = self.line(at: place, named: name)
    guard isTyped.insert(line.itemID ?? fold(line.itemName)).inserted else {
      throw RuleError.lineNamedTwice(line.itemName)
    }
    if let quantity {
      guard quantity > .zero else { throw RuleError.lineOfNothing(line.itemName) }
      line.quantity = quantity
      line.unit = unit ?? line.unit
    }
    if let price { line.price = price }
    put(line, at: place)
  }

  /// Changes the batch details of something that is in the basket or on a line.
  ///
  /// Throws `RuleError` with `notInBasket`, or ``NamingError``.
  public mutating func note(_ name: String, _ change: (inout ReceiptLine) -> Void) throws {
    let place = try place(name)
    if case .new(let item) = place, item.map({ index(of: $0.id) == nil }) ?? true,
      index(named: name) == nil
    {
      throw RuleError.notInBasket(name)
    }
    var line = self.line(at: place, named: name)
    change(&line)
    put(line, at: place)
  }

  private enum Place {
    case entry(Entity)
    case new(Entity?)
  }

  private func place(_ name: String) throws -> Place {
    do throws(NamingError) {
      return .entry(try survey.naming.find(name, .shoppingListEntry, among: entries))
    } catch {
      guard case .notFound = error else { throw error }
    }
    return .new(try survey.naming.item(name))
  }

  private func index(of item: String) -> Int? { lines.firstIndex { $0.itemID == item } }

  private func index(named name: String) -> Int? {
    lines.firstIndex { $0.itemID == nil && fold($0.itemName) == fold(name) }
  }

  /// Returns the current line.
  private func line(at place: Place, named name: String) -> ReceiptLine {
    switch place {
    case .entry(let entry):
      let known = corrections.first { $0.entry.id == entry.id }?.line
      let listed = entry.itemID.flatMap { index(of: $0) }.map { lines[$0] }
      return known ?? listed
        ?? ReceiptLine(
          id: writer.newID(), itemName: survey.naming.title(of: entry),
          quantity: entry.desired.value, unit: entry.unit, itemID: entry.itemID)
    case .new(let item?):
      return index(of: item.id).map { lines[$0] }
        ?? ReceiptLine(
          id: writer.newID(), itemName: item.title, quantity: Number(1), unit: item.unit,
          itemID: item.id)
    case .new(nil):
      return index(named: name).map { lines[$0] }
        ?? ReceiptLine(
          id: writer.newID(), itemName: name, quantity: Number(1), unit: nil, itemID: nil)
    }
  }

  private mutating func put(_ line: ReceiptLine, at place: Place) {
    if case .entry(let entry) = place, entry.itemID == nil {
      corrections.removeAll { $0.entry.id == entry.id }
      corrections.append((entry, line))
    } else if let index = lines.firstIndex(where: { $0.id == line.id }) {
      lines[index] = line
    } else {
      lines.append(line)
    }
  }

  /// Returns the lines of a saved receipt with the corrections of entries without an item.
  private func corrected(_ saved: [ReceiptLine]) -> [ReceiptLine] {
    saved.map { line in
      guard line.itemID == nil,
        let correction = corrections.first(where: { correction in
          fold(correction.line.itemName) == fold(line.itemName)
        })?.line
      else { return line }
      var corrected = line
      corrected.quantity = correction.quantity
      corrected.unit = correction.unit
      corrected.price = correction.price
      corrected.expiry = correction.expiry
      corrected.locationID = correction.locationID
      corrected.lotCode = correction.lotCode
      return corrected
    }
  }
}

extension Basket {
  /// Saves the receipt of a purchase with the basket's entries and lines.
  ///
  /// Prices of entries without an item are on the receipt's lines only. Throws the errors of
  /// `Edit.save(_:by:)`.
  public func save(_ purchase: Edit.Purchase, in edit: inout Edit) throws(RuleError) -> Entity {
    var purchase = purchase
    purchase.entries = entries
    purchase.lines = lines
    let receipt = try edit.save(purchase, by: writer)
    guard edit.before[receipt.key] == nil, !corrections.isEmpty else { return receipt }
    var corrected = receipt
    let lines = self.corrected(receipt.lines)
    corrected.write(.items, .array(lines.map(\.json)), at: receipt.createdAt)
    edit.put(corrected)
    return corrected
  }
}
