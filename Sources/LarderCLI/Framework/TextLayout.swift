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

/// Breaks a sentence into lines of at most `width` columns; all but the first are indented.
///
/// A command in single quotes is not broken, because somebody may paste it.
func folded(_ sentence: String, width: Int) -> String {
  guard displayWidth(sentence) > width else { return sentence }
  var lines: [String] = []
  var line = ""
  for word in unbroken(sentence) {
    if !line.isEmpty, displayWidth(line) + 1 + displayWidth(word) > width {
      lines.append(line)
      line = "  " + word
    } else {
      line += lines.isEmpty && line.isEmpty ? word : " \(word)"
    }
  }
  return (lines + [line]).joined(separator: "\n")
}

/// Returns the words of a sentence; a command in single quotes is one word.
private func unbroken(_ sentence: String) -> [String] {
  var words: [String] = []
  var command: [String] = []
  for word in sentence.split(separator: " ", omittingEmptySubsequences: false) {
    let begins = command.isEmpty && (word.hasPrefix("'larder") || word.hasPrefix("'git"))
    guard begins || !command.isEmpty else {
      words.append(String(word))
      continue
    }
    command.append(String(word))
    // A quote in a name has a backslash before it.
    if (begins ? word.dropFirst() : word).replacing("\\'", with: "").contains("'") {
      words.append(command.joined(separator: " "))
      command = []
    }
  }
  return command.isEmpty ? words : words + [command.joined(separator: " ")]
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
