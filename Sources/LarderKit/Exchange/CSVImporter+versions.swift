internal import LarderModel

/// The changes that somebody made in a table since it was exported, while the household went on.
extension CSVImporter {
  /// Returns the cells in which somebody changed a row of a known thing.
  ///
  /// A row that says of which version it is, is compared with what that version had there: what others
  /// changed since stands. Any other row is compared with what there is now. `line` is the receipt's
  /// line that the row is about.
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

  /// Whether a spreadsheet only wrote a number, a day, a unit or a yes otherwise.
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

  /// Returns the version of a row's household; nil, with a mistake, if it is not here, and nil if the
  /// row says none.
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
  /// Whether a column has numbers in the unit of the row.
  fileprivate var isInUnitOfRow: Bool {
    [.total, .quantity, .desiredQuantity, .quantityFullStock, .quantityMinimum, .packSize]
      .contains(self)
  }
}
