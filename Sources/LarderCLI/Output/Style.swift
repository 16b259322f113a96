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
