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
///
/// A column without anything in it is left out.
struct MarkupTable {
  /// The content of a column's cells, which determines their alignment and whether they wrap.
  enum Content: String {
    case text = ""
    case number = "n"
    /// A number with words around it, aligned to the right.
    case words = "w"
    case day = "d"

    /// The attribute of the column's cells.
    fileprivate var mark: String { self == .text ? "" : " class=\"\(rawValue)\"" }
  }

  /// A column, with the text of its cell in a row; the first cell of each row is its heading.
  typealias Column<Row> = (heading: String, content: Content, cell: (Row) -> String)

  private let caption: String
  private let headings: [(text: String, mark: String)]
  private let rows: [[String]]
  private let foot: [String]?

  /// Creates a table with a row for each thing; `foot` is the last row, which has sums.
  init<Row>(
    _ caption: String, of things: [Row], _ columns: [Column<Row>], foot: [String]? = nil
  ) {
    let rows = things.map { thing in columns.map { $0.cell(thing) } }
    let kept = columns.indices.filter { index in
      index == 0 || rows.contains { !$0[index].isEmpty }
    }
    self.caption = caption
    headings = kept.map { (columns[$0].heading, columns[$0].content.mark) }
    self.rows = rows.map { row in kept.map { row[$0] } }
    self.foot = foot.map { row in kept.map { row[$0] } }
  }

  /// Returns the table as HTML.
  ///
  /// The caption is only for screen readers if it equals the heading above the table.
  func html(below heading: String) -> String {
    let mark = caption == heading ? " class=\"same\"" : ""
    let head = headings.map { "<th scope=\"col\"\($0.mark)>\($0.text.markup)</th>" }
    let foot = foot.map { "<tfoot>\(row($0))</tfoot>" } ?? ""
    return """
      <table><caption\(mark)>\(caption.markup)</caption><thead><tr>\(head.joined())</tr></thead>
      <tbody>\(rows.map(row).joined(separator: "\n"))</tbody>\(foot)</table>
      """
  }

  private func row(_ cells: [String]) -> String {
    let marked = zip(cells, headings).enumerated().map { index, cell in
      let (text, mark) = (cell.0.markup, cell.1.mark)
      if index == 0 { return "<th scope=\"row\"\(mark)><bdi>\(text)</bdi></th>" }
      return mark.isEmpty ? "<td><bdi>\(text)</bdi></td>" : "<td\(mark)>\(text)</td>"
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

/// A picture of the report as SVG, with a title and a summary for screen readers.
public struct ReportPicture: Sendable {
  /// The name of the picture, such as `months`.
  public let name: String
  public let title: String
  /// The content of the picture in a sentence or two.
  public let summary: String
  /// The height in the picture's units; the width is ``width``.
  let height: Int
  /// The SVG content.
  let body: String
  /// The figures of the picture.
  let table: MarkupTable

  /// Whether there is something to draw besides the table.
  public var isDrawn: Bool { height > 0 }

  /// The width of every picture, in its own units.
  ///
  /// Text of 12 units is readable if the picture is as wide as a phone.
  static let width = 360

  /// The mark by which a picture is recognized; a new picture may replace it.
  static let mark = "<!-- larder report -->"

  /// The picture as a part of a page.
  var inline: String { element("") }

  /// The picture as a file of its own.
  public var file: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(Self.mark)\n"
      + element("<style>\(ReportStyle.colors)\(ReportStyle.pictures)</style>") + "\n"
  }

  private func element(_ style: String) -> String {
    let (titleID, summaryID) = ("\(name)-title", "\(name)-summary")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="picture" viewBox="0 0 \(Self.width) \(height)" \
      width="\(Self.width)" height="\(height)" role="img" aria-labelledby="\(titleID) \(summaryID)">\
      <title id="\(titleID)">\(title.markup)</title><desc id="\(summaryID)">\(summary.markup)</desc>\
      \(style)\(body)</svg>
      """
  }
}

/// A shape of a picture, which is written as SVG.
enum Shape {
  static func text(
    _ text: String, x: Double, y: Double, _ name: String, anchor: Anchor = .start
  ) -> String {
    let anchor = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
    return
      "<text x=\"\(decimal(x))\" y=\"\(decimal(y))\" class=\"\(name)\"\(anchor)>\(text.markup)</text>"
  }

  enum Anchor: String { case start, middle, end }

  static func rectangle(
    x: Double, y: Double, width: Double, height: Double, _ name: String, radius: Double = 0,
    tip: String? = nil
  ) -> String {
    let corners = radius > 0 ? " rx=\"\(decimal(radius))\"" : ""
    let place =
      "x=\"\(decimal(x))\" y=\"\(decimal(y))\" width=\"\(decimal(max(width, 0)))\" height=\"\(decimal(max(height, 0)))\""
    guard let tip else { return "<rect \(place)\(corners) class=\"\(name)\"/>" }
    return "<rect \(place)\(corners) class=\"\(name)\"><title>\(tip.markup)</title></rect>"
  }

  static func line(x1: Double, y1: Double, x2: Double, y2: Double, _ name: String) -> String {
    "<line x1=\"\(decimal(x1))\" y1=\"\(decimal(y1))\" x2=\"\(decimal(x2))\" y2=\"\(decimal(y2))\" class=\"\(name)\"/>"
  }

  static func path(_ points: [(x: Double, y: Double)], _ name: String) -> String {
    let steps = points.map { "\(decimal($0.x)) \(decimal($0.y))" }
    return "<path d=\"M\(steps.joined(separator: "L"))\" class=\"\(name)\"/>"
  }

  static func dot(x: Double, y: Double, _ name: String) -> String {
    "<circle cx=\"\(decimal(x))\" cy=\"\(decimal(y))\" r=\"2.6\" class=\"\(name)\"/>"
  }

  /// Returns a coordinate with at most one decimal.
  private static func decimal(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1_000_000 else { return "0" }
    let tenths = Int((number * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}
