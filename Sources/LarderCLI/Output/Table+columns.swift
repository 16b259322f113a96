extension Table {
  /// The table without the columns that are empty in every row.
  var withoutEmptyColumns: Table {
    let kept = columns.indices.filter { column in
      rows.contains { !cell($0, column).text.isEmpty }
    }
    return Table(
      columns: kept.map { columns[$0] }, rows: rows.map { row in kept.map { cell(row, $0) } })
  }
}
