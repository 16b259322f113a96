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
