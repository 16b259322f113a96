/// A typed length of time, such as `30s`, `5m` or `2h`.
struct TypedInterval: Equatable {
  let duration: Duration

  /// Reads a text; nil if it is not a length of time from one second to one day.
  init?(_ text: String) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
    guard let letter = text.last, let unit = units[letter],
      text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(text.dropLast()),
      count > 0, count <= 86_400 / unit
    else { return nil }
    duration = .seconds(count * unit)
  }
}

extension Duration {
  /// The time in words, such as `7 s`, `5 min` or `2 h`.
  ///
  /// It is rounded to the second, and from two minutes on to the minute.
  var words: String {
    let seconds = max(1, Int((self / .seconds(1)).rounded()))
    if seconds < 120 { return "\(seconds) s" }
    return seconds % 3600 == 0 ? "\(seconds / 3600) h" : "\((seconds + 30) / 60) min"
  }
}
