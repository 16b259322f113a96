/// Returns a number with its noun, such as `1 file` or `3 files`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

/// Returns all of up to three texts, otherwise two and the number of the others.
func inShort(_ texts: [String]) -> String {
  guard texts.count > 3 else { return texts.joined(separator: ", ") }
  return texts.prefix(2).joined(separator: ", ") + " and \(texts.count - 2) more"
}
