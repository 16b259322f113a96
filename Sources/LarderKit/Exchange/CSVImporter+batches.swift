internal import LarderJSON
internal import LarderModel

/// Rows of batches.
extension CSVImporter {
  mutating func takeBatch(_ row: ImportRow) {
    switch subject(byID: row) {
    case .known(let batch):
      change(batch, row)
      let item = survey.stock.item(of: batch).flatMap { edit.after[$0.key] }
      if let item { changeItem(item, row) }
    case .unknown:
      switch item(of: row, named: .name) {
      case .known(let item):
        changeItem(item, row)
        putThere(edit.after[item.key] ?? item, row)
      case .unknown:
        guard let item = makeItem(row) else { return }
        _ = isNews(row, about: item)
        putThere(item, row)
      case .wrong: break
      }
    case .wrong: break
    }
  }

  /// Changes an item as the row of its batch says; an empty cell changes nothing.
  private mutating func changeItem(_ item: Entity, _ row: ImportRow) {
    guard isNews(row, about: item), !item.isTombstone else { return }
    let known = survey.cells(of: item)
    let news = ExchangeTable.itemFields.compactMap { row.cell($0) }
      .filter { $0.text != known[$0.field]?.written }
    guard !news.isEmpty, let fields = fields(of: news, item, row) else { return }
    write(fields, to: item, row)
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

  private mutating func change(_ batch: Entity, _ row: ImportRow) {
    guard isFirst(row, about: batch) else { return }
    let known = survey.cells(of: batch)
    let news = news(of: row, about: batch)
    guard !news.isEmpty else { return }
    for cell in news where cell.field == .name || cell.field == .itemID {
      return note(.fixed(cell.field, is: known[cell.field]?.written ?? ""), at: cell.offset)
    }
    count(batch, news, row)
    for cell in news { change(batch, cell, row) }
    noteChange(of: batch, row)
  }

  private mutating func count(_ batch: Entity, _ news: [ImportCell], _ row: ImportRow) {
    let isNews = news.contains { $0.field == .quantity || $0.field == .unit }
    guard isNews, let cell = row.cell(.quantity), let typed = quantity(cell),
      let unit = unit(of: row, instead: batch.unit, if: news)
    else { return }
    count(typed.quantity(in: unit), of: batch, row)
  }

  /// Counts a batch, unless it holds this quantity already.
  private mutating func count(_ quantity: Quantity, of batch: Entity, _ row: ImportRow) {
    let now = edit.after[batch.key] ?? batch
    let quantity = edit.after.counted(quantity, in: now.unit)
    let there = Stock(edit.after).withoutLack(now).quantity
    guard quantity.converted(to: now.unit)?.rounded != there.value else { return }
    let change: Void? = follow(row, .quantity) { importer throws(RuleError) in
      try importer.edit.count(quantity, ofBatch: now, by: importer.writer)
    }
    if change != nil { report.counted += 1 }
  }

  /// Changes a batch as one cell says.
  private mutating func change(_ batch: Entity, _ cell: ImportCell, _ row: ImportRow) {
    let now = edit.after[batch.key] ?? batch
    switch cell.field {
    case .location: move(now, to: cell, row)
    case .expiry:
      guard let update = expiry(cell, of: now) else { return }
      _ = follow(row, .expiry) { importer throws(RuleError) in
        try importer.edit.date(now, expiry: update, by: importer.writer)
      }
    case .opened:
      guard let update = opened(cell, of: now) else { return }
      _ = follow(row, .opened) { importer throws(RuleError) in
        try importer.edit.date(now, opened: update, by: importer.writer)
      }
    case .lotOrBatchCode, .notes:
      let text: JSON? = cell.text.isEmpty ? nil : .string(cell.text)
      edit.write([(cell.field, text)], to: now.key, now: writer.now)
    default: break
    }
  }

  private mutating func move(_ batch: Entity, to cell: ImportCell, _ row: ImportRow) {
    guard let place = location(cell.text) else {
      edit.write([(.storageLocationID, .string(""))], to: batch.key, now: writer.now)
      return
    }
    // The location of a used-up batch can be corrected, but nothing moves.
    guard batch.hasSomethingLeft else {
      edit.write([(.storageLocationID, .string(place))], to: batch.key, now: writer.now)
      return
    }
    _ = follow(row, .location) { importer throws(RuleError) in
      try importer.edit.move(batch, to: place, by: importer.writer)
    }
  }

  private mutating func expiry(_ cell: ImportCell, of batch: Entity) -> DateUpdate<Day>? {
    guard !cell.text.isEmpty else { return .remove }
    guard var date = packageDate(cell) else { return nil }
    if let known = batch.expiry, date.kind == .expiry, !known.kind.isOfOrigin {
      date.kind = known.kind
    }
    guard date.date != batch.expiryDay || date.kind != batch.expiry?.kind else { return .keep }
    return .set(date)
  }

  private mutating func opened(_ cell: ImportCell, of batch: Entity) -> DateUpdate<Instant>? {
    guard !cell.text.isEmpty else { return .remove }
    guard let instant = moment(cell) else { return nil }
    if let known = batch.openedAt, isSameMinute(instant, known) { return .keep }
    return .set(OpenedInfo(batch.opened?.kind ?? .opened, instant))
  }
}

/// Rows without an id: the quantity of an item in a location, with a date.
extension CSVImporter {
  /// Counts the batch that a row describes, or adds it.
  ///
  /// A row without a place, dates, a code and notes counts the loose stock.
  private mutating func putThere(_ item: Entity, _ row: ImportRow) {
    guard !item.isTombstone else {
      return note(.gone(item.title, .stockItem), at: row.offset)
    }
    guard let cell = row.cell(.quantity) else {
      return note(.needed(.quantity), at: row[.quantity], of: row)
    }
    var isSound = true
    let unit = read(row.cell(.unit), &isSound) { $0.unit($1) } ?? item.unit
    guard let typed = quantity(cell), let details = details(row, of: item), isSound else { return }
    let quantity = typed.quantity(in: unit)
    guard quantity.value >= .zero else { return note(.rule(.belowZero(quantity)), at: cell.offset) }
    guard details != BatchDetails(productID: item.id) else {
      return countLoose(quantity, of: item, row)
    }
    switch batch(of: item, details, row) {
    case .known(let known):
      guard isFirst(row, about: known) else { return }
      let before = edit.after[known.key]
      count(quantity, of: known, row)
      if edit.after[known.key] != before { report.changed += 1 }
    case .unknown: add(quantity, details, row)
    case .wrong: break
    }
  }

  private mutating func add(_ quantity: Quantity, _ details: BatchDetails, _ row: ImportRow) {
    guard quantity.value > .zero else { return }
    let change = follow(row, .quantity) { importer throws(RuleError) in
      try importer.edit.add(
        quantity, details, isComplete: true,
        by: importer.writer(of: .inventoryItem, row))
    }
    guard let key = change?.parts.first?.key, let batch = edit.after[key] else { return }
    _ = isFirst(row, about: batch)
    report.made += 1
    if let item = Stock(edit.after).item(of: batch) { withNewBatch.insert(item.key) }
  }

  /// Reports items that got a new batch and also have loose stock that no row counted.
  mutating func reportLoose() {
    let items = withNewBatch.filter { !isPlaced($0) }.compactMap { edit.after[$0] }
    report.besideLoose = items.filter { $0.quantity.value > .zero }.map(\.title).sorted()
  }

  private mutating func countLoose(_ quantity: Quantity, of item: Entity, _ row: ImportRow) {
    guard isFirst(row, about: item) else { return }
    let now = edit.after[item.key] ?? item
    let quantity = edit.after.counted(quantity, in: now.unit)
    guard let loose = quantity.converted(to: now.unit)?.rounded else {
      let error = RuleError.unitsDoNotConvert(of: item.title, quantity.unit, now.unit)
      return note(.rule(error), at: row[.quantity], of: row)
    }
    let there = Stock(edit.after).withoutLack(now).quantity.value
    guard loose != there else { return }
    let inBatches = Stock(edit.after).total(of: now) - there
    let total = Quantity((inBatches + loose).rounded, now.unit)
    let change = follow(row, .quantity) { importer throws(RuleError) in
      try importer.edit.count(total, of: now, by: importer.writer)
    }
    guard change != nil else { return }
    report.counted += 1
    if survey.household[item.key] != nil { report.changed += 1 }
  }

  /// Returns the place, the dates, the code and the notes in a row; nil if one of them can't be
  /// read.
  private mutating func details(_ row: ImportRow, of item: Entity) -> BatchDetails? {
    var details = BatchDetails(productID: item.id)
    details.lotCode = row.text(.lotOrBatchCode)
    details.notes = row.text(.notes)
    var isSound = true
    details.expiry = read(row.cell(.expiry), &isSound) { $0.packageDate($1) }
    details.opened = read(row.cell(.opened), &isSound) { $0.moment($1) }
      .map { OpenedInfo(.opened, $0) }
    guard isSound else { return nil }
    details.locationID = location(row.text(.location) ?? "")
    return details
  }

  /// Returns the batch in use with the place, the code and the date of a row.
  ///
  /// A row without a date also finds a batch with a date, if it is the only one. If there are
  /// several, this notes a mistake.
  private mutating func batch(
    of item: Entity, _ details: BatchDetails, _ row: ImportRow
  ) -> Subject {
    let found = Stock(edit.after).batches(of: item).filter { batch in
      batch.hasSomethingLeft && batch.locationID == details.locationID
        && batch.lotCode == details.lotCode
    }
    if let known = found.first(where: { batch in
      batch.expiryDay == details.expiry?.date && batch.lastDay == details.expiry?.lastDay
    }) {
      return .known(known)
    }
    guard details.expiry == nil else { return .unknown }
    let others = found.filter { !isPlaced($0.key) }
    guard others.count > 1 else { return others.first.map { .known($0) } ?? .unknown }
    note(.severalBatches(item.title, others.count), at: row.offset)
    return .wrong
  }
}
