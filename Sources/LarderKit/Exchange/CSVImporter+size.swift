import LarderModel

extension CSVImporter {
  /// Throws if the file has more rows, or more new things, than are imported at once.
  ///
  /// It only counts rows whose names or ids nothing here has, so it takes a moment where making them would
  /// take a minute, to be refused in the end.
  func refuseSize() throws(ImportMistakes) {
    var reader = CSVReader(file.text, separator: file.separator, from: file.start)
    var rows = 0
    var strangers: Set<String> = []
    // A row may mean one of these in other words.
    let known =
      [ExchangeTable.batches, .products, .shopping].contains(file.table)
      ? edit.after.all(file.table.kind).count : 0
    while let fields = reader.next() {
      rows += 1
      guard rows <= CSVFile.mostRows else {
        throw ImportMistakes(.tooManyRows(most: CSVFile.mostRows))
      }
      if let name = stranger(in: ImportRow(fields, file.columns)) { strangers.insert(name) }
      guard strangers.count - known <= file.mostNew else {
        throw ImportMistakes(.tooManyNew(most: file.mostNew))
      }
    }
  }

  /// Returns what tells the new thing of a row from those of other rows; nil if the row may have none.
  private func stranger(in row: ImportRow) -> String? {
    switch file.table {
    case .stock, .locations:
      guard !row.hasID, row.text(.itemID) == nil, let name = row.text(.name) else { return nil }
      return names[file.table.kind, name] == nil ? fold(name) : nil
    case .products:
      return row.text(.id).flatMap { edit.after[.product, $0] == nil ? $0 : nil }
    case .batches:
      // Batches of one item differ by their place, dates, code or notes.
      return row.hasID ? nil : row.text(besides: [.quantity, .unit])
    case .shopping:
      guard !row.hasID, let name = row.text(.name) else { return nil }
      return row.text(.itemID) ?? names[.stockItem, name]?.id ?? fold(name)
    case .receipts: return nil
    }
  }
}
