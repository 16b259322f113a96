/// Rows of cells under titled columns, as a table for people and as records for scripts.
struct Table: Sendable {
  /// On which side of its column a text stands.
  enum Alignment: Sendable {
    case left
    case right
  }

  /// How a column is laid out.
  struct Column: Sendable {
    var title: String
    var alignment: Alignment = .left
    var style: Style?
    /// The width below which a narrow terminal doesn't press the column.
    var minimumWidth = 8
    /// The width above which texts are cut on a terminal.
    var maximumWidth: Int?
    /// Whether it is for the eye only, such as a bar, and left out where nobody looks.
    var isOnlyForTerminals = false

    init(
      _ title: String, _ alignment: Alignment = .left, style: Style? = nil, minimumWidth: Int = 8,
      maximumWidth: Int? = nil, isOnlyForTerminals: Bool = false
    ) {
      self.title = title
      self.alignment = alignment
      self.style = style
      self.minimumWidth = minimumWidth
      self.maximumWidth = maximumWidth
      self.isOnlyForTerminals = isOnlyForTerminals
    }
  }

  /// A text, in a style of its own where the column's isn't meant.
  struct Cell: Sendable, ExpressibleByStringInterpolation {
    var text: String
    var style: Style?

    init(_ text: String, _ style: Style? = nil) {
      self.text = text
      self.style = style
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  var columns: [Column]
  /// Each with a cell for every column; missing ones count as empty.
  var rows: [[Cell]] = []

  /// The rows as plain output: no header, and no columns that are for the eye only.
  var plainText: String {
    rows.map { row in
      plainRecord(
        columns.indices.filter { !columns[$0].isOnlyForTerminals }.map { cell(row, $0).text })
    }.joined()
  }

  /// The cell of a row in a column.
  func cell(_ row: [Cell], _ column: Int) -> Cell {
    column < row.count ? row[column] : Cell("")
  }
}
