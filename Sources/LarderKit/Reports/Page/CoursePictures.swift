import LarderModel

extension ReportPicture {
  /// A small picture of values over time from zero on, with a name and a line of text above it.
  struct Panel {
    let name: String
    let words: String
    /// The points, the earliest first; at least one.
    let points: [(day: Day, value: Number)]
    /// Whether a value stays until the next point.
    var isStepped = false
    /// A wanted value, drawn as a line; nil for none.
    var wanted: Number?
    /// Whether the lowest and the highest value are printed below the line.
    var hasRange = false
  }

  private static let panelWidth = 170.0
  private static let panelHeight = 112.0

  /// Returns small pictures in two columns, all for the same days.
  static func panels(
    _ panels: [Panel], name: String, title: String, summary: String, table: MarkupTable
  ) -> ReportPicture {
    let days = panels.flatMap { $0.points.map(\.day) }
    let first = days.min() ?? Day(daysSinceEpoch: 0)
    let last = max(days.max() ?? first, first.adding(days: 1))
    let body = panels.enumerated().map { index, panel in
      let x = index % 2 == 0 ? 0 : Double(width) - panelWidth
      return panel.drawn(
        x: x, y: Double(index / 2) * panelHeight, width: panelWidth, from: first, to: last)
    }
    return ReportPicture(
      name: name, title: title, summary: summary,
      height: Int(panelHeight) * ((panels.count + 1) / 2) - 6, body: body.joined(), table: table)
  }
}

extension ReportPicture.Panel {
  fileprivate func drawn(x: Double, y: Double, width: Double, from first: Day, to last: Day)
    -> String
  {
    let (top, bottom) = (y + 40, y + 84)
    let line = places(x: x, width: width, top: top, bottom: bottom, from: first, to: last)
    var parts = ["<g><title>\("\(name): \(words)".markup)</title>"]
    parts.append(Shape.text(name.shortened(to: 23), x: x, y: y + 12, "name"))
    parts.append(Shape.text(words, x: x, y: y + 28, "small"))
    parts.append(Shape.line(x1: x, y1: bottom + 4, x2: x + width, y2: bottom + 4, "grid"))
    if isStepped, let start = line.first, let end = line.last {
      parts.append(Shape.path([(start.x, bottom)] + line + [(end.x, bottom)], "area"))
    }
    if let wanted, wanted > .zero {
      let height = bottom - part(of: wanted) * (bottom - top)
      parts.append(Shape.line(x1: x, y1: height, x2: x + width, y2: height, "want"))
    }
    if line.count > 1 { parts.append(Shape.path(line, "course")) }
    if let end = line.last { parts.append(Shape.dot(x: end.x, y: end.y, "dot")) }
    parts.append(Shape.text("\(Month(of: first))", x: x, y: bottom + 17, "small"))
    parts.append(
      Shape.text("\(Month(of: last))", x: x + width, y: bottom + 17, "small", anchor: .end))
    if hasRange, let range {
      parts.append(Shape.text(range, x: x + width / 2, y: bottom + 17, "small", anchor: .middle))
    }
    return parts.joined() + "</g>"
  }

  /// The lowest and the highest value, as prices; nil if all values are equal.
  private var range: String? {
    guard let lowest = points.map(\.value).min(), let highest = points.map(\.value).max(),
      lowest < highest
    else { return nil }
    return [lowest, highest].map { TypedMoney($0.shortened, nil).number }.joined(separator: "–")
  }

  /// Returns the corners of the line.
  private func places(
    x: Double, width: Double, top: Double, bottom: Double, from first: Day, to last: Day
  ) -> [(x: Double, y: Double)] {
    let all = Double(last.daysSinceEpoch - first.daysSinceEpoch)
    var line: [(x: Double, y: Double)] = []
    for point in points {
      let place = x + Double(point.day.daysSinceEpoch - first.daysSinceEpoch) / all * (width - 3)
      let height = bottom - part(of: point.value) * (bottom - top)
      if isStepped, let before = line.last { line.append((place, before.y)) }
      line.append((place, height))
    }
    return line
  }

  /// Returns the height of a value as a fraction of the panel's, which begins at zero: a small change
  /// looks small.
  private func part(of value: Number) -> Double {
    let values = points.map(\.value) + [wanted].compactMap(\.self)
    let lowest = min(values.min() ?? .zero, .zero)
    let highest = values.max() ?? .zero
    return min(max((value - lowest).fraction(of: highest - lowest) ?? 0.5, 0), 1)
  }
}
