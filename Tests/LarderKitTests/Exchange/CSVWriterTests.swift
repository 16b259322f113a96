import LarderKit
import Testing

@Suite("The writer of tables for spreadsheets")
struct CSVWriterTests {
  @Test("quotes what needs it, ends lines as RFC 4180 says, and has no byte order mark")
  func quotes() {
    var writer = CSVWriter(["id", "name"])
    writer.row([.value("1"), .text("Milk, \"fresh\"")])
    writer.row([.value("-2.5"), .text("two\nlines; ")])
    writer.row([.empty, .text("Käse")])
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == "id,name\r\n1,\"Milk, \"\"fresh\"\"\"\r\n-2.5,\"two\nlines; \"\r\n,Käse\r\n")
    var narrow = CSVWriter(["note"])
    narrow.row([.empty])
    #expect(String(decoding: narrow.bytes, as: UTF8.self) == "note\r\n\"\"\r\n")
  }

  @Test("defuses text that a spreadsheet would calculate, and each text comes back")
  func formulas() {
    for text in ["=1+1", "+49 30", "-", "@home", "\tx", "\r", "'=x", "''@", "'"] {
      let isMeant = text != "'"
      #expect(CSVWriter.defused(text) == (isMeant ? "'" + text : text))
      #expect(CSVWriter.restored(CSVWriter.defused(text)) == text)
    }
    for text in ["", "Milk", "a=b", "'quoted'", " =x"] {
      #expect(CSVWriter.defused(text) == text)
      #expect(CSVWriter.restored(text) == text)
    }
    var writer = CSVWriter(["x"])
    writer.row([.text("=HYPERLINK(1)")])
    writer.row([.value("-1")])
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "x\r\n'=HYPERLINK(1)\r\n-1\r\n")
  }
}
