internal import LarderJSON
internal import LarderModel

/// Rows of locations and of products.
extension CSVImporter {
  mutating func takeLocation(_ row: ImportRow) {
    switch subject(byID: row) {
    case .known(let location): change(StorageLocation(entity: location), row)
    case .unknown:
      guard let name = row.text(.name) else { return note(.needed(.name), at: row.offset) }
      if let known = names.location(name).flatMap({ edit.after[$0] }) {
        return change(StorageLocation(entity: known), row)
      }
      var isSound = true
      let isCold = read(row.cell(.isColdStorage), &isSound) { $0.flag($1) } ?? false
      guard isSound else { return }
      let made = edit.addLocation(
        name, isColdStorage: isCold, by: writer(of: .storageLocation, fold(name)))
      names.note(made.entity)
      report.made += 1
      _ = isFirst(row, about: made.entity)
    case .wrong: break
    }
  }

  private mutating func change(_ location: StorageLocation, _ row: ImportRow) {
    let entity = location.entity
    guard isFirst(row, about: entity) else { return }
    let news = news(of: row, about: entity)
    guard !news.isEmpty else { return }
    var fields: [FieldValue] = []
    for cell in news {
      switch cell.field {
      case .name where row.hasID:
        guard !cell.text.isEmpty else { return note(.needed(.name), at: cell.offset) }
        fields.append((.name, .string(cell.text)))
      case .isColdStorage:
        guard let flag = flag(cell) else { return }
        fields.append((.isColdStorage, .bool(flag)))
      default: break
      }
    }
    write(fields, to: entity, row)
  }

  mutating func takeProduct(_ row: ImportRow) {
    guard let known = product(of: row) else { return }
    switch known {
    case .known(let product): change(product, row)
    case .unknown: makeProduct(row)
    case .wrong: break
    }
  }

  /// Returns the product that a row names by its id or a barcode; without these, by its title.
  private mutating func product(of row: ImportRow) -> Subject? {
    // Products often have their barcode as id, so an unknown id may be that of a new product.
    if let id = row.text(.id), edit.after[.product, id] == nil, Barcode(id)?.isSound ?? false {
      return .unknown
    }
    if row.hasID { return subject(byID: row) }
    var isSound = true
    let numbers = read(row.cell(.barcodes), &isSound) { $0.barcodes($1) } ?? []
    guard isSound else { return nil }
    for barcode in numbers.compactMap({ Barcode($0) }) {
      if let known = names.product(with: barcode).flatMap({ edit.after[.product, $0] }) {
        return .known(known)
      }
    }
    guard numbers.isEmpty, let title = row.text(.title) else { return .unknown }
    return names.product(title).flatMap { edit.after[$0] }.map { .known($0) } ?? .unknown
  }

  private mutating func makeProduct(_ row: ImportRow) {
    guard let title = row.text(.title) else { return note(.needed(.title), at: row.offset) }
    var isSound = true
    let numbers = read(row.cell(.barcodes), &isSound) { $0.barcodes($1) } ?? []
    guard isSound else { return }
    guard let number = row.text(.id) ?? numbers.first else {
      return note(.needed(.barcodes), at: row.offset)
    }
    let id = Barcode(number).map { names.product(with: $0) ?? $0.productID } ?? number
    guard edit.after[.product, id] == nil else {
      return note(.gone(title, .product), at: row.offset)
    }
    let listed = numbers.isEmpty ? Barcode(number).map { [$0.description] } ?? [] : numbers
    var fields: [FieldValue] = [(.title, .string(title))]
    if !listed.isEmpty { fields.append((.barcodes, .array(listed.map { .string($0) }))) }
    let known = edit.new(.product, id: id, fields, by: writer)
    let cells = [FieldName.brand, .packSize, .bestAfterOpeningDays, .imageURL]
      .compactMap { row.cell($0) }
    guard let more = productFields(cells, row, over: known), isFirst(row, about: known) else {
      return
    }
    edit.put(edit.new(.product, id: id, fields + more, by: writer))
    names.note(known)
    report.made += 1
  }

  private mutating func change(_ product: Entity, _ row: ImportRow) {
    guard isFirst(row, about: product) else { return }
    let news = news(of: row, about: product)
    guard !news.isEmpty, let fields = productFields(news, row, over: product) else { return }
    write(fields, to: product, row)
    if let changed = edit.after[product.key] { names.note(changed) }
  }

  /// Returns the fields that cells change; nil if one of them can't be read.
  private mutating func productFields(
    _ cells: [ImportCell], _ row: ImportRow, over product: Entity
  ) -> [FieldValue]? {
    var fields: [FieldValue] = []
    for cell in cells {
      let text: JSON? = cell.text.isEmpty ? nil : .string(cell.text)
      switch cell.field {
      case .title where cell.text.isEmpty:
        note(.needed(.title), at: cell.offset)
        return nil
      case .title, .brand, .imageURL: fields.append((cell.field, text))
      case .bestAfterOpeningDays:
        let days = text == nil ? nil : days(cell)
        guard days != nil || text == nil else { return nil }
        fields.append((cell.field, days?.json))
      case .barcodes:
        guard let numbers = barcodes(cell), areFree(numbers, for: product, cell) else { return nil }
        let json = JSON.array(numbers.map { .string($0) })
        fields.append((.barcodes, numbers.isEmpty ? nil : json))
      default: break
      }
    }
    guard cells.contains(where: { $0.field == .packSize || $0.field == .unit }) else {
      return fields
    }
    guard let pack = pack(of: row, over: product) else { return nil }
    return fields + pack
  }

  /// Whether no other product has any of the numbers; notes a mistake if one has.
  private mutating func areFree(
    _ numbers: [String], for product: Entity, _ cell: ImportCell
  ) -> Bool {
    for number in numbers {
      guard let holder = Barcode(number).flatMap({ names.product(with: $0) }), holder != product.id,
        let other = edit.after[.product, holder]
      else { continue }
      let error = RuleError.numberIsTaken(
        number, product: other.title, isArchived: other.isTombstone)
      note(.rule(error), at: cell.offset)
      return false
    }
    return true
  }

  /// Returns the size of a pack and its unit; neither has a meaning alone.
  private mutating func pack(of row: ImportRow, over product: Entity) -> [FieldValue]? {
    guard let size = row.cell(.packSize) else {
      return row.hasID && row[.packSize] != nil ? [(.packSize, nil), (.unit, nil)] : []
    }
    guard let typed = quantity(size) else { return nil }
    var isSound = true
    let unit = typed.unit ?? read(row.cell(.unit), &isSound) { $0.unit($1) }
    guard isSound else { return nil }
    guard typed.value >= .zero else {
      note(.rule(.belowZero(typed.quantity(in: unit ?? .piece))), at: size.offset)
      return nil
    }
    let known = product.packSize?.unit
    let said = unit.flatMap { $0 == known ? nil : FieldValue(.unit, .string($0.rawValue)) }
    return [(.packSize, typed.value.json)] + (said.map { [$0] } ?? [])
  }

  /// Writes fields of a known thing, and counts it as changed.
  mutating func write(_ fields: [FieldValue], to entity: Entity, _ row: ImportRow) {
    edit.write(fields, to: entity.key, now: writer.now)
    noteChange(of: entity, row)
  }

  /// Counts a known thing as changed, if it is.
  ///
  /// Notes a mistake if the thing is archived or deleted; batches are exempt.
  mutating func noteChange(of entity: Entity, _ row: ImportRow) {
    guard edit.after[entity.key] != entity else { return }
    report.changed += 1
    guard entity.kind != .inventoryItem, entity.isTombstone else { return }
    note(.gone(edit.title(of: entity), entity.kind), at: row.offset)
  }
}
