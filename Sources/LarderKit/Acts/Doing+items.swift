internal import LarderJSON
internal import LarderModel

/// Acts on items, locations and the household itself.
extension Doing {
  func archive(_ id: String, _ change: inout Change) throws {
    let item = try find(.stockItem, id, change)
    change.edit.write([(.isArchived, .bool(true))], to: item.key, now: change.writer.now)
    change.subject = "archive \(item.title)"
  }

  func unarchive(_ id: String, _ name: String?, _ change: inout Change) throws {
    let item = try find(.stockItem, id, change)
    let named: [FieldValue] = name.map { [(.name, .string($0))] } ?? []
    change.edit.write(
      [(.isArchived, .bool(false))] + named, to: item.key, now: change.writer.now)
    change.subject = "restore \(item.title)"
  }

  /// Makes an item, whose id is that of the act: so it can be named before the act is answered.
  func make(
    _ fields: [FieldValue], _ amount: Deed.Amount?, _ expiry: Day??, _ change: inout Change
  ) throws -> EntityKey {
    let item = change.edit.new(.stockItem, id: act.id, fields, by: change.writer)
    change.edit.put(item)
    if let quantity = amount?.quantity(in: item.unit) {
      try change.edit.start(
        item, with: quantity, expiry: expiry.info, request: act.id, by: change.writer)
    }
    change.subject = "new \(item.title)"
    return item.key
  }

  func edit(
    _ kind: Kind, _ id: String, _ fields: [FieldValue], _ change: inout Change
  ) throws {
    let entity = try find(kind, id, change)
    var fields = fields
    switch kind {
    case .stockItem: fields = try withNumbers(fields, of: entity, change)
    case .shoppingListEntry: try check(fields, of: entity, change)
    default: break
    }
    change.edit.write(fields, to: entity.key, now: change.writer.now)
    change.subject = "edit \(change.edit.title(of: entity))"
  }

  /// Returns the fields of an item with the numbers that a new unit changes.
  private func withNumbers(
    _ fields: [FieldValue], of item: Entity, _ change: Change
  ) throws -> [FieldValue] {
    guard let text = fields.first(where: { $0.name == .unit })?.value?.string,
      let unit = Unit(rawValue: text), unit != item.unit
    else { return fields }
    try change.survey.stock.check(unit, of: item)
    let numbers = [FieldName.quantityFullStock, .quantityMinimum].compactMap {
      name -> FieldValue? in
      guard !fields.contains(where: { $0.name == name }),
        let number = item[name]?.number.flatMap({ Number($0) }),
        let converted = Quantity(number, item.unit).converted(to: unit)
      else { return nil }
      return (name, converted.rounded.json)
    }
    return fields + numbers
  }

  private func check(_ fields: [FieldValue], of entry: Entity, _ change: Change) throws {
    guard let id = entry.itemID, change.edit.after[.stockItem, id] != nil,
      fields.contains(where: { $0.name == .name })
    else { return }
    throw ActError.nameOfItem(change.edit.title(of: entry))
  }
}

// MARK: - Barcodes

extension Doing {
  /// Says what a pack with a number is; returns its product.
  func barcode(
    _ number: String, _ id: String, _ amount: Deed.Amount?, _ change: inout Change
  ) throws -> EntityKey {
    let survey = change.survey
    let item = try find(.stockItem, id, change)
    if let barcode = Barcode(written: number), !barcode.isSound {
      throw RuleError.badBarcode(number)
    }
    var fields: [FieldValue] = [(.isArchived, .bool(false))]
    if let quantity = amount?.quantity(in: item.unit) {
      fields += [
        (.packSize, try quantity.aboveZero().value.json), (.unit, .string(quantity.unit.rawValue)),
      ]
    }
    let product: Entity
    if let known = survey.product(ofNumber: number) {
      change.edit.write(fields, to: known.key, now: change.writer.now)
      product = known
    } else {
      let draft = try survey.newProduct(number, at: change.writer.now)
      let made = [(.title, .string(item.title)), (.barcodes, draft[.barcodes])] + fields
      product = change.edit.new(.product, id: draft.id, made, by: change.writer)
      change.edit.put(product)
    }
    try survey.claim(product, for: item, in: &change.edit, by: change.writer)
    change.subject = "barcode \(number) of \(item.title)"
    return product.key
  }
}

// MARK: - Locations and settings

extension Doing {
  /// Makes a location, whose id is that of the act, or edits one.
  func place(
    _ id: String?, _ fields: [FieldValue], _ isFreezer: Bool?, _ change: inout Change
  ) throws -> EntityKey {
    let place: Entity
    if let id {
      place = try find(.storageLocation, id, change)
      try change.survey.refuseOthers(place)
      change.edit.write(fields, to: place.key, now: change.writer.now)
      change.subject = "edit the location \(place.title)"
    } else {
      place = change.edit.new(.storageLocation, id: act.id, fields, by: change.writer)
      change.edit.put(place)
      change.subject = "new location \(place.title)"
    }
    if let isFreezer, let now = change.edit.after[place.key], now.isFreezer != isFreezer {
      throw ActError.freezerByName(now.title, isFreezer: isFreezer)
    }
    return place.key
  }

  func unplace(_ id: String, _ change: inout Change) throws {
    let place = try find(.storageLocation, id, change)
    try change.survey.refuseOthers(place)
    let household = change.edit.after
    let isUsual = household.all(.stockItem).contains {
      !$0.isTombstone && $0.locationID == place.id
    }
    let isFull = household.all(.inventoryItem).contains {
      $0.makesDifference && $0.locationID == place.id
    }
    guard !isUsual, !isFull else { throw ActError.locationInUse(place.title) }
    change.edit.write([(.isArchived, .bool(true))], to: place.key, now: change.writer.now)
    change.subject = "archive \(place.title)"
  }

  func set(_ fields: [FieldValue], _ change: inout Change) {
    guard let own = change.edit.after.own else { return }
    change.edit.write(fields, to: own.key, now: change.writer.now)
    change.subject = "config \(fields.map(\.name.text).joined(separator: ", "))"
  }
}
