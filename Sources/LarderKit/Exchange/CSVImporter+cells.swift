internal import LarderJSON
internal import LarderModel

/// Reading cells. If a text can't be read, each function notes a mistake and returns nil.
extension CSVImporter {
  /// Returns the value of a cell; nil without a cell.
  ///
  /// Sets `isSound` to false if it can't be read.
  mutating func read<Value>(
    _ cell: ImportCell?, _ isSound: inout Bool, _ body: (inout CSVImporter, ImportCell) -> Value?
  ) -> Value? {
    guard let cell else { return nil }
    let value = body(&self, cell)
    if value == nil { isSound = false }
    return value
  }

  /// Returns a quantity, with a unit if the cell has one.
  mutating func quantity(_ cell: ImportCell) -> TypedQuantity? {
    if let thousands = thousands(in: cell.text) {
      note(
        .amount(cell.text, .comma(decimal: cell.text, thousands: thousands)), at: cell.offset)
      return nil
    }
    do throws(TypedQuantity.Mistake) {
      return try TypedQuantity(plain(cell.text))
    } catch {
      note(isRounded(cell.text) ? .rounded(cell.text) : .amount(cell.text, error), at: cell.offset)
      return nil
    }
  }

  /// Returns a number in `unit`, which must not be below zero.
  ///
  /// A cell without a unit of its own is in `written`, the row's unit, or in `unit` if that is nil.
  mutating func number(
    _ cell: ImportCell, written: Unit? = nil, in unit: Unit, of title: String
  ) -> Number? {
    guard let typed = quantity(cell) else { return nil }
    let quantity = typed.quantity(in: written ?? unit)
    guard quantity.value >= .zero else {
      note(.rule(.belowZero(quantity)), at: cell.offset)
      return nil
    }
    guard let value = edit.after.counted(quantity, in: unit).converted(to: unit) else {
      note(.rule(.unitsDoNotConvert(of: title, quantity.unit, unit)), at: cell.offset)
      return nil
    }
    return value.rounded
  }

  mutating func money(_ cell: ImportCell) -> TypedMoney? {
    if let thousands = thousands(in: cell.text) {
      note(.money(cell.text, .comma(decimal: cell.text, thousands: thousands)), at: cell.offset)
      return nil
    }
    let isBelow = cell.text.hasPrefix("-")
    let text = plain(isBelow ? String(cell.text.dropFirst()) : cell.text)
    do throws(TypedMoney.Mistake) {
      let money = try TypedMoney(text, in: survey.household.own?.currency)
      return isBelow ? TypedMoney(-money.amount, money.currency) : money
    } catch {
      note(.money(cell.text, error), at: cell.offset)
      return nil
    }
  }

  mutating func day(_ cell: ImportCell) -> Day? {
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
      note(.day(cell.text, error), at: cell.offset)
      return nil
    }
  }

  /// Returns the date of a batch; `made` or `packed` before the day says that it is no last day.
  mutating func packageDate(_ cell: ImportCell) -> ExpiryInfo? {
    let kinds: [(word: String, kind: DateKind)] = [
      ("made ", .manufactured), ("packed ", .packaged),
    ]
    let origin = kinds.first { fold(cell.text).hasPrefix($0.word) }
    let rest = String(cell.text.dropFirst(origin?.word.count ?? 0))
    return day(ImportCell(field: cell.field, raw: rest, offset: cell.offset))
      .map { ExpiryInfo(origin?.kind ?? .expiry, $0) }
  }

  mutating func moment(_ cell: ImportCell) -> Instant? {
    do throws(DayMistake) {
      let moment = try survey.calendar.instant(reading: cell.text)
      if let completed = survey.calendar.completed(cell.text, .back) {
        report.completedDays.insert(completed)
      }
      return moment
    } catch {
      note(.day(cell.text, error), at: cell.offset)
      return nil
    }
  }

  /// Whether two moments look the same in a table, which has minutes only.
  func isSameMinute(_ one: Instant, _ other: Instant) -> Bool {
    survey.calendar.text(of: one) == survey.calendar.text(of: other)
  }

  mutating func flag(_ cell: ImportCell) -> Bool? {
    let flag = Self.flag(cell.text)
    if flag == nil { note(.flag(cell.text), at: cell.offset) }
    return flag
  }

  static func flag(_ text: String) -> Bool? {
    switch fold(text) {
    case "yes", "true", "1", "y", "x", "✓", "✔", "ja", "wahr", "oui", "vrai", "si", "ya": true
    case "no", "false", "0", "n", "", "nein", "falsch", "non", "faux", "tidak": false
    default: nil
    }
  }

  mutating func unit(_ cell: ImportCell) -> Unit? {
    let unit = unit(written: cell.text)
    if unit == nil { note(.unit(cell.text), at: cell.offset) }
    return unit
  }

  /// Returns a unit as people type it, or as the household's files spell one of its own, such as
  /// `packungen` or `Ähre`; nil if it is none.
  mutating func unit(written text: String) -> Unit? {
    guard let unit = Unit(typed: text) else { return nil }
    if let own = Unit(rawValue: text), own != unit, ownUnits.contains(own) { return own }
    return unit
  }

  mutating func days(_ cell: ImportCell) -> Number? {
    guard let days = HouseholdCalendar.length(typed: cell.text) else {
      note(.length(cell.text), at: cell.offset)
      return nil
    }
    return Number(days)
  }

  mutating func currency(_ cell: ImportCell) -> String? {
    let code = cell.text.uppercased()
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
      note(.currency(cell.text), at: cell.offset)
      return nil
    }
    return code
  }

  /// Returns the ids of the products that a cell names by ids or barcodes.
  mutating func products(_ cell: ImportCell, for own: Entity?) -> [String]? {
    var ids: [String] = []
    for text in parts(cell.text) {
      guard let id = product(text, cell) else { return nil }
      let holder = Stock(edit.after).item(ofProduct: id)
      if let holder, holder.id != own?.id {
        let error = RuleError.productIsClaimed(
          text, item: holder.title, isArchived: holder.isTombstone)
        note(.rule(error), at: cell.offset)
        return nil
      }
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  private mutating func product(_ text: String, _ cell: ImportCell) -> String? {
    guard edit.after[.product, text] == nil, let barcode = Barcode(written: text) else {
      guard !isRounded(text) else {
        note(.rounded(text), at: cell.offset)
        return nil
      }
      return text
    }
    guard barcode.isSound else {
      note(.rule(.badBarcode(text)), at: cell.offset)
      return nil
    }
    return names.product(with: barcode) ?? (text.hasPrefix("ean_") ? text : barcode.productID)
  }

  /// Returns the barcode numbers in a cell.
  mutating func barcodes(_ cell: ImportCell) -> [String]? {
    let numbers = parts(cell.text)
    for number in numbers {
      if isRounded(number) {
        note(.rounded(number), at: cell.offset)
        return nil
      }
      if let barcode = Barcode(written: number), !barcode.isSound {
        note(.rule(.badBarcode(number)), at: cell.offset)
        return nil
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
