extension String {
  /// The text for HTML and XML, as content or in an attribute with double quotes.
  ///
  /// It omits characters that XML forbids, control characters, and characters that reorder text. A
  /// line break becomes a space.
  var markup: String {
    var safe = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "&": safe.append(contentsOf: "&amp;".unicodeScalars)
      case "<": safe.append(contentsOf: "&lt;".unicodeScalars)
      case ">": safe.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": safe.append(contentsOf: "&quot;".unicodeScalars)
      case "'": safe.append(contentsOf: "&#39;".unicodeScalars)
      case "\t", "\n", "\r", "\u{2028}", "\u{2029}": safe.append(" ")
      case _ where scalar.isForbiddenInMarkup: break
      default: safe.append(scalar)
      }
    }
    return String(safe)
  }

  /// The text with at most a number of characters.
  ///
  /// If it is cut, the last one is an ellipsis.
  func shortened(to most: Int) -> String {
    count <= most ? self : String(prefix(most - 1)) + "…"
  }
}

extension Unicode.Scalar {
  fileprivate var isForbiddenInMarkup: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0xFDD0...0xFDEF: true
    default: value & 0xFFFE == 0xFFFE
    }
  }
}

/// A table in HTML, with a caption and headings for screen readers.
struct MarkupTable {
  struct Column {
    /// The content of a column's cells, which determines their alignment and whether they wrap.
    enum Content: String {
      case text = ""
      case number = "n"
      /// A number with words around it, aligned to the right.
      case words = "w"
      case day = "d"
    }

    let heading: String
    let content: Content

    init(_ heading: String, _ content: Content = .text) {
      self.heading = heading
      self.content = content
    }

    /// The attribute of the column's cells.
    var mark: String { content == .text ? "" : " class=\"\(content.rawValue)\"" }
  }

  let caption: String
  let columns: [Column]
  /// The rows; the first cell of each is its heading.
  let rows: [[String]]
  /// The last row, which has sums.
  var foot: [String]?

  /// The table without the columns that are empty in every row.
  var withoutEmptyColumns: MarkupTable {
    let kept = columns.indices.filter { index in
      index == 0 || rows.contains { !$0[index].isEmpty }
    }
    let cells = { (row: [String]) in kept.map { row[$0] } }
    return MarkupTable(
      caption: caption, columns: kept.map { columns[$0] }, rows: rows.map(cells),
      foot: foot.map(cells))
  }

  /// Returns the table as HTML.
  ///
  /// The caption is only for screen readers if it equals the heading above the table.
  func html(below heading: String) -> String {
    let mark = caption == heading ? " class=\"same\"" : ""
    let head = columns.map { column in
      "<th scope=\"col\"\(column.mark)>\(column.heading.markup)</th>"
    }
    let foot = foot.map { "<tfoot>\(row($0))</tfoot>" } ?? ""
    return """
      <table><caption\(mark)>\(caption.markup)</caption><thead><tr>\(head.joined())</tr></thead>
      <tbody>\(rows.map(row).joined(separator: "\n"))</tbody>\(foot)</table>
      """
  }

  private func row(_ cells: [String]) -> String {
    let marked = cells.enumerated().map { index, cell in
      if index == 0 {
        return "<th scope=\"row\"\(columns[0].mark)><bdi>\(cell.markup)</bdi></th>"
      }
      let column = columns[index]
      return column.content == .text
        ? "<td><bdi>\(cell.markup)</bdi></td>" : "<td\(column.mark)>\(cell.markup)</td>"
    }
    return "<tr>\(marked.joined())</tr>"
  }
}

/// The look of the report; people who see few colours can tell its colours apart too.
enum ReportStyle {
  /// The colours, in light and dark.
  static let colors = text(PackageResources.report_colors_css)
  /// The style of pictures.
  static let pictures = text(PackageResources.report_pictures_css) + "\n"
  /// The page around the pictures.
  static let page = text(PackageResources.report_page_css)

  private static func text(_ file: [UInt8]) -> String {
    String(decoding: file.dropLast(), as: UTF8.self)
  }
}
