internal import LarderModel

/// Rows of batches.
extension CSVImporter {
  /// Changes a batch as its row says.
  mutating func change(batch: Entity, _ news: [ImportCell], _ row: ImportRow) {
    if news.contains(where: { $0.field == .quantity || $0.field == .unit }) {
      let unit = unit(instead: batch.unit, if: news)
      if let typed = quantity(row.cell(.quantity)) {
        count(typed.quantity(in: unit), of: batch, row)
      }
    }
    // The place first: in a freezer, a day counts that is not older than it.
    for cell in news.filter({ $0.field == .location }) + news.filter({ $0.field != .location }) {
      let now = edit.after[batch.key] ?? batch
      switch cell.field {
      case .location: move(now, to: cell, row)
      case .expiry:
        let update = expiry(cell, of: now)
        obey(tried(try edit.date(now, expiry: update, by: writer)), row, at: .expiry)
      case .opened:
        let update = opened(cell, of: now)
        obey(tried(try edit.date(now, opened: update, by: writer)), row, at: .opened)
      default: break
      }
    }
  }

  /// Counts a batch, unless it holds this quantity already.
  private mutating func count(_ quantity: Quantity, of batch: Entity, _ row: ImportRow) {
    let now = edit.after[batch.key] ?? batch
    let quantity = edit.after.counted(quantity, in: now.unit)
    let there = Stock(edit.after).withoutLack(now).quantity
    guard quantity.converted(to: now.unit)?.rounded != there.value,
      obey(tried(try edit.count(quantity, ofBatch: now, by: writer)), row, at: .quantity) != nil
    else { return }
    report.counted += 1
  }

  private mutating func move(_ batch: Entity, to cell: ImportCell, _ row: ImportRow) {
    let place = location(cell.text)
    // The location of a used-up batch can be corrected, but nothing moves.
    guard let place, batch.hasSomethingLeft else {
      return edit.write(
        [(.storageLocationID, .string(place ?? ""))], to: batch.key, now: writer.now)
    }
    obey(tried(try edit.move(batch, to: place, by: writer)), row, at: .location)
  }

  private mutating func expiry(_ cell: ImportCell, of batch: Entity) -> DateUpdate<Day> {
    guard !cell.text.isEmpty else { return .remove }
    guard var date = packageDate(cell) else { return .keep }
    if let known = batch.expiry, date.kind == .expiry, !known.kind.isOfOrigin {
      date.kind = known.kind
    }
    guard date.date != batch.expiryDay || date.kind != batch.expiry?.kind else { return .keep }
    return .set(date)
  }

  private mutating func opened(_ cell: ImportCell, of batch: Entity) -> DateUpdate<Instant> {
    guard !cell.text.isEmpty else { return .remove }
    guard let instant = moment(cell) else { return .keep }
    if let known = batch.openedAt, isSameMinute(instant, known) { return .keep }
    return .set(OpenedInfo(batch.opened?.kind ?? .opened, instant))
  }
}

/// The columns of a batch's row that are about its item.
extension CSVImporter {
  /// Changes the item of a batch as the batch's row says.
  mutating func changeItem(of batch: Entity, _ row: ImportRow) {
    if let item = survey.stock.item(of: batch).flatMap({ edit.after[$0.key] }) {
      changeItem(item, row)
    }
  }

  /// Changes an item as the row of its batch says; an empty cell changes nothing.
  private mutating func changeItem(_ item: Entity, _ row: ImportRow) {
    guard isNews(row, about: item), !item.isTombstone else { return }
    let known = survey.cells(of: item)
    let news = ExchangeTable.itemFields.compactMap { row.cell($0) }
      .filter { $0.text != known[$0.field]?.written }
    guard !news.isEmpty else { return }
    edit.write(fields(of: news, item, row), to: item.key, now: writer.now)
    noteChange(of: item, row)
    if let changed = edit.after[item.key] { names.note(changed) }
  }

  /// Whether a row is the first one with some cell about an item.
  ///
  /// Notes a mistake for each cell that differs from the cell of an earlier row.
  private mutating func isNews(_ row: ImportRow, about item: Entity) -> Bool {
    var known = itemCells[item.key] ?? [:]
    var isNews = false
    for cell in ExchangeTable.itemFields.compactMap({ row.cell($0) }) {
      guard let other = known[cell.field] else {
        known[cell.field] = cell
        isNews = true
        continue
      }
      guard other.text != cell.text else { continue }
      let title = edit.title(of: item)
      note(.differs(cell.field, of: title, line: line(of: other.offset)), at: cell.offset)
    }
    itemCells[item.key] = known
    return isNews
  }
}

/// Rows without an id: the quantity of an item in a location, with a date.
extension CSVImporter {
  /// Takes a row as the batch of its item, which it makes if nobody knows it.
  mutating func takeBatch(_ row: ImportRow) {
    if let item = item(of: row, named: .name) {
      changeItem(item, row)
      putThere(edit.after[item.key] ?? item, row)
    } else if isSound, let item = makeItem(row) {
      _ = isNews(row, about: item)
      putThere(item, row)
    }
  }

  /// Counts the batch that a row describes, or adds it.
  ///
  /// A row without a place, dates, a code and notes counts the loose stock.
  private mutating func putThere(_ item: Entity, _ row: ImportRow) {
    guard !refuseGone(item, row), needed(.quantity, row, at: .quantity) != nil else { return }
    let unit = unit(row.cell(.unit)) ?? item.unit
    let quantity = quantity(row.cell(.quantity), in: unit)
    let arrival = arrival(of: item, row)
    guard let quantity, isSound else { return }
    if arrival.details == BatchDetails(productID: item.id) {
      return countLoose(quantity, of: item, row)
    }
    let known = batch(like: arrival, of: item, row)
    guard isSound else { return }
    guard let known else { return add(quantity, arrival.details, row) }
    guard place(row, at: known) else { return }
    let before = edit.after[known.key]
    count(quantity, of: known, row)
    if edit.after[known.key] != before { report.changed += 1 }
  }

  private mutating func add(_ quantity: Quantity, _ details: BatchDetails, _ row: ImportRow) {
    guard quantity.value > .zero else { return }
    let maker = writer(of: .inventoryItem, row)
    let change = obey(
      tried(try edit.add(quantity, details, isComplete: true, by: maker)), row, at: .quantity)
    guard let key = change?.parts.first?.key, let batch = edit.after[key], place(row, at: batch)
    else { return }
    report.made += 1
    if let item = Stock(edit.after).item(of: batch) { withNewBatch.insert(item.key) }
  }

  /// Reports items that got a new batch and also have loose stock that no row counted.
  mutating func reportLoose() {
    let items = withNewBatch.filter { !isPlaced($0) }.compactMap { edit.after[$0] }
    report.besideLoose = items.filter { $0.quantity.value > .zero }.map(\.title).sorted()
  }

  private mutating func countLoose(_ quantity: Quantity, of item: Entity, _ row: ImportRow) {
    guard place(row, at: item) else { return }
    let now = edit.after[item.key] ?? item
    let quantity = edit.after.counted(quantity, in: now.unit)
    guard let loose = quantity.converted(to: now.unit)?.rounded else {
      let error = RuleError.unitsDoNotConvert(of: item.title, quantity.unit, now.unit)
      return note(.rule(error), row, at: .quantity)
    }
    let there = Stock(edit.after).withoutLack(now).quantity.value
    guard loose != there else { return }
    let inBatches = Stock(edit.after).total(of: now) - there
    let total = Quantity((inBatches + loose).rounded, now.unit)
    obey(tried(try edit.count(total, of: now, by: writer)), row, at: .quantity)
    report.counted += 1
    if survey.household[item.key] != nil { report.changed += 1 }
  }

  /// Returns the thing in a row, with its place, dates, code and notes.
  private mutating func arrival(of item: Entity, _ row: ImportRow) -> Arrival {
    Arrival(
      item: item, expiry: packageDate(row.cell(.expiry)),
      opened: moment(row.cell(.opened)).map { OpenedInfo(.opened, $0) },
      locationID: location(row.text(.location) ?? ""), lotCode: row.text(.lotOrBatchCode),
      note: row.text(.notes))
  }

  /// Returns the batch in use with the place, the code and the date of a row.
  ///
  /// A row without a date also finds a batch with a date, if it is the only one.
  private mutating func batch(
    like arrival: Arrival, of item: Entity, _ row: ImportRow
  ) -> Entity? {
    let found = Stock(edit.after).batches(of: item).filter { batch in
      batch.hasSomethingLeft && batch.locationID == arrival.locationID
        && batch.lotCode == arrival.lotCode
    }
    let known = found.first { batch in
      batch.expiryDay == arrival.expiry?.date && batch.lastDay == arrival.expiry?.lastDay
    }
    if known != nil || arrival.expiry != nil { return known }
    let others = found.filter { !isPlaced($0.key) }
    if others.count > 1 { note(.severalBatches(item.title, others.count), row) }
    return others.first
  }
}
