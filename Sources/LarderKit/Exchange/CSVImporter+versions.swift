internal import LarderModel

/// Finding what somebody changed in a table since it was exported.
extension CSVImporter {
  /// Returns the cells in which somebody changed the row of a known thing.
  ///
  /// `line` is the row's receipt line. A row that names a version is compared with that version, so
  /// changes that others made since then remain. Any other row is compared with the current
  /// household.
  mutating func news(
    of row: ImportRow, about entity: Entity, line: ReceiptLine? = nil
  ) -> [ImportCell] {
    let now = survey.cells(of: entity, line: line)
    let news = row.news(over: now)
    guard !news.isEmpty, row.hasID, let then = version(of: row),
      let former = then.household[entity.kind, entity.id]
    else { return news }
    let formerLine = former.lines.first { $0.id == line?.id }
    guard line == nil || formerLine != nil else { return news }
    let known = then.cells(of: former, line: formerLine)
    let edited = Set(
      row.news(over: known).filter { !says($0, known[$0.field]) }.map(\.field))
    let own = news.filter { edited.contains($0.field) }
    let stands = news.contains { cell in
      !edited.contains(cell.field) && known[cell.field]?.written != now[cell.field]?.written
    }
    if stands { report.stood += 1 }
    if known[.unit]?.written != now[.unit]?.written, !edited.contains(.unit),
      let cell = own.first(where: { $0.field.isInUnitOfRow })
    {
      note(.otherUnit(edit.title(of: entity)), at: cell.offset)
      return []
    }
    for cell in own
    where known[cell.field]?.written != now[cell.field]?.written && !says(cell, now[cell.field]) {
      report.overwritten.append(
        ImportReport.Overwritten(
          title: edit.title(of: entity), field: cell.field, then: known[cell.field]?.written ?? "",
          now: now[cell.field]?.written ?? "", imported: cell.text))
    }
    return own
  }

  /// Whether a cell is the known value in another notation of a number, a day, a unit or a yes.
  private func says(_ cell: ImportCell, _ known: CSVCell?) -> Bool {
    guard case .value(let written)? = known, !written.isEmpty, !cell.text.isEmpty else {
      return false
    }
    if let number = Number(written) { return Number(plain(cell.text)) == number }
    if let flag = Self.flag(written) { return Self.flag(cell.text) == flag }
    if let moment = survey.calendar.instant(typed: written) {
      return survey.calendar.instant(typed: cell.text) == moment
    }
    return Unit(typed: written).map { $0 == Unit(typed: cell.text) } ?? false
  }

  /// Returns the household's version that a row names; nil if it names none.
  ///
  /// If that version is not here, it notes a mistake and returns nil.
  private mutating func version(of row: ImportRow) -> Survey? {
    guard let cell = row[.asOf], !cell.text.isEmpty else { return nil }
    if versions[cell.text] == nil { versions[cell.text] = .some(readVersion(cell.text)) }
    guard let version = versions[cell.text] ?? nil else {
      note(.unknownVersion(cell.text), at: cell.offset)
      return nil
    }
    return version
  }
}

extension FieldName {
  /// Whether a column has numbers in the row's unit.
  fileprivate var isInUnitOfRow: Bool {
    [.total, .quantity, .desiredQuantity, .quantityFullStock, .quantityMinimum, .packSize]
      .contains(self)
  }
}
