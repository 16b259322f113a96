internal import LarderJSON
internal import LarderModel
internal import LarderText

/// Somebody else saved the basket: its receipt.
struct BasketIsSaved: Error {
  let receipt: Entity
}

/// The saving of a basket that somebody else has saved.
extension Doing {
  /// Throws ``BasketIsSaved`` if some of the entries are on a receipt.
  func refuseSaved(_ entries: [Entity], _ change: Change) throws {
    for entry in entries where entry.isTombstone {
      if let receipt = change.edit.after.receipt(of: entry) {
        throw BasketIsSaved(receipt: receipt)
      }
    }
  }

  /// Adds to a receipt what it lacks: of what two people said, the later stands, and a guess never
  /// does.
  func join(_ bought: Deed.Bought, to id: String, _ change: inout Change) throws -> EntityKey {
    let receipt = Receipt(entity: try find(.receipt, id, change))
    guard !receipt.entity.isTombstone else { throw RuleError.receiptIsVoid(id: receipt.id) }
    var joined = JoinedReceipt(receipt, saidAt: moment)
    let entries = try bought.entries.map { try find(.shoppingListEntry, $0, change) }
    try refuseSaved(entries.filter { !joined.has($0.lineID) }, change)
    for entry in entries where !entry.isTombstone && !joined.has(entry.lineID) {
      joined.add(try line(Deed.Line(.entry(entry.id)), id: entry.lineID, change), said: [])
    }
    for line in bought.lines {
      var id: String?
      var listed: Quantity?
      if case .entry(let entryID) = line.subject {
        let entry = try find(.shoppingListEntry, entryID, change)
        if joined.has(entry.lineID) { id = entry.lineID }
        let untouched = try self.line(Deed.Line(line.subject), id: entry.lineID, change)
        listed = untouched.unit.map { Quantity(untouched.quantity, $0) }
      }
      let made = change.edit.after.counted(try self.line(line, id: id ?? "", change))
      joined.add(made, said: made.said(listed: listed))
    }
    let isGuessed = bought.guessed.contains
    if fold(bought.shop) != fold(receipt.shop) {
      let shop = change.edit.after.spelling(ofShop: bought.shop)
      joined.say(.shopName, .string(shop), isGuess: isGuessed(.shopName))
    }
    joined.say(
      .timestamp, (bought.timestamp?.description).map { .string($0) },
      isGuess: isGuessed(.timestamp))
    joined.say(.amount, bought.amount?.json, isGuess: isGuessed(.amount))
    if receipt.currency == nil, joined.isPriced {
      joined.say(
        .currency, (bought.currency ?? change.edit.after.own?.currency).map { .string($0) },
        isGuess: true)
    }
    change.edit.correct(receipt.key, joined.fields, by: change.writer)
    for entry in entries where !entry.isTombstone {
      change.edit.close(entry, by: change.writer)
    }
    change.subject = "edit a receipt of \(receipt.shop)"
    return receipt.key
  }
}

/// A receipt to which somebody adds.
private struct JoinedReceipt {
  private let receipt: Receipt
  /// When somebody said what is added.
  private let moment: Instant
  private var lines: [ReceiptLine]
  private var values: [FieldValue] = []
  private var seen: [String: Int] = [:]

  init(_ receipt: Receipt, saidAt moment: Instant) {
    self.receipt = receipt
    self.moment = moment
    lines = receipt.lines
  }

  /// The fields that change.
  var fields: [FieldValue] {
    lines == receipt.lines ? values : values + [(.items, .array(lines.map(\.json)))]
  }

  var isPriced: Bool {
    lines.contains { $0.price != nil } || values.contains { $0.name == .amount }
  }

  func has(_ line: String) -> Bool { lines.contains { $0.id == line } }

  /// Adds a field that somebody said, or that a form filled in.
  mutating func say(_ name: FieldName, _ value: JSON?, isGuess: Bool) {
    guard let value, value != receipt.entity[name] else { return }
    let written = receipt.entity.register(name).flatMap { $0.value == nil ? nil : $0.stamp }
    guard written.map({ !isGuess && $0 < moment }) ?? true else { return }
    values.append((name, value))
  }

  /// Adds a line, or what of it somebody said to the line of the same thing.
  mutating func add(_ line: ReceiptLine, said: [FieldName]) {
    guard let place = lines.firstIndex(where: { isSame($0, line) }) else {
      var line = line
      if line.id.isEmpty {
        let thing = line.itemID ?? fold(line.itemName)
        repeat {
          line.id = ReceiptLine.id(beside: receipt.id, of: thing, after: &seen)
        } while has(line.id)
      }
      return lines.append(line)
    }
    let known = lines[place]
    for name in said where mayWrite(name, known) {
      switch name {
      case .quantity: lines[place].quantity = line.quantity
      case .unit: lines[place].unit = line.unit
      case .price: lines[place].price = line.price
      case .expiry: lines[place].expiry = line.expiry
      case .location: lines[place].locationID = line.locationID
      default: break
      }
    }
  }

  private func isSame(_ one: ReceiptLine, _ other: ReceiptLine) -> Bool {
    other.id.isEmpty ? one.isOfSameThing(as: other) : one.id == other.id
  }

  /// Whether a line lacks a member, or has it from before, or by a guess.
  private func mayWrite(_ name: FieldName, _ line: ReceiptLine) -> Bool {
    line.json[name] == nil || line.edited[name].map { $0 < moment } ?? true
  }
}
