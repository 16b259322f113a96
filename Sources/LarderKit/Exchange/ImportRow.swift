internal import LarderModel

/// A cell of an imported row.
struct ImportCell {
  let field: FieldName
  /// The text in the file.
  let raw: String
  let offset: Int

  /// The text without the apostrophe of a defused formula, and without white space around it.
  var text: String { trimmed(CSVWriter.restored(raw)) }
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

  /// The text of a cell; nil if it is empty or not there.
  func text(_ field: FieldName) -> String? {
    self[field].flatMap { $0.text.isEmpty ? nil : $0.text }
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
