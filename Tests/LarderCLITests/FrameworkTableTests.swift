import Testing

@testable import LarderCLI

@Suite("Tables")
struct FrameworkTableTests {
  private let table = Table(
    columns: [
      Table.Layout("Item", minimumWidth: 6), Table.Layout("Left", .right, style: .red),
      Table.Layout("", minimumWidth: 4, isOnlyForTerminals: true), Table.Layout("Note"),
    ],
    rows: [
      ["Oat milk", "2 l", "██░░", "for\tcoffee"], ["牛乳", "0.5 l", "▏░░░"],
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
      Eggs 🥚      12  ████  a note tha…

      """
    #expect(table.text(width: 34, hasColor: false) == expected)
  }

  @Test("a terminal too narrow for the least widths gets them, without what is for the eye only")
  func tooNarrow() {
    let text = table.text(width: 5, hasColor: false)
    let widest = text.split(separator: "\n").map { displayWidth(String($0)) }.max()
    // 6 of the item, 5 of what is left, 8 of the note, and two gaps; the bar goes first.
    #expect(widest == 6 + 5 + 8 + 4)
    #expect(text.contains("Oat m…"))
  }

  @Test("a style is put around the text and not around its padding")
  func styles() {
    let text = table.text(width: 100, hasColor: true)
    let lines = text.split(separator: "\n")
    #expect(lines[0].hasPrefix("\u{1B}[2mItem\u{1B}[0m       \u{1B}[2mLeft\u{1B}[0m"))
    #expect(lines[1].hasPrefix("Oat milk    \u{1B}[31m2 l\u{1B}[0m  ██░░"))
    #expect(lines[3].hasPrefix("\u{1B}[32mEggs 🥚\u{1B}[0m"))
  }

  @Test("a column is no wider on a terminal than it may be, and whole elsewhere")
  func maximumWidth() {
    let table = Table(
      columns: [Table.Layout("Id", maximumWidth: 8), Table.Layout("X")],
      rows: [["0123456789abc", "y"]])
    #expect(table.text(width: 80, hasColor: false) == "Id        X\n0123456…  y\n")
    #expect(table.text(width: nil, hasColor: false) == "Id             X\n0123456789abc  y\n")
  }

  @Test("a table without rows is nothing, not a header")
  func empty() {
    let table = Table(columns: [Table.Layout("Item")])
    #expect(table.text(width: 80, hasColor: true) == "")
  }

  @Test("escape sequences in a cell reach neither the terminal nor the alignment")
  func hostileCell() {
    let table = Table(
      columns: [Table.Layout("A"), Table.Layout("B")],
      rows: [["x\u{1B}[2J\u{202E}y", "z"], ["long text", "z\nq"]])
    #expect(
      table.text(width: nil, hasColor: false) == "A          B\nxy         z\nlong text  z q\n")
  }
}
