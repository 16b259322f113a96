internal import LarderModel

/// Rows of the stock: one row for each item.
extension CSVImporter {
  mutating func takeItem(_ row: ImportRow) throws(RowMistakes) {
    var known = try subject(byID: row)
    if known == nil { known = try item(of: row, named: .name) }
    if let known {
      try change(known, row)
    } else {
      try place(row, at: try makeItem(row))
    }
  }

  private mutating func change(_ item: Entity, _ row: ImportRow) throws(RowMistakes) {
    try place(row, at: item)
    var news = news(of: row, about: item)
    // A row that found its item by another of its names does not rename it.
    if !row.hasID { news.removeAll { $0.field == .name } }
    guard !news.isEmpty else { return }
    // If an exported row has only a new unit, its total does not count as changed.
    let isSaid = !row.hasID && news.contains { $0.field == .unit }
    let cell = isSaid ? row.cell(.total) : news.first { $0.field == .total && !$0.text.isEmpty }
    var mistakes = RowMistakes()
    let total = mistakes.value(try quantity(cell))
    let fields = mistakes.value(try fields(of: news, item, row))
    try mistakes.refuse()
    try write(fields ?? [], to: item, row)
    let changed = edit.after[item.key] ?? item
    names.note(changed)
    if let total { try count(changed, total, row, wasChanged: changed != item) }
  }

  /// Returns the fields that cells change.
  mutating func fields(
    of news: [ImportCell], _ item: Entity, _ row: ImportRow
  ) throws(RowMistakes) -> [FieldValue] {
    var fields: [FieldValue] = []
    var mistakes = RowMistakes()
    for cell in news {
      switch cell.field {
      case .name:
        if cell.text.isEmpty { mistakes.note(.needed(.name), at: cell.offset) }
        fields.append((.name, cell.json))
      case .category, .note: fields.append((cell.field, cell.json))
      case .keepsDays:
        fields.append((.keepsDays, mistakes.value(try days(cell.filled))?.json))
      case .storageLocationID:
        fields.append((cell.field, location(cell.text).map { .string($0) }))
      case .aliases: fields.append((.aliases, json(listed(cell.text))))
      case .products:
        fields.append((.products, json(mistakes.value(try products(cell, for: item)) ?? [])))
      default: break
      }
    }
    fields += mistakes.value(try quantityFields(of: news, item, row)) ?? []
    try mistakes.refuse()
    return fields
  }

  private func json(_ texts: [String]) -> JSON? {
    texts.isEmpty ? nil : .array(texts.map { .string($0) })
  }

  /// Returns the unit, and the full stock and the minimum in it.
  private mutating func quantityFields(
    of news: [ImportCell], _ item: Entity, _ row: ImportRow
  ) throws(RowMistakes) -> [FieldValue] {
    var fields: [FieldValue] = []
    let unit = try unit(of: row, instead: item.unit, if: news)
    if unit != item.unit {
      try obey(row, at: .unit, try Stock(edit.after).check(unit, of: item))
      fields.append((.unit, .string(unit.rawValue)))
    }
    for (field, known) in [
      (FieldName.quantityFullStock, item.fullStock as Number?), (.quantityMinimum, item.minimum),
    ] {
      // A changed number is in the row's unit; other numbers are converted.
      let cell = news.first { $0.field == field }
      if let cell, !cell.text.isEmpty {
        let written = row.text(.unit).flatMap { self.unit(written: $0) }
        let number = try number(cell, written: written, in: unit, of: item.title)
        fields.append((field, number?.json))
      } else if cell != nil, row.hasID {
        fields.append((field, field == .quantityFullStock ? Number.zero.json : nil))
      } else if unit != item.unit, let known {
        let converted = Quantity(known, item.unit).converted(to: unit)
        fields.append((field, (converted ?? known).rounded.json))
      }
    }
    return fields
  }

  /// Returns the row's unit if it was changed, otherwise the known one.
  mutating func unit(
    of row: ImportRow, instead known: Unit, if news: [ImportCell]
  ) throws(RowMistakes) -> Unit {
    try unit(news.first { $0.field == .unit }?.filled) ?? known
  }

  /// Counts an item, unless the row's total is the total already.
  private mutating func count(
    _ item: Entity, _ typed: TypedQuantity, _ row: ImportRow, wasChanged: Bool
  ) throws(RowMistakes) {
    let counted = edit.after.counted(typed.quantity(in: item.unit), in: item.unit)
    let total = Quantity(Stock(edit.after).total(of: item), item.unit)
    guard counted.converted(to: item.unit)?.rounded != total.value else { return }
    try obey(row, at: .total, try edit.count(counted, of: item, by: writer))
    report.counted += 1
    guard !wasChanged else { return }
    report.changed += 1
    if item.isTombstone { throw RowMistakes(.gone(item.title, .stockItem), at: row.offset) }
  }

  /// Makes the item of a row.
  mutating func makeItem(_ row: ImportRow) throws(RowMistakes) -> Entity {
    let item = try newItem(row.text(.name) ?? "", row)
    let made = try obey(row, try edit.add(item, by: writer(of: .stockItem, row)))
    names.note(made)
    report.made += 1
    return made
  }

  /// Returns a new item with the fields of a row.
  ///
  /// Only a row of the stock has the item's quantity.
  private mutating func newItem(_ name: String, _ row: ImportRow) throws(RowMistakes) -> NewItem {
    var item = NewItem(name)
    item.category = row.text(.category)
    item.note = row.text(.note)
    item.aliases = row.text(.aliases).map(listed) ?? []
    var mistakes = RowMistakes()
    let amount = file.table.amountField.flatMap { row.cell($0) }
    let typed = mistakes.value(try quantity(amount))
    let unit = mistakes.value(try unit(row.cell(.unit))) ?? typed?.unit ?? .piece
    item.unit = unit
    if let typed, typed.value < .zero {
      let error = RuleError.belowZero(typed.quantity(in: unit))
      mistakes.note(.rule(error), at: amount?.offset ?? row.offset)
    }
    if file.table == .stock { item.inStock = typed?.quantity(in: unit) }
    item.full = mistakes.value(try number(row.cell(.quantityFullStock), in: unit, of: name))
      .map { Quantity($0, unit) }
    item.minimum = mistakes.value(try number(row.cell(.quantityMinimum), in: unit, of: name))
      .map { Quantity($0, unit) }
    item.keepsDays = mistakes.value(try days(row.cell(.keepsDays))).flatMap { Int($0.description) }
    item.locationID = location(row.text(.storageLocationID) ?? "")
    item.products = mistakes.value(try products(row.cell(.products), for: nil)) ?? []
    try mistakes.refuse()
    return item
  }
}
