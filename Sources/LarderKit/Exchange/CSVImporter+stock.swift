internal import LarderJSON
internal import LarderModel

/// Rows of the stock: one row for each item.
extension CSVImporter {
  mutating func takeItem(_ row: ImportRow) {
    switch subject(byID: row) {
    case .known(let item): change(item, row)
    case .unknown:
      switch item(of: row, named: .name) {
      case .known(let item): change(item, row)
      case .unknown: if let made = makeItem(row) { _ = isFirst(row, about: made) }
      case .wrong: break
      }
    case .wrong: break
    }
  }

  private mutating func change(_ item: Entity, _ row: ImportRow) {
    guard isFirst(row, about: item) else { return }
    var news = news(of: row, about: item)
    // A row that found its item by another of its names does not rename it.
    if !row.hasID { news.removeAll { $0.field == .name } }
    guard !news.isEmpty else { return }
    // If an exported row has only a new unit, its total does not count as changed.
    let isSaid = !row.hasID && news.contains { $0.field == .unit }
    let cell = isSaid ? row.cell(.total) : news.first { $0.field == .total }
    var isSound = true
    let total = read(cell.flatMap { $0.text.isEmpty ? nil : $0 }, &isSound) { $0.quantity($1) }
    guard let fields = fields(of: news, item, row), isSound else { return }
    write(fields, to: item, row)
    let changed = edit.after[item.key] ?? item
    names.note(changed)
    if let total { count(changed, total, row, wasChanged: changed != item) }
  }

  /// Returns the fields that cells change; nil if one of them can't be read.
  mutating func fields(
    of news: [ImportCell], _ item: Entity, _ row: ImportRow
  ) -> [FieldValue]? {
    var fields: [FieldValue] = []
    var isSound = true
    func text(_ cell: ImportCell) -> JSON? { cell.text.isEmpty ? nil : .string(cell.text) }
    for cell in news {
      switch cell.field {
      case .name:
        if cell.text.isEmpty {
          note(.needed(.name), at: cell.offset)
          isSound = false
        }
        fields.append((.name, text(cell)))
      case .category, .note: fields.append((cell.field, text(cell)))
      case .keepsDays:
        let days = cell.text.isEmpty ? nil : days(cell)
        isSound = isSound && (days != nil || cell.text.isEmpty)
        fields.append((.keepsDays, days?.json))
      case .storageLocationID:
        fields.append((cell.field, location(cell.text).map { .string($0) }))
      case .aliases:
        fields.append((.aliases, json(listed(cell.text))))
      case .products:
        let ids = products(cell, for: item)
        isSound = isSound && ids != nil
        fields.append((.products, json(ids ?? [])))
      default: break
      }
    }
    guard let quantities = quantityFields(of: news, item, row), isSound else { return nil }
    return fields + quantities
  }

  private func json(_ texts: [String]) -> JSON? {
    texts.isEmpty ? nil : .array(texts.map { .string($0) })
  }

  /// Returns the unit, and the full stock and the minimum in it.
  private mutating func quantityFields(
    of news: [ImportCell], _ item: Entity, _ row: ImportRow
  ) -> [FieldValue]? {
    var fields: [FieldValue] = []
    guard let unit = unit(of: row, instead: item.unit, if: news) else { return nil }
    if unit != item.unit {
      let checked: Void? = follow(row, .unit) { importer throws(RuleError) in
        try Stock(importer.edit.after).check(unit, of: item)
      }
      guard checked != nil else { return nil }
      fields.append((.unit, .string(unit.rawValue)))
    }
    for (field, known) in [
      (FieldName.quantityFullStock, item.fullStock as Number?), (.quantityMinimum, item.minimum),
    ] {
      // A changed number is in the row's unit; other numbers are converted.
      let cell = news.first { $0.field == field }
      if let cell, !cell.text.isEmpty {
        let written = row.text(.unit).flatMap { self.unit(written: $0) }
        guard let number = number(cell, written: written, in: unit, of: item.title) else {
          return nil
        }
        fields.append((field, number.json))
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
  ) -> Unit? {
    guard let cell = news.first(where: { $0.field == .unit }), !cell.text.isEmpty else {
      return known
    }
    return unit(cell)
  }

  /// Counts an item, unless the row's total is the total already.
  private mutating func count(
    _ item: Entity, _ typed: TypedQuantity, _ row: ImportRow, wasChanged: Bool
  ) {
    let counted = edit.after.counted(typed.quantity(in: item.unit), in: item.unit)
    let total = Quantity(Stock(edit.after).total(of: item), item.unit)
    guard counted.converted(to: item.unit)?.rounded != total.value else { return }
    let change = follow(row, .total) { importer throws(RuleError) in
      try importer.edit.count(counted, of: item, by: importer.writer)
    }
    guard change != nil else { return }
    report.counted += 1
    guard !wasChanged else { return }
    report.changed += 1
    if item.isTombstone { note(.gone(item.title, .stockItem), at: row.offset) }
  }

  /// Makes the item of a row; nil, with a mistake, if that fails.
  mutating func makeItem(_ row: ImportRow) -> Entity? {
    guard let name = row.text(.name), let item = newItem(name, row) else { return nil }
    let made = follow(row) { importer throws(RuleError) in
      try importer.edit.add(item, by: importer.writer(of: .stockItem, row))
    }
    guard let made else { return nil }
    names.note(made)
    report.made += 1
    return made
  }

  /// Returns a new item with the fields of a row; nil if a cell can't be read.
  ///
  /// Only a row of the stock has the item's quantity.
  private mutating func newItem(_ name: String, _ row: ImportRow) -> NewItem? {
    var item = NewItem(name)
    item.category = row.text(.category)
    item.note = row.text(.note)
    item.aliases = row.text(.aliases).map(listed) ?? []
    var isSound = true
    let amount = file.table.amountField.flatMap { row.cell($0) }
    let typed = read(amount, &isSound) { $0.quantity($1) }
    let unit = read(row.cell(.unit), &isSound) { $0.unit($1) } ?? typed?.unit ?? .piece
    item.unit = unit
    if let typed, typed.value < .zero {
      note(.rule(.belowZero(typed.quantity(in: unit))), at: amount, of: row)
      isSound = false
    }
    if file.table == .stock { item.inStock = typed?.quantity(in: unit) }
    item.full = read(row.cell(.quantityFullStock), &isSound) { $0.number($1, in: unit, of: name) }
      .map { Quantity($0, unit) }
    item.minimum = read(row.cell(.quantityMinimum), &isSound) { $0.number($1, in: unit, of: name) }
      .map { Quantity($0, unit) }
    item.keepsDays = read(row.cell(.keepsDays), &isSound) { $0.days($1) }
      .flatMap { Int($0.description) }
    item.locationID = location(row.text(.storageLocationID) ?? "")
    item.products = read(row.cell(.products), &isSound) { $0.products($1, for: nil) } ?? []
    return isSound ? item : nil
  }
}

extension ImportRow {
  /// The cell of a column; nil if it is empty or not there.
  func cell(_ field: FieldName) -> ImportCell? {
    self[field].flatMap { $0.text.isEmpty ? nil : $0 }
  }
}
