/// Returns one line of plain output: the fields separated by tabs, with a final newline.
///
/// A backslash, tab, newline or carriage return in a field is written as `\\`, `\t`, `\n` or `\r`.
/// Other control characters are written as `\u` and four digits. So a line is always one record,
/// and a field can be read back exactly.
func plainRecord(_ fields: [String]) -> String {
  fields.map(plainField).joined(separator: "\t") + "\n"
}

private func plainField(_ text: String) -> String {
  if plainWidth(text) != nil, !text.utf8.contains(UInt8(ascii: "\\")) { return text }
  var escaped = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
    case "\t": escaped.append(contentsOf: "\\t".unicodeScalars)
    case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
    case "\r": escaped.append(contentsOf: "\\r".unicodeScalars)
    case _ where scalar.isObeyed: escaped.append(contentsOf: scalar.jsonEscape.unicodeScalars)
    default: escaped.append(scalar)
    }
  }
  return String(escaped)
}
