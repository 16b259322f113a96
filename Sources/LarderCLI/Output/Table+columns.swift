extension Table {
  /// The table without the columns that are empty in every row.
  var withoutEmptyColumns: Table {
    let kept = columns.indices.filter { column in
      rows.contains { !cells[$0 + column].text.isEmpty }
    }
    guard kept.count < columns.count else { return self }
    return Table(
      columns: kept.map { columns[$0] },
      cells: rows.flatMap { row in kept.map { cells[row + $0] } })
  }
}
