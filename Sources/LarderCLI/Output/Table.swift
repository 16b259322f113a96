/// Rows of cells under titled columns, for people.
struct Table: Sendable {
  /// The side of its column on which a text is aligned.
  enum Alignment: Sendable {
    case left
    case right
  }

  /// The importance of a column if not all columns fit.
  enum Need: Int, Sendable {
    /// Dropped before usual texts of other columns are cut; an example is a path.
    case least
    /// Dropped before important columns don't fit; an example is a category.
    case little
    case some
    /// Never dropped.
    case most
  }

  /// The layout of a column.
  struct Layout: Sendable {
    var title: String
    var alignment: Alignment = .left
    var style: Style?
    /// The width that a narrow terminal does not reduce further.
    var minimumWidth = 8
    /// The width at which a terminal cuts texts.
    var maximumWidth: Int?
    /// Whether it is only decorative, such as a bar, and omitted without a terminal.
    var isOnlyForTerminals = false
    /// Whether its texts must not be cut, because a part would be misread, as of a date or an
    /// amount.
    var isWhole: Bool
    var need: Need

    init(
      _ title: String, _ alignment: Alignment = .left, style: Style? = nil, minimumWidth: Int = 8,
      maximumWidth: Int? = nil, isOnlyForTerminals: Bool = false, isWhole: Bool = false,
      need: Need = .some
    ) {
      self.title = title
      self.alignment = alignment
      self.style = style
      self.minimumWidth = minimumWidth
      self.maximumWidth = maximumWidth
      self.isOnlyForTerminals = isOnlyForTerminals
      self.isWhole = isWhole || alignment == .right
      self.need = isOnlyForTerminals ? .least : need
    }
  }

  /// A text with an optional style that replaces the column's.
  struct Cell: Sendable, ExpressibleByStringInterpolation {
    var text: String
    var style: Style?

    init(_ text: String, _ style: Style? = nil) {
      self.text = text
      self.style = style
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  let columns: [Layout]
  /// The cells of the rows, one for each column, in parts that are drawn on all cores.
  let parts: [TableCells]
  /// The columns that are drawn.
  private(set) var shown: [Int]

  init(columns: [Layout], parts: [TableCells]) {
    self.columns = columns
    self.parts = parts
    shown = Array(columns.indices)
  }

  /// Creates a table of rows; missing cells are empty.
  init(columns: [Layout], rows: [[Cell]] = []) {
    var cells = TableCells(columns: columns.count)
    for row in rows {
      for column in columns.indices {
        cells.append(row.indices.contains(column) ? row[column] : Cell(""))
      }
    }
    self.init(columns: columns, parts: rows.isEmpty ? [] : [cells])
  }

  /// The table without the columns that are empty in every row.
  var withoutEmptyColumns: Table {
    var table = self
    table.shown.removeAll { column in parts.allSatisfy { $0.widths[column] == 0 } }
    return table
  }
}
