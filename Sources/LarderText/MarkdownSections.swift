/// Returns the texts of a Markdown file's sections by their headings of the second level.
package func markdownSections(_ file: [UInt8]) -> [String: String] {
  let sections = String(decoding: file, as: UTF8.self).split(separator: "\n## ").dropFirst()
  return sections.reduce(into: [:]) { found, section in
    let heading = section.prefix { $0 != "\n" }
    found[String(heading)] = String(section.dropFirst(heading.count + 1))
  }
}
