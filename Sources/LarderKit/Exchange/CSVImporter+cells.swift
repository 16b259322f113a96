internal import LarderModel

/// Reading cells. Each function returns nil without a cell, and for one that can't be read, which
/// is a mistake.
extension CSVImporter {
  /// Returns a value; if it could not be read, notes the mistake in its cell.
  private mutating func value<Value, Mistake>(
    _ result: Result<Value, Mistake>, _ cell: ImportCell,
    _ reason: (String, Mistake) -> ImportMistake.Reason
  ) -> Value? {
    switch result {
    case .success(let value): return value
    case .failure(let mistake):
      note(reason(cell.text, mistake), at: cell.offset)
      return nil
    }
  }

  /// Returns a value; if there is none, notes the mistake in its cell.
  private mutating func value<Value>(
    _ value: Value?, _ cell: ImportCell, _ reason: (String) -> ImportMistake.Reason
  ) -> Value? {
    if value == nil { note(reason(cell.text), at: cell.offset) }
    return value
  }

  /// Returns a quantity, with a unit if the cell has one.
  mutating func quantity(_ cell: ImportCell?) -> TypedQuantity? {
    guard let cell else { return nil }
    if let thousands = thousands(in: cell.text) {
      note(.amount(cell.text, .comma(decimal: cell.text, thousands: thousands)), at: cell.offset)
      return nil
    }
    return value(tried(try TypedQuantity(plain(cell.text))), cell) {
      (text: String, mistake: TypedQuantity.Mistake) in
      Self.isRounded(text) ? .rounded(text) : .amount(text, mistake)
    }
  }

  /// Returns a quantity in the unit of its cell, or else in `unit`; one below zero is a mistake.
  mutating func quantity(_ cell: ImportCell?, in unit: Unit) -> Quantity? {
    guard let cell, let quantity = quantity(cell)?.quantity(in: unit) else { return nil }
    guard quantity.value < .zero else { return quantity }
    note(.rule(.belowZero(quantity)), at: cell.offset)
    return nil
  }

  /// Returns a number in `unit`, which must not be below zero.
  ///
  /// A cell without a unit of its own is in `written`, the row's unit, or in `unit` if that is nil.
  mutating func number(
    _ cell: ImportCell?, written: Unit? = nil, in unit: Unit, of title: String
  ) -> Number? {
    guard let cell, let quantity = quantity(cell, in: written ?? unit) else { return nil }
    let number = edit.after.counted(quantity, in: unit).converted(to: unit)
    if number == nil {
      note(.rule(.unitsDoNotConvert(of: title, quantity.unit, unit)), at: cell.offset)
    }
    return number?.rounded
  }

  mutating func money(_ cell: ImportCell?) -> TypedMoney? {
    guard let cell else { return nil }
    if let thousands = thousands(in: cell.text) {
      note(.money(cell.text, .comma(decimal: cell.text, thousands: thousands)), at: cell.offset)
      return nil
    }
    let isBelow = cell.text.hasPrefix("-")
    let text = plain(isBelow ? String(cell.text.dropFirst()) : cell.text)
    let currency = survey.household.own?.currency
    let money = value(
      tried(try TypedMoney(text, in: currency)), cell, ImportMistake.Reason.money)
    return money.map { isBelow ? TypedMoney(-$0.amount, $0.currency) : $0 }
  }

  mutating func day(_ cell: ImportCell?) -> Day? {
    guard let cell else { return nil }
    let calendar = survey.calendar
    let text = dates.sorted(cell.text)
    let read: Result<Day, DayMistake> = tried(try calendar.day(reading: text))
    // Spreadsheets write a day as its first moment.
    if case .failure = read, text.contains(":"), let moment = calendar.instant(typed: text) {
      return calendar.day(of: moment)
    }
    noteCompleted(text)
    return value(read, cell, ImportMistake.Reason.day)
  }

  mutating func moment(_ cell: ImportCell?) -> Instant? {
    guard let cell else { return nil }
    let text = dates.sorted(cell.text)
    noteCompleted(text, .back)
    return value(tried(try survey.calendar.instant(reading: text)), cell, ImportMistake.Reason.day)
  }

  private mutating func noteCompleted(
    _ text: String, _ direction: HouseholdCalendar.Direction = .ahead
  ) {
    if let completed = survey.calendar.completed(text, direction) {
      report.completedDays.insert(completed)
    }
  }

  /// Returns the date of a batch; `made` or `packed` before the day says that it is no last day.
  mutating func packageDate(_ cell: ImportCell?) -> ExpiryInfo? {
    guard let cell else { return nil }
    let kinds: [(word: String, kind: DateKind)] = [
      ("made ", .manufactured), ("packed ", .packaged),
    ]
    let origin = kinds.first { fold(cell.text).hasPrefix($0.word) }
    let rest = String(cell.text.dropFirst(origin?.word.count ?? 0))
    return day(ImportCell(field: cell.field, raw: rest, offset: cell.offset))
      .map { ExpiryInfo(origin?.kind ?? .expiry, $0) }
  }

  /// Whether two moments look the same in a table, which has minutes only.
  func isSameMinute(_ one: Instant, _ other: Instant) -> Bool {
    survey.calendar.text(of: one) == survey.calendar.text(of: other)
  }

  mutating func flag(_ cell: ImportCell?) -> Bool? {
    cell.flatMap { value(Self.flag($0.text), $0, ImportMistake.Reason.flag) }
  }

  private static func flag(_ text: String) -> Bool? {
    switch fold(text) {
    case "yes", "true", "1", "y", "x", "[x]", "✓", "✔", "✅", "☑", "☒", "ja", "wahr", "oui", "vrai",
      "si",
      "ya", "done", "bought", "checked", "ticked", "crossed off", "erledigt", "gekauft":
      true
    case "no", "false", "0", "n", "", "-", "[ ]", "☐", "nein", "falsch", "non", "faux", "tidak",
      "open",
      "unchecked", "offen":
      false
    default: nil
    }
  }

  mutating func unit(_ cell: ImportCell?) -> Unit? {
    cell.flatMap { value(unit(written: $0.text), $0, ImportMistake.Reason.unit) }
  }

  /// Returns a unit as people type it, or as the household's files spell one of its own, such as
  /// `packungen` or `Ähre`; nil if it is none.
  mutating func unit(written text: String) -> Unit? {
    guard let unit = Unit(typed: text) else { return nil }
    if let own = Unit(rawValue: text), own != unit, ownUnits.contains(own) { return own }
    return unit
  }

  mutating func days(_ cell: ImportCell?) -> Number? {
    cell.flatMap {
      value(HouseholdCalendar.length(typed: $0.text), $0, ImportMistake.Reason.length)
    }.map { Number($0) }
  }

  mutating func currency(_ cell: ImportCell?) -> String? {
    cell.flatMap { cell in
      let code = cell.text.uppercased()
      let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (65...90).contains($0) }
      return value(isCode ? code : nil, cell, ImportMistake.Reason.currency)
    }
  }

  /// Returns the ids of the products that a cell names by ids or barcodes.
  mutating func products(_ cell: ImportCell?, for own: Entity?) -> [String] {
    guard let cell else { return [] }
    var ids: [String] = []
    for text in Self.parts(cell.text) {
      guard let id = product(text, cell) else { return [] }
      if let holder = Stock(edit.after).item(ofProduct: id), holder.id != own?.id {
        let error = RuleError.productIsClaimed(
          text, item: holder.title, isArchived: holder.isTombstone)
        note(.rule(error), at: cell.offset)
        return []
      }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  private mutating func product(_ text: String, _ cell: ImportCell) -> String? {
    if edit.after[.product, text] != nil { return text }
    guard isBarcode(text, cell) else { return nil }
    guard let barcode = Barcode(written: text) else { return text }
    return names.product(with: barcode) ?? (text.hasPrefix("ean_") ? text : barcode.productID)
  }

  /// Returns the barcode numbers in a cell.
  mutating func barcodes(_ cell: ImportCell?) -> [String] {
    let numbers = cell.map { Self.parts($0.text) } ?? []
    guard let cell, numbers.allSatisfy({ isBarcode($0, cell) }) else { return [] }
    return numbers.map { Barcode.digits(of: $0) }
  }

  /// Whether a number may be that of a product: false, with a mistake, if a spreadsheet rounded it or
  /// if it is no sound barcode.
  private mutating func isBarcode(_ text: String, _ cell: ImportCell) -> Bool {
    if Self.isRounded(text) {
      note(.rounded(text), at: cell.offset)
      return false
    }
    guard let barcode = Barcode(written: text), !barcode.isSound else { return true }
    note(.rule(.badBarcode(text)), at: cell.offset)
    return false
  }

  /// Returns the ids or numbers in a cell, separated by semicolons or commas.
  private static func parts(_ text: String) -> [String] {
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
  private static func isRounded(_ text: String) -> Bool {
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
