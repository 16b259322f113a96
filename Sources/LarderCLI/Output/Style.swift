import LarderModel

/// A style of text on a terminal with colours.
enum Style: String, Sendable {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"
  case boldRed = "1;31"
  case boldYellow = "1;33"

  /// The code before a text in this style.
  var beginning: String { "\u{1B}[\(rawValue)m" }

  /// The code after a text in any style.
  static let end = "\u{1B}[0m"

  /// Returns the text between the style's codes.
  func applied(to text: String) -> String {
    text.isEmpty ? text : beginning + text + Style.end
  }
}

/// What a line about a sync or a watch begins with.
///
/// A terminal shows a picture. A pipe or a file gets none: there a warning is told by its word, and
/// all else by its sentence.
enum Sign: String {
  case atWork = "🔄"
  case waiting = "⏳"
  case done = "✅"
  case warning = "⚠️"
  case failed = "❌"
  case adopted = "📝"
  case received = "📥"

  /// Returns the beginning of a line.
  func prefix(onTerminal isTerminal: Bool) -> String {
    isTerminal ? rawValue + " " : self == .warning ? "warning: " : ""
  }
}

extension Output {
  /// Writes one sanitised line that is not data to standard error, behind its sign.
  func note(_ sign: Sign, _ text: String) {
    note(sign.prefix(onTerminal: terminal.errorIsTerminal) + text)
  }
}

/// Returns a small bar of `width` columns, filled to a fraction in eighths of a column.
///
/// Any fraction above zero shows at least one eighth, and only a full one fills the bar.
func bar(_ fraction: Double, width: Int) -> String {
  guard width > 0 else { return "" }
  let steps = width * 8
  let known = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
  var filled = Int((known * Double(steps)).rounded())
  if known > 0 { filled = max(filled, 1) }
  if known < 1 { filled = min(filled, steps - 1) }
  let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  let drawn = String(repeating: "█", count: filled / 8) + eighths[filled % 8]
  return drawn + String(repeating: "░", count: width - (filled + 7) / 8)
}

/// Returns a line of blocks whose heights show the numbers, from the lowest to the highest.
///
/// If there are more than `width` numbers, it shows the last ones. If all are equal, they are half
/// high.
func sparkline(_ numbers: [Number], width: Int) -> String {
  let shown = numbers.suffix(max(width, 1))
  guard let lowest = shown.min(), let highest = shown.max() else { return "" }
  let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  return shown.map { number in
    guard let height = (number - lowest).fraction(of: highest - lowest) else { return blocks[3] }
    return blocks[min(Int(height * Double(blocks.count)), blocks.count - 1)]
  }.joined()
}
