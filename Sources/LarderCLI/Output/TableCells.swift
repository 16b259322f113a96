/// Rows of cells of a table, with their sanitised texts in one place.
///
/// A text of its own for each cell would cost a long list more than anything else.
struct TableCells: Sendable {
  private struct Place {
    /// The end of its text, which begins where the text before it ends.
    let end: Int
    let width: Int
    let style: Style?
  }

  /// A sanitised text with its display width.
  struct Cell {
    var text: ArraySlice<UInt8>
    var width: Int
    let style: Style?
  }

  private var texts: [UInt8] = []
  private var places: [Place] = []
  /// The width of the widest text in each column.
  private(set) var widths: [Int]

  init(columns: Int) {
    widths = Array(repeating: 0, count: columns)
  }

  /// Adds the cell of the next column, or of the first one of the next row.
  mutating func append(_ cell: Table.Cell) {
    var text = cell.text
    let width: Int
    if let plain = plainWidth(text) {
      width = plain
    } else {
      text = sanitize(text)
      width = displayWidth(text)
    }
    text.withUTF8 { texts.append(contentsOf: $0) }
    let column = places.count % widths.count
    widths[column] = max(widths[column], width)
    places.append(Place(end: texts.count, width: width, style: cell.style))
  }

  /// The place of the first cell of each row.
  var rows: StrideTo<Int> { stride(from: 0, to: places.count, by: max(widths.count, 1)) }

  /// Returns a cell by its place.
  subscript(place: Int) -> Cell {
    let cell = places[place]
    let start = place == 0 ? 0 : places[place - 1].end
    return Cell(text: texts[start..<cell.end], width: cell.width, style: cell.style)
  }
}
