extension Table {
  /// The same table without the columns in which no row has anything.
  var withoutEmptyColumns: Table {
    let kept = columns.indices.filter { column in
      rows.contains { !cell($0, column).text.isEmpty }
    }
    return Table(
      columns: kept.map { columns[$0] }, rows: rows.map { row in kept.map { cell(row, $0) } })
  }
}
