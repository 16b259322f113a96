internal import LarderModel

/// Reading cells. Each function returns nil without a cell, and throws if its text can't be read.
extension CSVImporter {
  /// Returns a quantity, with a unit if the cell has one.
  func quantity(_ cell: ImportCell?) throws(RowMistakes) -> TypedQuantity? {
    guard let cell else { return nil }
    if let thousands = thousands(in: cell.text) {
      throw RowMistakes(
        .amount(cell.text, .comma(decimal: cell.text, thousands: thousands)), at: cell.offset)
    }
    return try mapError(try TypedQuantity(plain(cell.text))) { mistake in
      RowMistakes(
        isRounded(cell.text) ? .rounded(cell.text) : .amount(cell.text, mistake), at: cell.offset)
    }
  }

  /// Returns a number in `unit`, which must not be below zero.
  ///
  /// A cell without a unit of its own is in `written`, the row's unit, or in `unit` if that is nil.
  func number(
    _ cell: ImportCell?, written: Unit? = nil, in unit: Unit, of title: String
  ) throws(RowMistakes) -> Number? {
    guard let cell, let typed = try quantity(cell) else { return nil }
    let quantity = typed.quantity(in: written ?? unit)
    guard quantity.value >= .zero else {
      throw RowMistakes(.rule(.belowZero(quantity)), at: cell.offset)
    }
    guard let value = edit.after.counted(quantity, in: unit).converted(to: unit) else {
      throw RowMistakes(
        .rule(.unitsDoNotConvert(of: title, quantity.unit, unit)), at: cell.offset)
    }
    return value.rounded
  }

  func money(_ cell: ImportCell?) throws(RowMistakes) -> TypedMoney? {
    guard let cell else { return nil }
    if let thousands = thousands(in: cell.text) {
      throw RowMistakes(
        .money(cell.text, .comma(decimal: cell.text, thousands: thousands)), at: cell.offset)
    }
    let isBelow = cell.text.hasPrefix("-")
    let text = plain(isBelow ? String(cell.text.dropFirst()) : cell.text)
    let money = try mapError(try TypedMoney(text, in: survey.household.own?.currency)) {
      RowMistakes(.money(cell.text, $0), at: cell.offset)
    }
    return isBelow ? TypedMoney(-money.amount, money.currency) : money
  }

  mutating func day(_ cell: ImportCell?) throws(RowMistakes) -> Day? {
    guard let cell else { return nil }
    do throws(DayMistake) {
      let day = try survey.calendar.day(reading: cell.text)
      if let completed = survey.calendar.completed(cell.text) {
        report.completedDays.insert(completed)
      }
      return day
    } catch {
      // Spreadsheets write a day as its first moment.
      if cell.text.contains(":"), let moment = survey.calendar.instant(typed: cell.text) {
        return survey.calendar.day(of: moment)
      }
      throw RowMistakes(.day(cell.text, error), at: cell.offset)
    }
  }

  /// Returns the date of a batch; `made` or `packed` before the day says that it is no last day.
  mutating func packageDate(_ cell: ImportCell?) throws(RowMistakes) -> ExpiryInfo? {
    guard let cell else { return nil }
    let kinds: [(word: String, kind: DateKind)] = [
      ("made ", .manufactured), ("packed ", .packaged),
    ]
    let origin = kinds.first { fold(cell.text).hasPrefix($0.word) }
    let rest = String(cell.text.dropFirst(origin?.word.count ?? 0))
    return try day(ImportCell(field: cell.field, raw: rest, offset: cell.offset))
      .map { ExpiryInfo(origin?.kind ?? .expiry, $0) }
  }

  mutating func moment(_ cell: ImportCell?) throws(RowMistakes) -> Instant? {
    guard let cell else { return nil }
    let moment = try mapError(try survey.calendar.instant(reading: cell.text)) {
      RowMistakes(.day(cell.text, $0), at: cell.offset)
    }
    if let completed = survey.calendar.completed(cell.text, .back) {
      report.completedDays.insert(completed)
    }
    return moment
  }

  /// Whether two moments look the same in a table, which has minutes only.
  func isSameMinute(_ one: Instant, _ other: Instant) -> Bool {
    survey.calendar.text(of: one) == survey.calendar.text(of: other)
  }

  func flag(_ cell: ImportCell?) throws(RowMistakes) -> Bool? {
    guard let cell else { return nil }
    guard let flag = Self.flag(cell.text) else {
      throw RowMistakes(.flag(cell.text), at: cell.offset)
    }
    return flag
  }

  static func flag(_ text: String) -> Bool? {
    switch fold(text) {
    case "yes", "true", "1", "y", "x", "✓", "✔", "ja", "wahr", "oui", "vrai", "si", "ya": true
    case "no", "false", "0", "n", "", "nein", "falsch", "non", "faux", "tidak": false
    default: nil
    }
  }

  mutating func unit(_ cell: ImportCell?) throws(RowMistakes) -> Unit? {
    guard let cell else { return nil }
    guard let unit = unit(written: cell.text) else {
      throw RowMistakes(.unit(cell.text), at: cell.offset)
    }
    return unit
  }

  /// Returns a unit as people type it, or as the household's files spell one of its own, such as
  /// `packungen` or `Ähre`; nil if it is none.
  mutating func unit(written text: String) -> Unit? {
    guard let unit = Unit(typed: text) else { return nil }
    if let own = Unit(rawValue: text), own != unit, ownUnits.contains(own) { return own }
    return unit
  }

  func days(_ cell: ImportCell?) throws(RowMistakes) -> Number? {
    guard let cell else { return nil }
    guard let days = HouseholdCalendar.length(typed: cell.text) else {
      throw RowMistakes(.length(cell.text), at: cell.offset)
    }
    return Number(days)
  }

  func currency(_ cell: ImportCell?) throws(RowMistakes) -> String? {
    guard let cell else { return nil }
    let code = cell.text.uppercased()
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw RowMistakes(.currency(cell.text), at: cell.offset)
    }
    return code
  }

  /// Returns the ids of the products that a cell names by ids or barcodes.
  func products(_ cell: ImportCell?, for own: Entity?) throws(RowMistakes) -> [String]? {
    guard let cell else { return nil }
    var ids: [String] = []
    for text in parts(cell.text) {
      let id = try product(text, cell)
      if let holder = Stock(edit.after).item(ofProduct: id), holder.id != own?.id {
        let error = RuleError.productIsClaimed(
          text, item: holder.title, isArchived: holder.isTombstone)
        throw RowMistakes(.rule(error), at: cell.offset)
      }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  private func product(_ text: String, _ cell: ImportCell) throws(RowMistakes) -> String {
    guard edit.after[.product, text] == nil, let barcode = Barcode(written: text) else {
      if isRounded(text) { throw RowMistakes(.rounded(text), at: cell.offset) }
      return text
    }
    guard barcode.isSound else { throw RowMistakes(.rule(.badBarcode(text)), at: cell.offset) }
    return names.product(with: barcode) ?? (text.hasPrefix("ean_") ? text : barcode.productID)
  }

  /// Returns the barcode numbers in a cell.
  func barcodes(_ cell: ImportCell?) throws(RowMistakes) -> [String]? {
    guard let cell else { return nil }
    let numbers = parts(cell.text)
    for number in numbers {
      if isRounded(number) { throw RowMistakes(.rounded(number), at: cell.offset) }
      if let barcode = Barcode(written: number), !barcode.isSound {
        throw RowMistakes(.rule(.badBarcode(number)), at: cell.offset)
      }
    }
    return numbers.map { Barcode.digits(of: $0) }
  }

  /// Returns the ids or numbers in a cell, separated by semicolons or commas.
  private func parts(_ text: String) -> [String] {
    listed(text).flatMap { $0.split(separator: ",").map { spaced(String($0)) } }
      .filter { !$0.isEmpty }
  }

  /// Returns a number with its decimal comma as a point.
  ///
  /// A comma is a decimal one only in files with another separator.
  func plain(_ text: String) -> String {
    guard file.separator != UInt8(ascii: ","), text.count(where: { $0 == "," }) == 1,
      !text.contains(".")
    else { return text }
    return text.replacing(",", with: ".")
  }

  /// Returns an ambiguous number such as `1.500` as thousands: `1500`.
  ///
  /// The point is ambiguous in files whose separator is no comma, as they may have decimal commas.
  /// Nil for any other number.
  private func thousands(in text: String) -> String? {
    let isUnclear =
      file.separator != UInt8(ascii: ",")
      && text.wholeMatch(of: /-?[1-9][0-9]{0,2}\.[0-9]{3}([^0-9].*)?/) != nil
    return isUnclear ? text.replacing(".", with: "") : nil
  }

  /// Whether a spreadsheet wrote a long number, such as a barcode, with an exponent.
  private func isRounded(_ text: String) -> Bool {
    text.wholeMatch(of: /[0-9]([.,][0-9]+)?[Ee]\+[0-9]+/) != nil
  }
}

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
