internal import LarderModel

/// Rows of batches.
extension CSVImporter {
  mutating func takeBatch(_ row: ImportRow) throws(RowMistakes) {
    var mistakes = RowMistakes()
    if let batch = try subject(byID: row) {
      mistakes.value(try change(batch, row))
      if let item = survey.stock.item(of: batch).flatMap({ edit.after[$0.key] }) {
        mistakes.value(try changeItem(item, row))
      }
    } else if let item = try item(of: row, named: .name) {
      mistakes.value(try changeItem(item, row))
      mistakes.value(try putThere(edit.after[item.key] ?? item, row))
    } else {
      let item = try makeItem(row)
      _ = isNews(row, about: item)
      try putThere(item, row)
    }
    try mistakes.refuse()
  }

  /// Changes an item as the row of its batch says; an empty cell changes nothing.
  private mutating func changeItem(_ item: Entity, _ row: ImportRow) throws(RowMistakes) {
    guard isNews(row, about: item), !item.isTombstone else { return }
    let known = survey.cells(of: item)
    let news = ExchangeTable.itemFields.compactMap { row.cell($0) }
      .filter { $0.text != known[$0.field]?.written }
    guard !news.isEmpty else { return }
    try write(try fields(of: news, item, row), to: item, row)
    if let changed = edit.after[item.key] { names.note(changed) }
  }

  /// Whether a row is the first one with some cell about an item.
  ///
  /// Notes a mistake for each cell that differs from the cell of an earlier row.
  private mutating func isNews(_ row: ImportRow, about item: Entity) -> Bool {
    let cells = ExchangeTable.itemFields.compactMap { row.cell($0) }
    var known = itemCells[item.key] ?? [:]
    for cell in cells {
      if let other = known[cell.field], other.text != cell.text {
        let title = edit.title(of: item)
        note(.differs(cell.field, of: title, line: line(of: other.offset)), at: cell.offset)
      }
    }
    let isNews = cells.contains { known[$0.field] == nil }
    for cell in cells where known[cell.field] == nil { known[cell.field] = cell }
    itemCells[item.key] = known
    return isNews
  }

  private mutating func change(_ batch: Entity, _ row: ImportRow) throws(RowMistakes) {
    try place(row, at: batch)
    let known = survey.cells(of: batch)
    let news = news(of: row, about: batch)
    for cell in news where cell.field == .name || cell.field == .itemID {
      throw RowMistakes(
        .fixed(cell.field, is: known[cell.field]?.written ?? ""), at: cell.offset)
    }
    var mistakes = RowMistakes()
    if news.contains(where: { $0.field == .quantity || $0.field == .unit }) {
      mistakes.value(try count(batch, news, row))
    }
    for cell in news { mistakes.value(try change(batch, cell, row)) }
    mistakes.value(try noteChange(of: batch, row))
    try mistakes.refuse()
  }

  private mutating func count(
    _ batch: Entity, _ news: [ImportCell], _ row: ImportRow
  ) throws(RowMistakes) {
    guard let typed = try quantity(row.cell(.quantity)) else { return }
    let unit = try unit(of: row, instead: batch.unit, if: news)
    try count(typed.quantity(in: unit), of: batch, row)
  }

  /// Counts a batch, unless it holds this quantity already.
  private mutating func count(
    _ quantity: Quantity, of batch: Entity, _ row: ImportRow
  ) throws(RowMistakes) {
    let now = edit.after[batch.key] ?? batch
    let quantity = edit.after.counted(quantity, in: now.unit)
    let there = Stock(edit.after).withoutLack(now).quantity
    guard quantity.converted(to: now.unit)?.rounded != there.value else { return }
    try obey(row, at: .quantity, try edit.count(quantity, ofBatch: now, by: writer))
    report.counted += 1
  }

  /// Changes a batch as one cell says.
  private mutating func change(
    _ batch: Entity, _ cell: ImportCell, _ row: ImportRow
  ) throws(RowMistakes) {
    let now = edit.after[batch.key] ?? batch
    switch cell.field {
    case .location: try move(now, to: cell, row)
    case .expiry:
      let update = try expiry(cell, of: now)
      try obey(row, at: .expiry, try edit.date(now, expiry: update, by: writer))
    case .opened:
      let update = try opened(cell, of: now)
      try obey(row, at: .opened, try edit.date(now, opened: update, by: writer))
    case .lotOrBatchCode, .notes:
      edit.write([(cell.field, cell.json)], to: now.key, now: writer.now)
    default: break
    }
  }

  private mutating func move(
    _ batch: Entity, to cell: ImportCell, _ row: ImportRow
  ) throws(RowMistakes) {
    let place = location(cell.text)
    // The location of a used-up batch can be corrected, but nothing moves.
    guard let place, batch.hasSomethingLeft else {
      return edit.write(
        [(.storageLocationID, .string(place ?? ""))], to: batch.key, now: writer.now)
    }
    try obey(row, at: .location, try edit.move(batch, to: place, by: writer))
  }

  private mutating func expiry(
    _ cell: ImportCell, of batch: Entity
  ) throws(RowMistakes) -> DateUpdate<Day> {
    guard var date = try packageDate(cell.filled) else { return .remove }
    if let known = batch.expiry, date.kind == .expiry, !known.kind.isOfOrigin {
      date.kind = known.kind
    }
    guard date.date != batch.expiryDay || date.kind != batch.expiry?.kind else { return .keep }
    return .set(date)
  }

  private mutating func opened(
    _ cell: ImportCell, of batch: Entity
  ) throws(RowMistakes) -> DateUpdate<Instant> {
    guard let instant = try moment(cell.filled) else { return .remove }
    if let known = batch.openedAt, isSameMinute(instant, known) { return .keep }
    return .set(OpenedInfo(batch.opened?.kind ?? .opened, instant))
  }
}

/// Rows without an id: the quantity of an item in a location, with a date.
extension CSVImporter {
  /// Counts the batch that a row describes, or adds it.
  ///
  /// A row without a place, dates, a code and notes counts the loose stock.
  private mutating func putThere(_ item: Entity, _ row: ImportRow) throws(RowMistakes) {
    guard !item.isTombstone else {
      throw RowMistakes(.gone(item.title, .stockItem), at: row.offset)
    }
    guard let cell = row.cell(.quantity) else {
      throw RowMistakes(.needed(.quantity), at: row[.quantity], of: row)
    }
    var mistakes = RowMistakes()
    let unit = mistakes.value(try unit(row.cell(.unit))) ?? item.unit
    guard let typed = mistakes.value(try quantity(cell)),
      let details = mistakes.value(try details(row, of: item)), mistakes.all.isEmpty
    else { throw mistakes }
    let quantity = typed.quantity(in: unit)
    guard quantity.value >= .zero else {
      throw RowMistakes(.rule(.belowZero(quantity)), at: cell.offset)
    }
    guard details != BatchDetails(productID: item.id) else {
      return try countLoose(quantity, of: item, row)
    }
    guard let known = try batch(of: item, details, row) else {
      return try add(quantity, details, row)
    }
    try place(row, at: known)
    let before = edit.after[known.key]
    try count(quantity, of: known, row)
    if edit.after[known.key] != before { report.changed += 1 }
  }

  private mutating func add(
    _ quantity: Quantity, _ details: BatchDetails, _ row: ImportRow
  ) throws(RowMistakes) {
    guard quantity.value > .zero else { return }
    let change = try obey(
      row, at: .quantity,
      try edit.add(quantity, details, isComplete: true, by: writer(of: .inventoryItem, row)))
    guard let key = change.parts.first?.key, let batch = edit.after[key] else { return }
    try place(row, at: batch)
    report.made += 1
    if let item = Stock(edit.after).item(of: batch) { withNewBatch.insert(item.key) }
  }

  /// Reports items that got a new batch and also have loose stock that no row counted.
  mutating func reportLoose() {
    let items = withNewBatch.filter { !isPlaced($0) }.compactMap { edit.after[$0] }
    report.besideLoose = items.filter { $0.quantity.value > .zero }.map(\.title).sorted()
  }

  private mutating func countLoose(
    _ quantity: Quantity, of item: Entity, _ row: ImportRow
  ) throws(RowMistakes) {
    try place(row, at: item)
    let now = edit.after[item.key] ?? item
    let quantity = edit.after.counted(quantity, in: now.unit)
    guard let loose = quantity.converted(to: now.unit)?.rounded else {
      let error = RuleError.unitsDoNotConvert(of: item.title, quantity.unit, now.unit)
      throw RowMistakes(.rule(error), at: row[.quantity], of: row)
    }
    let there = Stock(edit.after).withoutLack(now).quantity.value
    guard loose != there else { return }
    let inBatches = Stock(edit.after).total(of: now) - there
    let total = Quantity((inBatches + loose).rounded, now.unit)
    try obey(row, at: .quantity, try edit.count(total, of: now, by: writer))
    report.counted += 1
    if survey.household[item.key] != nil { report.changed += 1 }
  }

  /// Returns the place, the dates, the code and the notes in a row.
  private mutating func details(
    _ row: ImportRow, of item: Entity
  ) throws(RowMistakes) -> BatchDetails {
    var details = BatchDetails(productID: item.id)
    details.lotCode = row.text(.lotOrBatchCode)
    details.notes = row.text(.notes)
    var mistakes = RowMistakes()
    details.expiry = mistakes.value(try packageDate(row.cell(.expiry)))
    details.opened = mistakes.value(try moment(row.cell(.opened))).map { OpenedInfo(.opened, $0) }
    try mistakes.refuse()
    details.locationID = location(row.text(.location) ?? "")
    return details
  }

  /// Returns the batch in use with the place, the code and the date of a row.
  ///
  /// A row without a date also finds a batch with a date, if it is the only one.
  private func batch(
    of item: Entity, _ details: BatchDetails, _ row: ImportRow
  ) throws(RowMistakes) -> Entity? {
    let found = Stock(edit.after).batches(of: item).filter { batch in
      batch.hasSomethingLeft && batch.locationID == details.locationID
        && batch.lotCode == details.lotCode
    }
    let known = found.first { batch in
      batch.expiryDay == details.expiry?.date && batch.lastDay == details.expiry?.lastDay
    }
    if known != nil || details.expiry != nil { return known }
    let others = found.filter { !isPlaced($0.key) }
    guard others.count <= 1 else {
      throw RowMistakes(.severalBatches(item.title, others.count), at: row.offset)
    }
    return others.first
  }
}
