internal import LarderJSON
internal import LarderModel

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
    guard after[.stockItem, id] == nil else { return try add(item, by: writer) }
    return try add(
      item,
      by: Writer(
        now: writer.now, device: writer.device, userID: writer.userID, newID: { id }))
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
}

extension ReceiptLine {
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
