import Foundation
import LarderJSON
import LarderModel
import TestSupport

/// A document of the format taken apart into what can be checked: fenced blocks and the rows of
/// marked tables.
///
/// A block's info string is `json ROLE KIND [key=value …]`; a table is marked by a comment before it,
/// `<!-- checked: NAME -->`. With `UPDATE_GOLDEN=1` the document gets the answers that the code gives.
struct FormatDocument {
  struct Block {
    let role: String
    let kind: Kind?
    let settings: [String: String]
    let text: String
    let lines: Range<Int>
  }

  struct Row {
    let table: String
    let cells: [String]
    let line: Int
  }

  static var all: [FormatDocument] {
    get throws { try ["FORMAT.md", "docs/adoption.md"].map { try FormatDocument($0) } }
  }

  let name: String
  let file: URL
  let lines: [String]
  private(set) var blocks: [Block] = []
  private(set) var rows: [Row] = []

  init(_ name: String) throws {
    self.name = name
    file = Checkout.root.appending(path: name)
    lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    readBlocks()
    readRows()
  }

  private mutating func readBlocks() {
    var index = 0
    while index < lines.count {
      guard lines[index].hasPrefix("```json ") else {
        index += 1
        continue
      }
      let words = lines[index].split(separator: " ").dropFirst().map(String.init)
      let end = lines[(index + 1)...].firstIndex(of: "```") ?? lines.count
      let pairs = words.dropFirst().filter { $0.contains("=") }.map { word in
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      }
      blocks.append(
        Block(
          role: words[0], kind: words.dropFirst().first.flatMap(Kind.init(rawValue:)),
          settings: Dictionary(uniqueKeysWithValues: pairs),
          text: lines[index + 1..<end].map { $0 + "\n" }.joined(), lines: index + 1..<end))
      index = end + 1
    }
  }

  private mutating func readRows() {
    var table: String?
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("<!-- checked: ") {
        table = String(line.dropFirst(14).dropLast(4))
      } else if let name = table, line.hasPrefix("| `") {
        let cells = line.split(separator: "|").map { cell in
          String(cell.trimmingPrefix(" `").reversed().drop { $0 == " " || $0 == "`" }.reversed())
        }
        rows.append(Row(table: name, cells: cells, line: index))
      } else if table != nil, !line.isEmpty, !line.hasPrefix("|") {
        table = nil
      }
    }
  }
}
