import LarderModel

extension ReportPicture {
  /// A bar with its name and value.
  struct Bar {
    let name: String
    let value: Number
    /// The value as text.
    let text: String
    var isMarked = false
  }

  /// The largest number of bars that are drawn.
  static let mostBars = 10

  /// Returns horizontal bars below each other, each with its name and value above it.
  ///
  /// The table has all bars; the picture has the first ten. A note stands above them.
  static func bars(
    _ bars: [Bar], name: String, title: String, note: String? = nil, summary: String,
    table: MarkupTable
  ) -> ReportPicture {
    let greatest = bars.map(\.value).max() ?? .zero
    let height = 36.0
    let top = note == nil ? 0.0 : 22
    let shown = bars.prefix(mostBars).enumerated().map { index, bar in
      let y = top + Double(index) * height
      let fraction = min(max(bar.value.fraction(of: greatest) ?? 0, 0), 1)
      return Shape.text(bar.name.shortened(to: 34), x: 0, y: y + 13, "label")
        + Shape.text(bar.text, x: Double(width), y: y + 13, "label", anchor: .end)
        + Shape.rectangle(
          x: 0, y: y + 20, width: Double(width), height: 8, "track", radius: 2)
        + Shape.rectangle(
          x: 0, y: y + 20, width: fraction * Double(width), height: 8,
          bar.isMarked ? "lost" : "bar", radius: 2, tip: "\(bar.name): \(bar.text)")
    }
    return ReportPicture(
      name: name, title: title, summary: summary,
      height: shown.isEmpty ? 0 : Int(top) + Int(height) * shown.count,
      body: (note.map { Shape.text($0, x: 0, y: 11, "small") } ?? "") + shown.joined(),
      table: table)
  }

  /// Returns a column for each month, side by side.
  static func months(
    _ months: [(month: Month, value: Number, text: String)], name: String, title: String,
    summary: String, table: MarkupTable
  ) -> ReportPicture {
    let (left, right, top, bottom) = (44.0, Double(width), 12.0, 160.0)
    let scale = Scale(upTo: months.map(\.value).max() ?? .zero)
    var body = scale.ticks.map { tick in
      let y = bottom - tick.fraction * (bottom - top)
      return Shape.line(x1: left, y1: y, x2: right, y2: y, "grid")
        + Shape.text(tick.label, x: left - 6, y: y + 4, "small", anchor: .end)
    }
    let step = (right - left) / Double(max(months.count, 1))
    let columnWidth = min(step * (step > 6 ? 0.72 : 0.86), 40)
    for (index, month) in months.enumerated() {
      let middle = left + (Double(index) + 0.5) * step
      let height = scale.fraction(of: month.value) * (bottom - top)
      body.append(
        Shape.rectangle(
          x: middle - columnWidth / 2, y: bottom - height, width: columnWidth, height: height,
          "bar", radius: step > 6 ? 1.5 : 0, tip: "\(month.month): \(month.text)"))
    }
    // Each label has 72 units of room, counted back from the last month, whose label may be moved
    // inwards.
    let stride = max(Int((72 / step).rounded(.up)), 1)
    for index in months.indices where (months.count - 1 - index) % stride == 0 {
      let middle = min(left + (Double(index) + 0.5) * step, right - 24)
      body.append(
        Shape.text("\(months[index].month)", x: middle, y: bottom + 17, "small", anchor: .middle))
    }
    return ReportPicture(
      name: name, title: title, summary: summary, height: 184, body: body.joined(), table: table)
  }
}

/// A scale from zero to a round number.
struct Scale {
  private let greatest: Double
  /// The round numbers from zero on, as fractions of the largest one.
  let ticks: [(fraction: Double, label: String)]

  init(upTo value: Number) {
    let most = max(value.fraction(of: Number(1)) ?? 0, 0.000_001)
    var unit = 1.0
    while unit * 10 <= most { unit *= 10 }
    while unit > most { unit /= 10 }
    let step = [0.25, 0.5, 1, 2.5, 5].map { $0 * unit }.first { most / $0 <= 4 } ?? unit * 10
    let count = Int((most / step).rounded(.up))
    greatest = step * Double(count)
    ticks = (0...count).map { index in
      (Double(index) / Double(count), Self.label(step * Double(index)))
    }
  }

  func fraction(of value: Number) -> Double {
    min(max((value.fraction(of: Number(1)) ?? 0) / greatest, 0), 1)
  }

  private static func label(_ value: Double) -> String {
    guard value < 1_000_000_000_000 else { return "\(value)" }
    return Number(Int((value * 1000).rounded()), over: 1000).description
  }
}
