/// Breaks a text into lines of at most `width` columns, each indented by `indent` spaces.
///
/// An empty line separates paragraphs. Lines that begin with a space are kept unchanged.
func wrap(_ text: String, width: Int, indent: Int = 0) -> [String] {
  if text.isEmpty { return [] }
  let margin = String(repeating: " ", count: indent)
  let room = max(width - indent, 10)
  var lines: [String] = []
  var current = ""
  func finish() {
    if !current.isEmpty { lines.append(margin + current) }
    current = ""
  }
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.isEmpty || line.hasPrefix(" ") {
      finish()
      lines.append(line.isEmpty ? "" : margin + line)
      continue
    }
    for word in line.split(separator: " ") {
      if !current.isEmpty, displayWidth(current) + 1 + displayWidth(String(word)) > room {
        finish()
      }
      current += current.isEmpty ? String(word) : " \(word)"
    }
  }
  finish()
  return lines
}

/// Returns two columns: terms on the left, their wrapped explanations on the right.
///
/// If a term is too long, its explanation begins on the next line.
func definitionList(_ entries: [(term: String, text: String)], width: Int) -> [String] {
  let widest = entries.map { displayWidth($0.term) }.filter { $0 <= 28 }.max() ?? 0
  let indent = 2 + widest + 2
  return entries.flatMap { entry -> [String] in
    let term = "  " + entry.term
    let explanation = wrap(entry.text, width: width, indent: indent)
    guard let first = explanation.first else { return [term] }
    if displayWidth(term) + 2 > indent { return [term] + explanation }
    let gap = String(repeating: " ", count: indent - displayWidth(term))
    return [term + gap + first.dropFirst(indent)] + explanation.dropFirst()
  }
}
