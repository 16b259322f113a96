/// Returns a number with its noun, such as `1 file` or `3 files`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

/// Returns a text as one word for a shell.
func shellWord(_ text: String) -> String {
  let isPlain = text.unicodeScalars.allSatisfy { scalar in
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      || "-_./:,@%+".contains(Character(scalar))
  }
  if isPlain, !text.isEmpty { return text }
  // Single quotes can't be used: hints put whole commands into them.
  guard text.contains(where: { "\"$`\\!".contains($0) }) else { return "\"\(text)\"" }
  return "'"
    + text.split(separator: "'", omittingEmptySubsequences: false)
    .joined(separator: "'\\''") + "'"
}

/// Returns all of up to three texts, otherwise two and the number of the others.
func inShort(_ texts: [String]) -> String {
  guard texts.count > 3 else { return texts.joined(separator: ", ") }
  return texts.prefix(2).joined(separator: ", ") + " and \(texts.count - 2) more"
}
