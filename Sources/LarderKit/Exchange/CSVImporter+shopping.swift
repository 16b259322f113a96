internal import LarderJSON
internal import LarderModel

/// Rows of the shopping list.
extension CSVImporter {
  mutating func takeEntry(_ row: ImportRow) {
    switch subject(byID: row) {
    case .known(let entry): change(entry, row)
    case .unknown:
      switch item(of: row, named: .name) {
      case .known(let item): want(item, row)
      case .unknown: wantOther(row)
      case .wrong: break
      }
    case .wrong: break
    }
  }

  private mutating func change(_ entry: Entity, _ row: ImportRow) {
    guard isFirst(row, about: entry) else { return }
    let known = survey.cells(of: entry)
    let news = news(of: row, about: entry)
    guard !news.isEmpty else { return }
    var fields: [FieldValue] = []
    for cell in news {
      switch cell.field {
      case .itemID:
        return note(.fixed(.itemID, is: known[.itemID]?.written ?? ""), at: cell.offset)
      case .name:
        guard entry.itemID == nil, !cell.text.isEmpty else {
          return note(.fixed(.name, is: edit.title(of: entry)), at: cell.offset)
        }
        fields.append((.name, .string(cell.text)))
      case .note: fields.append((.note, cell.text.isEmpty ? nil : .string(cell.text)))
      case .isCompleted:
        guard let flag = flag(cell) else { return }
        fields.append((.isCompleted, .bool(flag)))
      default: break
      }
    }
    if news.contains(where: { $0.field == .desiredQuantity || $0.field == .unit }) {
      guard let quantity = wanted(row, in: entry.unit) else { return }
      fields.append((.desiredQuantity, quantity.value.json))
      fields.append((.unit, .string(quantity.unit.rawValue)))
    }
    write(fields, to: entry, row)
  }

  /// Returns the quantity that a row asks for; nil, with a mistake, if it has none.
  private mutating func wanted(_ row: ImportRow, in standard: Unit) -> Quantity? {
    var isSound = true
    let written = read(row.cell(.unit), &isSound) { $0.unit($1) }
    guard let cell = row.cell(.desiredQuantity) else {
      note(.needed(.desiredQuantity), at: row[.desiredQuantity], of: row)
      return nil
    }
    guard let typed = quantity(cell), isSound else { return nil }
    let wanted = typed.quantity(in: written ?? standard)
    guard wanted.value > .zero else {
      note(.rule(.notAboveZero(wanted)), at: cell.offset)
      return nil
    }
    return wanted
  }

  private mutating func want(_ item: Entity, _ row: ImportRow) {
    guard !item.isTombstone else {
      return note(.gone(item.title, .stockItem), at: row.offset)
    }
    let quantity = row.cell(.desiredQuantity) == nil ? nil : wanted(row, in: item.unit)
    guard quantity != nil || row.cell(.desiredQuantity) == nil else { return }
    let old = edit.after.entry(of: item)
    guard quantity != nil || old?.isTombstone ?? true else {
      if let old, let note = row.text(.note) {
        edit.write([(.note, .string(note))], to: old.key, now: writer.now)
      }
      return tick(old.flatMap { edit.after[$0.key] }, row, isNew: false, old)
    }
    let done: Void? = follow(row, .desiredQuantity) { importer throws(RuleError) in
      try importer.edit.want(quantity, of: item, note: row.text(.note), by: importer.writer)
    }
    if done != nil { tick(edit.after.entry(of: item), row, isNew: old?.isTombstone ?? true, old) }
  }

  private mutating func wantOther(_ row: ImportRow) {
    guard let name = row.text(.name) else { return }
    let quantity = row.cell(.desiredQuantity) == nil ? nil : wanted(row, in: .piece)
    guard quantity != nil || row.cell(.desiredQuantity) == nil else { return }
    let old = edit.after.freeEntry(named: name)
    let done: Void? = follow(row, .desiredQuantity) { importer throws(RuleError) in
      try importer.edit.want(
        quantity, named: name, note: row.text(.note), by: importer.writer)
    }
    if done != nil { tick(edit.after.freeEntry(named: name), row, isNew: old == nil, old) }
  }

  /// Puts an entry into the basket, or takes it out, if its row says so.
  private mutating func tick(
    _ entry: Entity?, _ row: ImportRow, isNew: Bool, _ old: Entity? = nil
  ) {
    guard let entry, isFirst(row, about: entry) else { return }
    if let cell = row.cell(.isCompleted) {
      guard let flag = flag(cell) else { return }
      edit.write([(.isCompleted, .bool(flag))], to: entry.key, now: writer.now)
    }
    if isNew {
      report.made += 1
    } else if edit.after[entry.key] != old ?? entry {
      report.changed += 1
    }
  }
}
