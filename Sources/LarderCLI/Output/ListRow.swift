import LarderJSON
import LarderKit
import LarderModel

/// One line of a list, in each form that lists have.
protocol ListRow {
  /// The things that the line is of: one, but for a lot that lies in several files.
  var entities: [Entity] { get }
  /// The line as a record.
  func fields(in survey: Survey) -> [String]
  /// The things as JSON, with what is computed.
  func json(in survey: Survey) -> [JSON]
}

extension Output {
  /// Shows a list; `none` is what people read where it is empty.
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
  /// How a line stands with the cloud, where that was asked for: as the worst of what it is of.
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
