internal import LarderModel

/// Changing the things that rows are about.
extension CSVImporter {
  /// Changes a thing as its row says.
  mutating func change(_ thing: Entity, _ row: ImportRow) {
    defer { if thing.kind == .inventoryItem { changeItem(of: thing, row) } }
    guard place(row, at: thing) else { return }
    var news = news(of: row, about: thing)
    // A row that found its thing by another of its names does not rename it.
    if !row.hasID { news.removeAll { $0.field == .name } }
    guard !news.isEmpty else { return }
    let total = thing.kind == .stockItem ? quantity(total(of: row, news)) : nil
    let fields = fields(of: news, thing, row)
    guard isSound else { return }
    edit.write(fields, to: thing.key, now: writer.now)
    if thing.kind == .inventoryItem { change(batch: thing, news, row) }
    let isChanged = noteChange(of: thing, row)
    let changed = edit.after[thing.key] ?? thing
    if [.stockItem, .product].contains(thing.kind) { names.note(changed) }
    if let total, isSound { count(changed, total, row, wasChanged: isChanged) }
  }

  /// Returns the fields that cells of a row change.
  mutating func fields(
    of cells: [ImportCell], _ thing: Entity, _ row: ImportRow
  ) -> [FieldValue] {
    let fields = cells.compactMap { field(of: $0, thing) }
    switch thing.kind {
    case .stockItem: return fields + quantities(of: cells, thing, row)
    case .shoppingListEntry: return fields + wanted(of: cells, thing, row)
    case .product: return fields + pack(of: cells, thing, row)
    default: return fields
    }
  }

  private mutating func field(of cell: ImportCell, _ thing: Entity) -> FieldValue? {
    if isFixed(cell, thing) {
      let known = survey.cells(of: thing)[cell.field]?.written ?? ""
      note(.fixed(cell.field, is: known), at: cell.offset)
      return nil
    }
    let value: JSON?
    switch cell.field {
    case .name, .title:
      if cell.text.isEmpty { note(.needed(cell.field), at: cell.offset) }
      value = cell.json
    case .category, .note, .notes, .lotOrBatchCode, .brand, .imageURL: value = cell.json
    case .keepsDays, .bestAfterOpeningDays: value = days(cell.filled)?.json
    case .isCompleted, .isColdStorage: value = flag(cell).map { .bool($0) }
    case .storageLocationID: value = location(cell.text).map { .string($0) }
    case .aliases: value = Self.json(listed(cell.text))
    case .products: value = Self.json(products(cell.filled, for: thing))
    case .barcodes: value = Self.json(free(barcodes(cell), for: thing, cell))
    default: return nil
    }
    return (cell.field, value)
  }

  /// Whether a column can't change: the item of a batch or an entry, and the name that it has from
  /// its item.
  private func isFixed(_ cell: ImportCell, _ thing: Entity) -> Bool {
    let isNamed =
      thing.kind == .shoppingListEntry && (thing.itemID != nil || cell.text.isEmpty)
      || thing.kind == .inventoryItem
    return cell.field == .itemID || cell.field == .name && isNamed
  }

  private static func json(_ texts: [String]) -> JSON? {
    texts.isEmpty ? nil : .array(texts.map { .string($0) })
  }

  /// Returns the row's unit if it was changed, otherwise the known one.
  mutating func unit(instead known: Unit, if news: [ImportCell]) -> Unit {
    unit(news.first { $0.field == .unit }?.filled) ?? known
  }

  /// Counts a known thing as changed, if it is; one that is archived or deleted is a mistake, unless
  /// it is a batch.
  @discardableResult
  mutating func noteChange(of entity: Entity, _ row: ImportRow) -> Bool {
    guard edit.after[entity.key] != entity else { return false }
    report.changed += 1
    if entity.kind != .inventoryItem { refuseGone(entity, row) }
    return true
  }

  @discardableResult
  mutating func refuseGone(_ entity: Entity, _ row: ImportRow) -> Bool {
    if entity.isTombstone { note(.gone(edit.title(of: entity), entity.kind), row) }
    return entity.isTombstone
  }
}

/// Rows of the stock: one row for each item.
extension CSVImporter {
  /// Returns the unit, and the full stock and the minimum in it.
  private mutating func quantities(
    of news: [ImportCell], _ item: Entity, _ row: ImportRow
  ) -> [FieldValue] {
    var fields: [FieldValue] = []
    let unit = unit(instead: item.unit, if: news)
    if unit != item.unit {
      obey(tried(try Stock(edit.after).check(unit, of: item)), row, at: .unit)
      fields.append((.unit, .string(unit.rawValue)))
    }
    for (field, known) in [
      (FieldName.quantityFullStock, item.fullStock as Number?), (.quantityMinimum, item.minimum),
    ] {
      // A changed number is in the row's unit; other numbers are converted.
      let cell = news.first { $0.field == field }
      if let cell, !cell.text.isEmpty {
        let written = row.text(.unit).flatMap { self.unit(written: $0) }
        let number = number(cell, written: written, in: unit, of: item.title)
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

  /// Returns the cell with an item's total, if it counts.
  ///
  /// If an exported row has only a new unit, its total does not count as changed.
  private func total(of row: ImportRow, _ news: [ImportCell]) -> ImportCell? {
    let isSaid = !row.hasID && news.contains { $0.field == .unit }
    return isSaid ? row.cell(.total) : news.first { $0.field == .total && !$0.text.isEmpty }
  }

  /// Counts an item, unless the row's total is the total already.
  private mutating func count(
    _ item: Entity, _ typed: TypedQuantity, _ row: ImportRow, wasChanged: Bool
  ) {
    let counted = edit.after.counted(typed.quantity(in: item.unit), in: item.unit)
    let total = Quantity(Stock(edit.after).total(of: item), item.unit)
    guard counted.converted(to: item.unit)?.rounded != total.value,
      obey(tried(try edit.count(counted, of: item, by: writer)), row, at: .total) != nil
    else { return }
    report.counted += 1
    guard !wasChanged else { return }
    report.changed += 1
    refuseGone(item, row)
  }

  /// Makes the item of a row; only a row of the stock has the item's quantity.
  mutating func makeItem(_ row: ImportRow) -> Entity? {
    let name = row.text(.name) ?? ""
    var item = NewItem(name)
    item.category = row.text(.category)
    item.note = row.text(.note)
    item.aliases = row.text(.aliases).map(listed) ?? []
    let amount = file.table.amountField.flatMap { row.cell($0) }
    let typed = quantity(amount)
    let unit = unit(row.cell(.unit)) ?? typed?.unit ?? .piece
    item.unit = unit
    if let typed, typed.value < .zero {
      note(.rule(.belowZero(typed.quantity(in: unit))), at: amount?.offset ?? row.offset)
    }
    if file.table == .stock { item.inStock = typed?.quantity(in: unit) }
    item.full = number(row.cell(.quantityFullStock), in: unit, of: name).map { Quantity($0, unit) }
    item.minimum = number(row.cell(.quantityMinimum), in: unit, of: name).map { Quantity($0, unit) }
    item.keepsDays = days(row.cell(.keepsDays)).flatMap { Int($0.description) }
    item.locationID = location(row.text(.storageLocationID) ?? "")
    item.products = products(row.cell(.products), for: nil)
    guard isSound,
      let made = obey(tried(try edit.add(item, by: writer(of: .stockItem, row))), row)
    else { return nil }
    names.note(made)
    report.made += 1
    return made
  }
}

/// Rows of locations and of products.
extension CSVImporter {
  mutating func makeLocation(_ row: ImportRow) {
    guard let name = row.text(.name) else { return }
    let made = edit.addLocation(
      name, isColdStorage: flag(row.cell(.isColdStorage)) ?? false,
      by: writer(of: .storageLocation, fold(name)))
    names.note(made.entity)
    report.made += 1
    place(row, at: made.entity)
  }

  /// Returns the product that a row names by its id or a barcode; without these, by its title.
  mutating func product(of row: ImportRow) -> Entity? {
    // Products often have their barcode as id, so an unknown id may be that of a new product.
    if let id = row.text(.id) {
      let isNew = edit.after[.product, id] == nil && Barcode(id)?.isSound ?? false
      return isNew ? nil : subject(byID: row)
    }
    let numbers = barcodes(row.cell(.barcodes))
    for barcode in numbers.compactMap({ Barcode($0) }) {
      if let known = names.product(with: barcode).flatMap({ edit.after[.product, $0] }) {
        return known
      }
    }
    return numbers.isEmpty ? row.text(.title).flatMap { named($0, .product) } : nil
  }

  mutating func makeProduct(_ row: ImportRow) {
    guard let title = needed(.title, row) else { return }
    let numbers = barcodes(row.cell(.barcodes))
    guard let number = row.text(.id) ?? numbers.first else { return note(.needed(.barcodes), row) }
    let id = Barcode(number).map { names.product(with: $0) ?? $0.productID } ?? number
    guard edit.after[.product, id] == nil else { return note(.gone(title, .product), row) }
    let listed = numbers.isEmpty ? Barcode(number).map { [$0.description] } ?? [] : numbers
    let known: [FieldValue] = [(.title, .string(title)), (.barcodes, Self.json(listed))]
    var product = edit.new(.product, id: id, known, by: writer)
    let cells = [FieldName.brand, .packSize, .bestAfterOpeningDays, .imageURL]
      .compactMap { row.cell($0) }
    let more = fields(of: cells, product, row)
    guard isSound, place(row, at: product) else { return }
    product = edit.new(.product, id: id, known + more, by: writer)
    edit.put(product)
    names.note(product)
    report.made += 1
  }

  /// Returns numbers; one that another product has is a mistake.
  private mutating func free(
    _ numbers: [String], for product: Entity, _ cell: ImportCell
  ) -> [String] {
    for number in numbers {
      guard let holder = Barcode(number).flatMap({ names.product(with: $0) }), holder != product.id,
        let other = edit.after[.product, holder]
      else { continue }
      let error = RuleError.numberIsTaken(
        number, product: other.title, isArchived: other.isTombstone)
      note(.rule(error), at: cell.offset)
      break
    }
    return numbers
  }

  /// Returns the size of a pack and its unit, if one of them is news; neither has a meaning alone.
  private mutating func pack(
    of cells: [ImportCell], _ product: Entity, _ row: ImportRow
  ) -> [FieldValue] {
    guard cells.contains(where: { $0.field == .packSize || $0.field == .unit }) else { return [] }
    guard let size = row.cell(.packSize), let typed = quantity(size) else {
      return row.hasID && row[.packSize] != nil ? [(.packSize, nil), (.unit, nil)] : []
    }
    let unit = typed.unit ?? unit(row.cell(.unit))
    if typed.value < .zero {
      note(.rule(.belowZero(typed.quantity(in: unit ?? .piece))), at: size.offset)
    }
    let said = unit.flatMap { $0 == product.packSize?.unit ? nil : JSON.string($0.rawValue) }
    return [(.packSize, typed.value.json)] + (said.map { [(.unit, $0)] } ?? [])
  }
}

/// Rows of the shopping list.
extension CSVImporter {
  /// Returns the quantity and the unit of an entry, if one of them is news.
  private mutating func wanted(
    of news: [ImportCell], _ entry: Entity, _ row: ImportRow
  ) -> [FieldValue] {
    guard news.contains(where: { $0.field == .desiredQuantity || $0.field == .unit }),
      needed(.desiredQuantity, row, at: .desiredQuantity) != nil,
      let quantity = wanted(row, in: entry.unit)
    else { return [] }
    return [
      (.desiredQuantity, quantity.value.json), (.unit, .string(quantity.unit.rawValue)),
    ]
  }

  /// Returns the quantity that a row asks for; nil if it has none.
  private mutating func wanted(_ row: ImportRow, in standard: Unit) -> Quantity? {
    guard let cell = row.cell(.desiredQuantity) else { return nil }
    let written = unit(row.cell(.unit))
    let wanted = quantity(cell)?.quantity(in: written ?? standard)
    if let wanted, wanted.value <= .zero { note(.rule(.notAboveZero(wanted)), at: cell.offset) }
    return wanted
  }

  /// Puts the thing of a row without an id on the list.
  mutating func want(_ row: ImportRow) {
    let item = item(of: row, named: .name)
    guard isSound, item.map({ !refuseGone($0, row) }) ?? true else { return }
    var arrival = Arrival(item: item, name: row.text(.name) ?? "", note: row.text(.note))
    arrival.quantity = wanted(row, in: item?.unit ?? .piece)
    // Lists without a column for the amount have it beside the name, as `Bananas (6)`.
    if item == nil, row.cell(.desiredQuantity) == nil,
      let separated = ListLine.separated(arrival.name)
    {
      arrival.name = separated.name
      arrival.item = named(separated.name, .stockItem)
      let unit = unit(row.cell(.unit)) ?? arrival.item?.unit ?? .piece
      arrival.quantity = separated.amount.quantity(in: unit)
    }
    arrival.isDone = flag(row.cell(.isCompleted))
    guard isSound else { return }
    let old = edit.after.entry(for: arrival)
    let isNew = old?.isTombstone ?? true
    let entry = obey(tried(try edit.want(arrival, by: writer)), row, at: .desiredQuantity) ?? nil
    guard let entry, place(row, at: entry) else { return }
    if isNew {
      report.made += 1
    } else if entry != old {
      report.changed += 1
    }
  }
}
