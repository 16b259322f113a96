import LarderKit
import Testing

@testable import LarderCLI

@Suite("Tables")
struct FrameworkTableTests {
  private let table = Table(
    columns: [
      Table.Layout("Item", minimumWidth: 6), Table.Layout("Left", .right, need: .most),
      Table.Layout("", minimumWidth: 4, isOnlyForTerminals: true), Table.Layout("Note"),
    ],
    rows: [
      ["Oat milk", Table.Cell("2 l", .red), "██░░", "for\tcoffee"], ["牛乳", "0.5 l", "▏░░░"],
      [Table.Cell("Eggs 🥚", .green), "12", "████", "a note that is rather long"],
    ])

  @Test("columns are aligned by display width, without colours, cuts and bars for a pipe")
  func pipe() {
    let expected = """
      Item       Left  Note
      Oat milk    2 l  for coffee
      牛乳      0.5 l
      Eggs 🥚      12  a note that is rather long

      """
    #expect(table.text(width: nil, hasColor: false) == expected)
  }

  @Test("on a terminal there are bars, and the widest column is cut to fit")
  func narrowTerminal() {
    let expected = """
      Item       Left        Note
      Oat milk    2 l  ██░░  for coffee
      牛乳      0.5 l  ▏░░░
      Eggs 🥚      12  ████  a note that is rather lo…

      """
    #expect(table.text(width: 48, hasColor: false) == expected)
  }

  @Test("on a narrow terminal, bars go first, then the width of texts, then whole columns")
  func narrowerTerminal() {
    let short = """
      Item       Left  Note
      Oat milk    2 l  for coffee
      牛乳      0.5 l
      Eggs 🥚      12  a note tha…

      """
    #expect(table.text(width: 28, hasColor: false) == short)
    let whole = "Item       Left\nOat milk    2 l\n牛乳      0.5 l\nEggs 🥚      12\n"
    #expect(table.text(width: 20, hasColor: false) == whole)
  }

  @Test("a terminal too narrow for all gets the first column and what is needed most")
  func tooNarrow() {
    let expected = "Item     Left\nOat m…    2 l\n牛乳    0.5 l\nEggs …     12\n"
    #expect(table.text(width: 5, hasColor: false) == expected)
  }

  @Test(
    "of columns that are needed alike, the right one goes first; dates and amounts are never cut")
  func needs() {
    let table = Table(
      columns: [
        Table.Layout("Item"), Table.Layout("Day", isWhole: true),
        Table.Layout("Lot", need: .little),
        Table.Layout("Place"), Table.Layout("File", isWhole: true, need: .least),
      ],
      rows: [["A very long name of milk", "2026-12-01", "L7", "Fridge", "batches/milk-1.json"]])
    let headings = [
      80: "Item Day Lot Place File", 50: "Item Day Lot Place", 33: "Item Day Lot Place",
      32: "Item Day Place", 27: "Item Day", 18: "Item",
    ]
    for (width, expected) in headings {
      let lines = table.text(width: width, hasColor: false).split(separator: "\n")
      #expect(lines[0].split(separator: " ").joined(separator: " ") == expected, "\(width)")
      #expect(lines[1].contains("2026-12-01") == expected.contains("Day"))
      #expect(lines.allSatisfy { displayWidth(String($0)) <= width })
    }
  }

  @Test("a style is put around the text and not around its padding")
  func styles() {
    let text = table.text(width: 100, hasColor: true)
    let lines = text.split(separator: "\n")
    #expect(lines[0].hasPrefix("\u{1B}[2mItem\u{1B}[0m       \u{1B}[2mLeft\u{1B}[0m"))
    #expect(lines[1].hasPrefix("Oat milk    \u{1B}[31m2 l\u{1B}[0m  ██░░"))
    #expect(lines[3].hasPrefix("\u{1B}[32mEggs 🥚\u{1B}[0m"))
  }

  @Test("a table without rows is nothing, not a header")
  func empty() {
    let table = Table(columns: [Table.Layout("Item")])
    #expect(table.text(width: 80, hasColor: true) == "")
  }

  @Test("a column without a text is left out, and a table without any text is nothing")
  func emptyColumns() {
    let columns = [Table.Layout("Item"), Table.Layout("Note")]
    let half = Table(columns: columns, rows: [["Milk", ""], ["Eggs", "\u{7}"], ["Tea"]])
    #expect(half.withoutEmptyColumns.text(width: nil, hasColor: false) == "Item\nMilk\nEggs\nTea\n")
    let bare = Table(columns: columns, rows: [["", ""], []])
    #expect(bare.withoutEmptyColumns.text(width: nil, hasColor: false) == "")
  }

  @Test("a table of thousands of rows has each row in its place, whatever its letters")
  func longTable() {
    let names = (0..<3000).map {
      ["Crème brûlée \($0)", "Milk \($0)", "牛乳 \($0)", "Ｅggs\t\($0)"][$0 % 4]
    }
    let columns: [Column<String>] = [
      Column("name") { .text($0) }.inTable("Item"), Column("none") { _ in .none }.inTable("None"),
      Column("count") { .text("\($0.count)") }.inTable("Letters", .right),
    ]
    let lines = Table(names, columns).text(width: nil, hasColor: false).split(separator: "\n")
    let widest = names.map { displayWidth(sanitize($0)) }.max() ?? 0
    let expected = (["Item"] + names).enumerated().map { index, name in
      let letters = index == 0 ? "Letters" : String(repeating: " ", count: 6) + "\(name.count)"
      let clean = sanitize(name)
      let gap = String(repeating: " ", count: widest - displayWidth(clean) + 2)
      return clean + gap + letters.suffix(7)
    }
    #expect(lines.count == expected.count)
    let wrong = zip(lines, expected).first { $0 != $1 }
    #expect(wrong == nil)
  }

  @Test("escape sequences in a cell reach neither the terminal nor the alignment")
  func hostileCell() {
    let table = Table(
      columns: [Table.Layout("A"), Table.Layout("B")],
      rows: [["x\u{1B}[2J\u{202E}y", "z"], ["long text", "z\nq"]])
    #expect(
      table.text(width: nil, hasColor: false) == "A          B\nx[2Jy      z\nlong text  z q\n")
  }
}

extension Table {
  fileprivate func text(width: Int?, hasColor: Bool) -> String {
    String(decoding: drawn(width: width, hasColor: hasColor), as: UTF8.self)
  }
}
