internal import LarderModel

/// Rows of locations and of products.
extension CSVImporter {
  mutating func takeLocation(_ row: ImportRow) throws(RowMistakes) {
    if let location = try subject(byID: row) { return try change(location: location, row) }
    guard let name = row.text(.name) else { throw RowMistakes(.needed(.name), at: row.offset) }
    if let known = names.location(name).flatMap({ edit.after[$0] }) {
      return try change(location: known, row)
    }
    let isCold = try flag(row.cell(.isColdStorage)) ?? false
    let made = edit.addLocation(
      name, isColdStorage: isCold, by: writer(of: .storageLocation, fold(name)))
    names.note(made.entity)
    report.made += 1
    try place(row, at: made.entity)
  }

  private mutating func change(location: Entity, _ row: ImportRow) throws(RowMistakes) {
    try place(row, at: location)
    let news = news(of: row, about: location)
    guard !news.isEmpty else { return }
    var fields: [FieldValue] = []
    for cell in news {
      switch cell.field {
      case .name where row.hasID:
        guard !cell.text.isEmpty else { throw RowMistakes(.needed(.name), at: cell.offset) }
        fields.append((.name, .string(cell.text)))
      case .isColdStorage: fields.append((.isColdStorage, try flag(cell).map { .bool($0) }))
      default: break
      }
    }
    try write(fields, to: location, row)
  }

  mutating func takeProduct(_ row: ImportRow) throws(RowMistakes) {
    if let product = try product(of: row) {
      try change(product: product, row)
    } else {
      try makeProduct(row)
    }
  }

  /// Returns the product that a row names by its id or a barcode; without these, by its title.
  private func product(of row: ImportRow) throws(RowMistakes) -> Entity? {
    // Products often have their barcode as id, so an unknown id may be that of a new product.
    if let id = row.text(.id), edit.after[.product, id] == nil, Barcode(id)?.isSound ?? false {
      return nil
    }
    if row.hasID { return try subject(byID: row) }
    let numbers = try barcodes(row.cell(.barcodes)) ?? []
    for barcode in numbers.compactMap({ Barcode($0) }) {
      if let known = names.product(with: barcode).flatMap({ edit.after[.product, $0] }) {
        return known
      }
    }
    guard numbers.isEmpty, let title = row.text(.title) else { return nil }
    return names.product(title).flatMap { edit.after[$0] }
  }

  private mutating func makeProduct(_ row: ImportRow) throws(RowMistakes) {
    guard let title = row.text(.title) else { throw RowMistakes(.needed(.title), at: row.offset) }
    let numbers = try barcodes(row.cell(.barcodes)) ?? []
    guard let number = row.text(.id) ?? numbers.first else {
      throw RowMistakes(.needed(.barcodes), at: row.offset)
    }
    let id = Barcode(number).map { names.product(with: $0) ?? $0.productID } ?? number
    guard edit.after[.product, id] == nil else {
      throw RowMistakes(.gone(title, .product), at: row.offset)
    }
    let listed = numbers.isEmpty ? Barcode(number).map { [$0.description] } ?? [] : numbers
    var fields: [FieldValue] = [(.title, .string(title))]
    if !listed.isEmpty { fields.append((.barcodes, .array(listed.map { .string($0) }))) }
    let known = edit.new(.product, id: id, fields, by: writer)
    let cells = [FieldName.brand, .packSize, .bestAfterOpeningDays, .imageURL]
      .compactMap { row.cell($0) }
    let more = try productFields(cells, row, over: known)
    try place(row, at: known)
    edit.put(edit.new(.product, id: id, fields + more, by: writer))
    names.note(known)
    report.made += 1
  }

  private mutating func change(product: Entity, _ row: ImportRow) throws(RowMistakes) {
    try place(row, at: product)
    let news = news(of: row, about: product)
    guard !news.isEmpty else { return }
    try write(try productFields(news, row, over: product), to: product, row)
    if let changed = edit.after[product.key] { names.note(changed) }
  }

  /// Returns the fields that cells change.
  private mutating func productFields(
    _ cells: [ImportCell], _ row: ImportRow, over product: Entity
  ) throws(RowMistakes) -> [FieldValue] {
    var fields: [FieldValue] = []
    for cell in cells {
      switch cell.field {
      case .title where cell.text.isEmpty:
        throw RowMistakes(.needed(.title), at: cell.offset)
      case .title, .brand, .imageURL: fields.append((cell.field, cell.json))
      case .bestAfterOpeningDays: fields.append((cell.field, try days(cell.filled)?.json))
      case .barcodes:
        let numbers = try barcodes(cell) ?? []
        try checkFree(numbers, for: product, cell)
        let json = JSON.array(numbers.map { .string($0) })
        fields.append((.barcodes, numbers.isEmpty ? nil : json))
      default: break
      }
    }
    guard cells.contains(where: { $0.field == .packSize || $0.field == .unit }) else {
      return fields
    }
    return fields + (try pack(of: row, over: product))
  }

  /// Throws if another product has one of the numbers.
  private func checkFree(
    _ numbers: [String], for product: Entity, _ cell: ImportCell
  ) throws(RowMistakes) {
    for number in numbers {
      guard let holder = Barcode(number).flatMap({ names.product(with: $0) }), holder != product.id,
        let other = edit.after[.product, holder]
      else { continue }
      let error = RuleError.numberIsTaken(
        number, product: other.title, isArchived: other.isTombstone)
      throw RowMistakes(.rule(error), at: cell.offset)
    }
  }

  /// Returns the size of a pack and its unit; neither has a meaning alone.
  private mutating func pack(
    of row: ImportRow, over product: Entity
  ) throws(RowMistakes) -> [FieldValue] {
    guard let size = row.cell(.packSize), let typed = try quantity(size) else {
      return row.hasID && row[.packSize] != nil ? [(.packSize, nil), (.unit, nil)] : []
    }
    let unit = typed.unit == nil ? try unit(row.cell(.unit)) : typed.unit
    guard typed.value >= .zero else {
      throw RowMistakes(
        .rule(.belowZero(typed.quantity(in: unit ?? .piece))), at: size.offset)
    }
    let known = product.packSize?.unit
    let said = unit.flatMap { $0 == known ? nil : FieldValue(.unit, .string($0.rawValue)) }
    return [(.packSize, typed.value.json)] + (said.map { [$0] } ?? [])
  }

  /// Writes fields of a known thing, and counts it as changed.
  mutating func write(
    _ fields: [FieldValue], to entity: Entity, _ row: ImportRow
  ) throws(RowMistakes) {
    edit.write(fields, to: entity.key, now: writer.now)
    try noteChange(of: entity, row)
  }

  /// Counts a known thing as changed, if it is.
  ///
  /// Throws if the thing is archived or deleted; batches are exempt.
  mutating func noteChange(of entity: Entity, _ row: ImportRow) throws(RowMistakes) {
    guard edit.after[entity.key] != entity else { return }
    report.changed += 1
    guard entity.kind == .inventoryItem || !entity.isTombstone else {
      throw RowMistakes(.gone(edit.title(of: entity), entity.kind), at: row.offset)
    }
  }
}
