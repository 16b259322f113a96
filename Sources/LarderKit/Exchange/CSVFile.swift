internal import LarderModel

/// A file of a spreadsheet whose headings are understood.
public struct CSVFile: Sendable {
  public let table: ExchangeTable
  /// The headings of columns that are not read, because the table does not have them.
  public private(set) var unreadHeadings: [String] = []
  let text: [UInt8]
  let separator: UInt8
  /// The column of each cell of a row; nil for one that is not read.
  let columns: [FieldName?]
  let start: Int

  /// The largest file, in bytes.
  public static let mostBytes = 64 << 20
  /// The largest number of rows.
  ///
  /// Ten years of a household's receipts have a fifth of them.
  public static let mostRows = 200_000
  /// The largest number of columns.
  static let mostColumns = 1_000
  /// The largest number of new things in one commit; for a shopping list it is smaller.
  public var mostNew: Int { table == .shopping ? 2_000 : 20_000 }

  /// Reads the headings of a file.
  ///
  /// If `table` is nil, it is guessed from them. `map` gives the column of a heading that Larder
  /// does not know; an empty name leaves the column out. The separator is a comma, a semicolon or a
  /// tab.
  public init(
    _ bytes: [UInt8], table: ExchangeTable? = nil, map: [String: String] = [:],
    encoding: TextEncodingName? = nil
  ) throws(ImportMistakes) {
    text = try mapError(try TextEncodingName.decoded(bytes, as: encoding)) {
      ImportMistakes(.decoding($0))
    }
    let (separator, begin) = Self.separator(of: text)
    var reader = CSVReader(text, separator: separator, from: begin)
    guard let row = reader.next() else { throw ImportMistakes(.empty) }
    guard row.count <= Self.mostColumns else {
      throw ImportMistakes(.tooManyColumns(row.count, most: Self.mostColumns))
    }
    var headings = row.map { CSVWriter.restored($0.text) }
    for (heading, field) in map {
      let places = headings.indices.filter { fold(headings[$0]) == fold(heading) }
      guard !places.isEmpty else {
        throw ImportMistakes(.noSuchColumn(heading, known: headings))
      }
      for place in places { headings[place] = field }
    }
    let table = table ?? ExchangeTable.guess(headings)
    for (heading, field) in map where !field.isEmpty && table.field(headed: field) == nil {
      let others = ExchangeTable.allCases.filter { $0.field(headed: field) != nil }
      throw ImportMistakes(.notInTable(field, heading: heading, table, others: others))
    }
    self.table = table
    self.separator = separator
    start = reader.position
    columns = try Self.columns(headings, row, table, text)
    guard columns.contains(where: { $0 != nil }) else {
      throw ImportMistakes(.noKnownColumn(headings))
    }
    for (heading, field) in zip(headings, columns) where field == nil && !heading.isEmpty {
      unreadHeadings.append(heading)
    }
    guard unreadHeadings.isEmpty || columns.contains(.id) || !lacksAmounts else {
      throw ImportMistakes(.noAmounts(unread: unreadHeadings))
    }
  }

  /// Whether the table counts its things, but no column says how much there is.
  private var lacksAmounts: Bool {
    table.amountField.map { !columns.contains($0) } ?? false
  }

  /// Returns the column of each heading.
  ///
  /// If one heading is Larder's own name of a column, a guess for that column does not count.
  private static func columns(
    _ headings: [String], _ row: [CSVField], _ table: ExchangeTable, _ text: [UInt8]
  ) throws(ImportMistakes) -> [FieldName?] {
    let found = headings.map { table.field(headed: $0) }
    let own = Set(found.compactMap { $0.flatMap { $0.isOwn ? $0.field : nil } })
    let columns = found.map { found in
      found.flatMap { $0.isOwn || !own.contains($0.field) ? $0.field : nil }
    }
    var first: [FieldName: String] = [:]
    var mistakes = ImportMistakes()
    for (index, field) in columns.enumerated() {
      guard let field else { continue }
      if let known = first[field] {
        mistakes.note(
          ImportMistake(.columnTwice(field, first: known)).at(row[index].offset, in: text))
      } else {
        first[field] = headings[index]
      }
    }
    try mistakes.refuse()
    return columns
  }

  /// Returns the separator, and the offset where the headings begin.
  ///
  /// A first line such as `sep=;` says the separator; the headings follow it.
  private static func separator(of text: [UInt8]) -> (UInt8, start: Int) {
    let known = [UInt8(ascii: ","), UInt8(ascii: ";"), 9]
    let line = text.prefix { $0 != 10 && $0 != 13 }
    if line.count == 5, line.starts(with: Array("sep=".utf8)), known.contains(line[4]) {
      return (line[4], line.count)
    }
    var counts = [Int](repeating: 0, count: 256)
    var isQuoted = false
    for byte in text {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == 10, !isQuoted { break }
      if !isQuoted { counts[Int(byte)] += 1 }
    }
    return (known.max { counts[Int($0)] < counts[Int($1)] } ?? known[0], 0)
  }
}

extension ImportMistake {
  /// Returns the mistake with the line and column of an offset in a file.
  func at(_ offset: Int, in text: [UInt8], line: Int? = nil) -> ImportMistake {
    var mistake = self
    let end = min(offset, text.count)
    let start = text[..<end].lastIndex(of: 10).map { $0 + 1 } ?? 0
    mistake.line = line ?? text[..<end].count { $0 == 10 } + 1
    mistake.column = text[start..<end].count { $0 & 0xC0 != 0x80 } + 1
    let rest = text[start...].prefix(Self.longestSource + 1).prefix { $0 != 10 && $0 != 13 }
    // Very long lines are not shown, such as JSON that a program wrote without line breaks.
    if rest.count <= Self.longestSource { mistake.source = String(decoding: rest, as: UTF8.self) }
    return mistake
  }
}

/// A cell of an imported row.
struct ImportCell {
  let field: FieldName
  /// The text in the file.
  let raw: String
  let offset: Int

  /// The text without the apostrophe of a defused formula, and without white space around it.
  var text: String { trimmed(CSVWriter.restored(raw)) }

  /// The cell; nil if it is empty.
  var filled: ImportCell? { text.isEmpty ? nil : self }

  /// The text as a field's value; nil if it is empty.
  var json: JSON? { text.isEmpty ? nil : .string(text) }
}

/// A row of an imported table, with its cells in the columns that are read.
struct ImportRow {
  /// The offset of the row's first byte.
  let offset: Int
  private let cells: [ImportCell]

  init(_ fields: [CSVField], _ columns: [FieldName?]) {
    offset = fields.first?.offset ?? 0
    cells = zip(fields, columns).compactMap { field, column in
      column.map { ImportCell(field: $0, raw: field.text, offset: field.offset) }
    }
  }

  subscript(field: FieldName) -> ImportCell? { cells.first { $0.field == field } }

  /// Returns the offset of a column's cell, or else that of the row.
  func offset(of field: FieldName?) -> Int { field.flatMap { self[$0] }?.offset ?? offset }

  /// The cell of a column; nil if it is empty or not there.
  func cell(_ field: FieldName) -> ImportCell? {
    self[field]?.filled
  }

  /// The text of a cell; nil if it is empty or not there.
  func text(_ field: FieldName) -> String? { cell(field)?.text }

  /// The texts of all cells but those of some columns, one after the other.
  func text(besides fields: Set<FieldName>) -> String {
    cells.filter { !fields.contains($0.field) }.map(\.text).joined(separator: "\n")
  }

  /// Whether the row names its thing by an id.
  var hasID: Bool { text(.id) != nil }

  var isEmpty: Bool { cells.allSatisfy { $0.text.isEmpty } }

  /// Returns the cells that differ from the known ones.
  ///
  /// An empty cell counts only if the row has an id.
  func news(over known: [FieldName: CSVCell]) -> [ImportCell] {
    cells.filter { cell in
      guard cell.field != .id, let own = known[cell.field]?.written, cell.raw != own else {
        return false
      }
      if cell.text.isEmpty, !hasID { return false }
      let known = trimmed(CSVWriter.restored(own))
      return cell.text != known && !cell.text.isNumber(of: known)
    }
  }
}

extension String {
  /// Whether a spreadsheet removed the zeros at the beginning of `digits`: `7` of `007`.
  fileprivate func isNumber(of digits: String) -> Bool {
    !isEmpty && digits.utf8.first == UInt8(ascii: "0") && utf8.count < digits.utf8.count
      && digits.utf8.allSatisfy { (48...57).contains($0) }
      && (self == "0" || utf8.first != UInt8(ascii: "0"))
      && digits.hasSuffix(self) && digits.utf8.dropLast(utf8.count).allSatisfy { $0 == 48 }
  }
}

/// Returns a text without white space around it, and with LF alone at the end of its lines.
private func trimmed(_ text: String) -> String {
  var scalars = text.unicodeScalars[...]
  while scalars.first?.properties.isWhitespace ?? false { scalars.removeFirst() }
  while scalars.last?.properties.isWhitespace ?? false { scalars.removeLast() }
  let rest = String(String.UnicodeScalarView(scalars))
  return rest.utf8.contains(13) ? rest.replacing("\r\n", with: "\n") : rest
}
