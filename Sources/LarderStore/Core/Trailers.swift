/// The `Key: value` lines at the end of a commit's message.
public struct Trailers: Sendable {
  private var values: [(key: String, value: String)] = []

  /// Reads the last paragraph, if it is not the only one and every line of it is a trailer.
  public init(_ message: String) {
    // Scalars, as a value may begin with a mark that Swift takes for a part of the space before it.
    var lines = message.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let isBlank = { (line: Substring.UnicodeScalarView) in
      line.allSatisfy(\.properties.isWhitespace)
    }
    while lines.last.map(isBlank) ?? false { lines.removeLast() }
    guard let gap = lines.lastIndex(where: isBlank) else { return }
    for line in lines[(gap + 1)...] {
      guard let colon = line.firstRange(of: ": ".unicodeScalars) else {
        values = []
        return
      }
      values.append((String(line[..<colon.lowerBound]), String(line[colon.upperBound...])))
    }
  }

  public subscript(key: String) -> String? {
    values.first { $0.key.lowercased() == key.lowercased() }?.value
  }

  /// Returns a message with a subject and trailers; line breaks in the parts become spaces.
  public static func message(_ subject: String, _ trailers: [(key: String, value: String)])
    -> String
  {
    let lines = trailers.map { "\($0.key): \(oneLine($0.value))\n" }
    return oneLine(subject) + "\n\n" + lines.joined()
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
