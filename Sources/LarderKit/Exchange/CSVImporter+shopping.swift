internal import LarderModel

/// Rows of the shopping list.
extension CSVImporter {
  mutating func takeEntry(_ row: ImportRow) throws(RowMistakes) {
    if let entry = try subject(byID: row) {
      try change(entry, row)
    } else if let item = try item(of: row, named: .name) {
      try want(item, row)
    } else {
      try wantOther(row)
    }
  }

  private mutating func change(_ entry: Entity, _ row: ImportRow) throws(RowMistakes) {
    try place(row, at: entry)
    let known = survey.cells(of: entry)
    let news = news(of: row, about: entry)
    guard !news.isEmpty else { return }
    var fields: [FieldValue] = []
    for cell in news {
      switch cell.field {
      case .itemID:
        throw RowMistakes(.fixed(.itemID, is: known[.itemID]?.written ?? ""), at: cell.offset)
      case .name:
        guard entry.itemID == nil, !cell.text.isEmpty else {
          throw RowMistakes(.fixed(.name, is: edit.title(of: entry)), at: cell.offset)
        }
        fields.append((.name, .string(cell.text)))
      case .note: fields.append((.note, cell.json))
      case .isCompleted: fields.append((.isCompleted, try flag(cell).map { .bool($0) }))
      default: break
      }
    }
    if news.contains(where: { $0.field == .desiredQuantity || $0.field == .unit }) {
      guard let quantity = try wanted(row, in: entry.unit) else {
        throw RowMistakes(.needed(.desiredQuantity), at: row[.desiredQuantity], of: row)
      }
      fields.append((.desiredQuantity, quantity.value.json))
      fields.append((.unit, .string(quantity.unit.rawValue)))
    }
    try write(fields, to: entry, row)
  }

  /// Returns the quantity that a row asks for; nil if it has none.
  private mutating func wanted(
    _ row: ImportRow, in standard: Unit
  ) throws(RowMistakes) -> Quantity? {
    guard let cell = row.cell(.desiredQuantity) else { return nil }
    var mistakes = RowMistakes()
    let written = mistakes.value(try unit(row.cell(.unit)))
    let typed = mistakes.value(try quantity(cell))
    try mistakes.refuse()
    let wanted = typed?.quantity(in: written ?? standard)
    if let wanted, wanted.value <= .zero {
      throw RowMistakes(.rule(.notAboveZero(wanted)), at: cell.offset)
    }
    return wanted
  }

  private mutating func want(_ item: Entity, _ row: ImportRow) throws(RowMistakes) {
    guard !item.isTombstone else {
      throw RowMistakes(.gone(item.title, .stockItem), at: row.offset)
    }
    let quantity = try wanted(row, in: item.unit)
    let old = edit.after.entry(of: item)
    if quantity == nil, let old, !old.isTombstone {
      if let note = row.text(.note) {
        edit.write([(.note, .string(note))], to: old.key, now: writer.now)
      }
      return try tick(edit.after[old.key], row, isNew: false, old)
    }
    try obey(
      row, at: .desiredQuantity,
      try edit.want(quantity, of: item, note: row.text(.note), by: writer))
    try tick(edit.after.entry(of: item), row, isNew: old?.isTombstone ?? true, old)
  }

  private mutating func wantOther(_ row: ImportRow) throws(RowMistakes) {
    guard let name = row.text(.name) else { return }
    let quantity = try wanted(row, in: .piece)
    let old = edit.after.freeEntry(named: name)
    try obey(
      row, at: .desiredQuantity,
      try edit.want(quantity, named: name, note: row.text(.note), by: writer))
    try tick(edit.after.freeEntry(named: name), row, isNew: old == nil, old)
  }

  /// Puts an entry into the basket, or takes it out, if its row says so.
  private mutating func tick(
    _ entry: Entity?, _ row: ImportRow, isNew: Bool, _ old: Entity?
  ) throws(RowMistakes) {
    guard let entry else { return }
    try place(row, at: entry)
    if let flag = try flag(row.cell(.isCompleted)) {
      edit.write([(.isCompleted, .bool(flag))], to: entry.key, now: writer.now)
    }
    if isNew {
      report.made += 1
    } else if edit.after[entry.key] != old ?? entry {
      report.changed += 1
    }
  }
}
