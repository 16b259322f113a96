import LarderJSON
import LarderKit
import LarderModel

/// What a receipt is being saved from: the entries, and how its lines differ from them.
struct Basket {
  private let survey: Survey
  private let writer: Writer
  let entries: [Entity]
  /// Lines that correct those of an item's entry, or that are on no list.
  private(set) var lines: [ReceiptLine] = []
  /// Lines that correct those of an entry that is no item's, by the entry's name.
  private(set) var corrections: [(entry: Entity, line: ReceiptLine)] = []

  /// What a line was typed for, by the item's id or the name.
  private var isTyped: Set<String> = []

  init(_ entries: [Entity], _ survey: Survey, _ writer: Writer) {
    self.entries = entries
    self.survey = survey
    self.writer = writer
  }

  /// Takes a line that was typed: of an entry in the basket, of an item, or of anything else.
  mutating func add(_ typed: TypedLine) throws {
    let place = try place(typed.name)
    var line = self.line(at: place, named: typed.name)
    guard isTyped.insert(line.itemID ?? fold(line.itemName)).inserted else {
      throw CommandError(
        .usage, "--line names \(line.itemName) twice",
        hints: ["say in one line how much was bought and what it cost in all"])
    }
    if let quantity = typed.quantity {
      guard quantity.value > .zero else {
        throw CommandError(
          .usage, "a line of 0 says that no \(line.itemName) was bought",
          hints: ["leave it out; 'larder shop undone' takes an entry out of the basket"])
      }
      line.quantity = quantity.value
      line.unit = quantity.unit ?? line.unit
    }
    if let price = typed.price { line.price = price }
    put(line, at: place)
  }

  /// Notes what is said of the batch of something that is in the basket or on a line.
  mutating func note(_ detail: TypedDetail) throws {
    let place = try place(detail.name)
    if case .new(let item) = place, item.map({ index(of: $0.id) == nil }) ?? true {
      guard index(named: detail.name) != nil else {
        throw CommandError(
          .notFound, "'\(detail.name)' is neither in the basket nor on a line",
          hints: ["--line '\(detail.name)=N' adds it"])
      }
    }
    var line = self.line(at: place, named: detail.name)
    detail.apply(to: &line)
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

  /// The line as it stands so far.
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

  /// The lines of a receipt just saved from this basket, with the corrections of free entries in.
  func corrected(_ saved: [ReceiptLine]) -> [ReceiptLine] {
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
