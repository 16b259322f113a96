internal import LarderModel

/// The `Retry-After` header, by which a server asks for a pause (RFC 9110, 10.2.3).
enum RetryAfter {
  /// Returns the duration from now.
  ///
  /// Nil if the header is missing or invalid.
  ///
  /// A date counts from the date of the answer, if there is one, because this device's clock may be
  /// wrong.
  static func duration(in headers: Headers, now: Instant) -> Duration? {
    guard let text = headers["Retry-After"] else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
      return .seconds(Int64(text) ?? .max / 1000)
    }
    guard let date = instant(httpDate: text) else { return nil }
    let from = headers["Date"].flatMap(instant(httpDate:)) ?? now
    return .milliseconds(max(0, date.milliseconds - from.milliseconds))
  }

  /// Parses a date in the required form, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
  static func instant(httpDate text: String) -> Instant? {
    let words = text.split(separator: " ")
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard words.count == 6, words[5] == "GMT", words[1].utf8.count == 2, words[3].utf8.count == 4,
      let month = months.firstIndex(of: String(words[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Instant("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }
}
