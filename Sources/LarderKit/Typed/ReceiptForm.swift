public import LarderModel

/// A receipt as a text that people write in an editor.
///
///     Shop: Greenway Market
///     Paid: 2026-11-20 18:30
///     Amount: 23.05 EUR
///
///     2 l Milk @@ 3.30
///     12 Eggs @@ 2.99
///     1 Jam
///
/// A thing is an amount, a name, and the price of one after `@` or of all after `@@`; the amount and
/// the price may be missing. A name that would be read differently is in double quotes. Empty lines, and lines that begin with
/// `#`, are ignored.
public struct ReceiptForm: Equatable, Sendable {
  /// The shop; empty if it is not known yet.
  public var shop: String
  /// The time of the payment, to the minute; nil if it is missing.
  public var paid: Instant?
  public var amount: TypedMoney?
  /// How the day of the payment was completed, if that is far away.
  public internal(set) var completedDay: CompletedDay?
  public var lines: [TypedLine]

  public init(
    shop: String = "", paid: Instant? = nil, amount: TypedMoney? = nil, lines: [TypedLine] = []
  ) {
    self.shop = shop
    self.paid = paid
    self.amount = amount
    self.lines = lines
  }

  /// Creates the form of a receipt.
  public init(of receipt: Receipt, in survey: Survey) {
    shop = formName(receipt.shop)
    paid = survey.calendar.instant(typed: survey.calendar.text(of: receipt.timestamp))
    amount = receipt.amount.map { TypedMoney($0, receipt.currency) }
    lines = receipt.lines.map { line in
      let item = line.itemID.flatMap { survey.household[.stockItem, $0] }
      let quantity = Quantity(line.quantity, line.unit ?? item?.unit ?? .piece)
      return TypedLine(
        formName(line.itemName), quantity: TypedQuantity(shown: quantity), price: line.price)
    }
  }

  /// The words before the header fields.
  enum Field: String, CaseIterable {
    case shop = "Shop"
    case paid = "Paid"
    case amount = "Amount"
  }
}

extension ReceiptForm {
  /// Returns the text, with remarks at its end, followed by things that may be added.
  ///
  /// `doubts` has remarks above lines, by their places.
  public func text(
    in survey: Survey, remarks: [String] = [], offers: [TypedLine] = [],
    doubts: [Int: String] = [:]
  ) -> String {
    let reader = ReceiptFormReader(survey)
    let time = paid.map { survey.calendar.text(of: $0) }
    let fields: [(Field, String?)] = [
      (.shop, shop), (.paid, time), (.amount, amount?.description),
    ]
    let written = fields.map { field, value in spaced("\(field.rawValue): \(value ?? "")") }
    let offered =
      offers.isEmpty ? [] : ["", "On the shopping list; remove the # before what was bought:"]
    let notes =
      remarks.map(spaced) + offered + offers.map { text(of: $0, reader) }
    let things = lines.enumerated().flatMap { place, line in
      [doubts[place].map { spaced("# \($0)") }, text(of: line, reader)].compactMap(\.self)
    }
    let parts = [written, things, notes.map { spaced("# \($0)") }]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  /// Returns a line.
  ///
  /// The name is in quotes if the line would be read differently without them, or if an amount
  /// stands before a name that begins with a number.
  private func text(of line: TypedLine, _ reader: ReceiptFormReader) -> String {
    let quantity = line.quantity.map { Quantity($0.value, $0.unit ?? .piece).description + " " }
    let price =
      line.price.map { (line.isEach ? " @ " : " @@ ") + TypedMoney($0, amount?.currency).number }
      ?? ""
    let plain = (quantity ?? "") + line.name + price
    let hasNumbers = line.quantity != nil && line.name.first?.isNumber ?? false
    guard !hasNumbers, reader.thing(plain) == line else {
      return (quantity ?? "") + QuotedName.text(line.name) + price
    }
    return plain
  }

  /// The mistakes in a form's text, each with its line.
  public struct Mistakes: Error {
    public let all: [Mistake]
  }

  public struct Mistake: Error, Equatable {
    /// The number of the line, from 1; nil if a line is missing.
    public let number: Int?
    /// The line.
    public let text: String
    public let reason: Reason
  }

  public enum Reason: Error, Equatable {
    case noShop
    case noMoment
    case badAmount(TypedMoney.Mistake)
    case amountBelowZero
    case fieldTwice
    case badLine(TypedLine.Mistake)
    /// The line has more than ``longestLine`` bytes.
    case longLine
  }

  /// Whether a text has only empty lines and remarks.
  public static func isEmpty(_ text: String) -> Bool {
    ReceiptFormReader.lines(of: text).allSatisfy(\.text.isEmpty)
  }

  /// Reads a text.
  public init(_ text: String, in survey: Survey) throws(Mistakes) {
    self = try ReceiptFormReader(survey).form(text)
  }
}

/// The reader of a receipt's form.
///
/// It reads Unicode scalars, because a combining accent after a quote is not part of the quote.
struct ReceiptFormReader {
  private let survey: Survey
  private let amounts: TypedThings

  init(_ survey: Survey) {
    self.survey = survey
    amounts = TypedThings([], kind: .stockItem, in: survey, splitting: .byFullNames)
  }

  /// Returns the lines with their numbers; a remark becomes an empty text.
  static func lines(of text: String) -> [(number: Int, text: String)] {
    let plain =
      text.unicodeScalars.first == "\u{FEFF}"
      ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
    let lines = plain.split(omittingEmptySubsequences: false) { $0 == "\n" }
    return lines.enumerated().map { index, line in
      let line = spaced(String(String.UnicodeScalarView(line)))
      return (index + 1, line.unicodeScalars.first == "#" ? "" : line)
    }
  }

  func form(_ text: String) throws(ReceiptForm.Mistakes) -> ReceiptForm {
    var form = ReceiptForm()
    var seen: Set<ReceiptForm.Field> = []
    var mistakes: [ReceiptForm.Mistake] = []
    for (number, text) in Self.lines(of: text) where !text.isEmpty {
      do throws(ReceiptForm.Reason) {
        guard text.utf8.count <= longestLine else { throw .longLine }
        if let (field, value) = Self.field(text) {
          guard seen.insert(field).inserted else { throw .fieldTwice }
          try read(value, as: field, into: &form)
        } else {
          form.lines.append(try line(bulleted: text))
        }
      } catch {
        mistakes.append(ReceiptForm.Mistake(number: number, text: text, reason: error))
      }
    }
    if !seen.contains(.shop) {
      mistakes.append(ReceiptForm.Mistake(number: nil, text: "", reason: .noShop))
    }
    guard mistakes.isEmpty else { throw ReceiptForm.Mistakes(all: mistakes) }
    return form
  }

  /// Returns the field at the beginning of a line, and its value; nil if the line is a thing.
  private static func field(_ text: String) -> (ReceiptForm.Field, String)? {
    let scalars = text.unicodeScalars
    guard let colon = scalars.firstIndex(of: ":"),
      let field = ReceiptForm.Field.allCases.first(where: { field in
        fold(field.rawValue) == fold(String(scalars[..<colon]))
      })
    else { return nil }
    return (field, spaced(String(scalars[scalars.index(after: colon)...])))
  }

  private func read(
    _ value: String, as field: ReceiptForm.Field, into form: inout ReceiptForm
  ) throws(ReceiptForm.Reason) {
    switch field {
    case .shop:
      guard !value.isEmpty else { throw .noShop }
      form.shop = value
    case .paid where !value.isEmpty:
      // The format can't store some moments.
      guard let moment = survey.calendar.instant(typed: value),
        Instant(moment.description) == moment
      else { throw .noMoment }
      form.paid = moment
      form.completedDay = survey.calendar.completed(value, .back)
    case .amount where !value.isEmpty: form.amount = try amount(value)
    case .paid, .amount: break
    }
  }

  private func amount(_ text: String) throws(ReceiptForm.Reason) -> TypedMoney {
    let money: TypedMoney
    money = try mapError(
      try TypedMoney(text, in: survey.household.own?.currency), ReceiptForm.Reason.badAmount)
    guard money.amount >= .zero else { throw .amountBelowZero }
    return money
  }

  /// Returns the thing on a line; nil if the line has none.
  func thing(_ text: String) -> TypedLine? {
    guard let line = Self.lines(of: text).first?.text, !line.isEmpty, Self.field(line) == nil else {
      return nil
    }
    return try? self.line(bulleted: line)
  }

  /// Reads a thing, without a bullet before it.
  private func line(bulleted text: String) throws(ReceiptForm.Reason) -> TypedLine {
    let words = text.split(separator: " ")
    let isBulleted = words.count > 1 && ["-", "*", "•"].contains(words[0])
    return try mapError(
      try line(isBulleted ? words.dropFirst().joined(separator: " ") : text),
      ReceiptForm.Reason.badLine)
  }

  private func line(_ text: String) throws(TypedLine.Mistake) -> TypedLine {
    if let line = try quoted(text) { return line }
    let (thing, price, isEach) = TypedLine.splitPrice(text)
    guard !thing.isEmpty else { throw .noName }
    guard let price else { return try unpriced(thing) }
    var line = try counted(thing)
    line.price = try TypedLine.price(price)
    line.isEach = isEach
    return line
  }

  /// Reads a line without `@`, where a sum with a currency at the end is the price.
  private func unpriced(_ text: String) throws(TypedLine.Mistake) -> TypedLine {
    if amounts.names.hasFull(text) { return TypedLine(text) }
    let words = text.split(separator: " ").map(String.init)
    for count in 1...2 where words.count > count {
      let written = words.suffix(count).joined(separator: " ")
      guard isSum(written) else { continue }
      var line = try counted(words.dropLast(count).joined(separator: " "))
      line.price = try TypedLine.price(written)
      return line
    }
    let line = try counted(text)
    // The number may belong to the name of an item, as in `2 Cola 1,25`.
    guard let (before, price) = TypedLine.priceBehind(text),
      !line.name.hasSuffix(price) || !amounts.names.hasFull(line.name)
    else { return line }
    throw .noPriceSign(before, price)
  }

  /// Whether a text is a number with the sign of a currency, or with the code of the household's
  /// currency.
  private func isSum(_ text: String) -> Bool {
    let own = survey.household.own?.currency
    guard text.contains(where: \.isNumber), let money = try? TypedMoney(text, in: own) else {
      return false
    }
    return text.contains(where: \.isCurrencySymbol) || own != nil && money.currency == own
  }

  /// Reads a thing with a quoted name, from the first quote to the last; nil without quotes.
  ///
  /// Only the price may follow the name.
  private func quoted(_ text: String) throws(TypedLine.Mistake) -> TypedLine? {
    guard let quoted = QuotedName(text) else { return nil }
    let (rest, price, isEach) = TypedLine.splitPrice(quoted.behind)
    guard rest.isEmpty else { return nil }
    guard !quoted.name.isEmpty else { throw .noName }
    var line = TypedLine(quoted.name)
    if !quoted.before.isEmpty { line.quantity = try TypedLine.quantity(quoted.before) }
    line.price = try price.map(TypedLine.price)
    line.isEach = isEach
    return line
  }

  /// Reads a name, with an amount before or after it if there is one.
  private func counted(_ text: String) throws(TypedLine.Mistake) -> TypedLine {
    let words = text.split(separator: " ").map(String.init)
    guard let counted = amounts.counted(words), counted.isLeading || !counted.isUnsure else {
      if let alone = try? TypedAmount(text), alone != .all, !amounts.names.hasFull(text) {
        throw .noName
      }
      return TypedLine(text)
    }
    switch counted.amount.value {
    // As in `Flour for all`.
    case .success(.all): return TypedLine(text)
    case .success(.quantity(let quantity)):
      guard !counted.name.isEmpty else { throw .noName }
      guard quantity.value >= .zero else { throw .belowZero }
      return TypedLine(counted.name, quantity: quantity)
    case .failure(let mistake): throw .badQuantity(mistake)
    }
  }
}

/// Returns a name as forms show it: on one line with single spaces, without characters that control
/// a terminal or reorder the text.
func formName(_ name: String) -> String {
  if name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return name }
  var scalars = String.UnicodeScalarView()
  for scalar in name.unicodeScalars {
    switch scalar.value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: scalars.append(" ")
    case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: break
    default: scalars.append(scalar)
    }
  }
  return spaced(String(scalars))
}

/// Text in double quotes, which forms write around a name that would be read differently.
///
/// It goes from the first quote to the last one, so a name may have quotes in it. It is found by
/// Unicode scalars, because a combining accent behind a quote is not part of the quote.
struct QuotedName {
  let before: String
  let name: String
  let behind: String

  /// Reads a text; nil without two quotes.
  init?(_ text: String) {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(of: "\""), let last = scalars.lastIndex(of: "\""),
      first != last
    else { return nil }
    before = spaced(String(scalars[..<first]))
    name = spaced(String(scalars[scalars.index(after: first)..<last]))
    behind = spaced(String(scalars[scalars.index(after: last)...]))
  }

  /// Returns a name in quotes.
  static func text(_ name: String) -> String { "\"\(name)\"" }
}

/// Returns a text on one line, with single spaces.
func spaced(_ text: String) -> String {
  let words = text.unicodeScalars.split { $0.properties.isWhitespace }
  return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
}
