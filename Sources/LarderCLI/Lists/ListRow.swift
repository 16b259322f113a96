import LarderJSON
import LarderKit
import LarderModel

/// One row of a list, in each form of output.
protocol ListRow {
  /// The entities of the row: one, or several for a lot with several files.
  var entities: [Entity] { get }
  /// Returns the row as a record.
  func fields(in survey: Survey) -> [String]
  /// Returns the entities as JSON, with computed values.
  func json(in survey: Survey) -> [JSON]
}

extension Output {
  /// Prints a list; `none` is the text for people if it is empty.
  func list<Row: ListRow>(
    _ rows: [Row], in survey: Survey, none: String = "nothing to show", _ table: ([Row]) -> Table
  ) {
    switch mode {
    case .json: json([JSONMember("items", .array(rows.flatMap { $0.json(in: survey) }))])
    case .plain:
      for row in rows {
        record(row.fields(in: survey) + [survey.standing(of: row)].compactMap { $0?.rawValue })
      }
    case .human:
      if rows.isEmpty { note(none) }
      var table = table(rows)
      if survey.cloud != nil {
        table.columns.append(.init("Sync"))
        for (index, row) in rows.enumerated() {
          let standing = survey.standing(of: row)
          table.rows[index].append(.init(standing?.rawValue ?? "", standing?.style))
        }
      }
      self.table(table.withoutEmptyColumns)
    }
  }
}

extension Survey {
  /// Returns the sync state of a row, which is the worst of its entities; nil if it was not
  /// requested.
  fileprivate func standing(of row: some ListRow) -> CloudState.Standing? {
    cloud.flatMap { cloud in
      let standings = row.entities.map { cloud[$0.key] }
      return CloudState.Standing.allCases.last { standings.contains($0) }
    }
  }
}

extension CloudState.Standing {
  fileprivate var style: Style {
    switch self {
    case .synced: .dim
    case .pending, .syncing: .yellow
    case .failed, .parked: .red
    }
  }
}
