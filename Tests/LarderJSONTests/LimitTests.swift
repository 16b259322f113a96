import Foundation
import LarderJSON
import Testing

@Suite struct LimitTests {
  private func nested(_ depth: Int, _ open: String, _ inside: String, _ close: String) -> String {
    String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
  }

  @Test("64 levels are read, the 65th is refused where it opens")
  func depth() throws {
    #expect(told(nested(64, "[", "1", "]")) == [])
    #expect(told(nested(64, "{\"a\":", "1", "}")) == [])
    #expect(told(nested(65, "[", "1", "]")) == ["1:65 tooDeep"])
    #expect(told(nested(65, "{\"a\":", "1", "}")) == ["1:321 tooDeep"])
    #expect(told(nested(64, "[", "1, {\"]\": [[]]}, 01", "]")) == ["1:68 tooDeep"])
    #expect(told(nested(200, "[", "", "")) == ["1:65 tooDeep"])
  }

  @Test("16 MiB are read, a byte more is refused unread")
  func size() throws {
    let limit = 16 * 1024 * 1024
    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: limit)
    bytes[0] = UInt8(ascii: "\"")
    bytes[limit - 1] = UInt8(ascii: "\"")
    #expect(try JSON(parsing: bytes).string?.utf8.count == limit - 2)
    bytes.append(UInt8(ascii: "\n"))
    #expect(
      mistakes(bytes) == [
        JSONMistake(
          kind: .tooLarge(bytes: limit + 1),
          position: TextPosition(line: 1, column: 1, offset: 0))
      ])
  }

  @Test("exponents are read up to 400 digits written out")
  func exponents() {
    for fine in ["1e399", "-1e+399", "1e-399", "12e398", "0e999999999999", "1.5e399", "100e397"] {
      #expect(told(fine) == [], "\(fine)")
      #expect(JSON.canonicalNumber(fine) != nil, "\(fine)")
    }
    for absurd in ["1e400", "1e-400", "12e399", "-1E+999999999999999999999", "1e-99999999999"] {
      #expect(told(absurd) == ["1:1 exponent \(absurd)"])
      #expect(JSON.canonicalNumber(absurd) == nil, "\(absurd)")
    }
    #expect(told("[1e400, 1e500]") == ["1:2 exponent 1e400"])
    let long = String(repeating: "7", count: 1000)
    #expect(JSON.canonicalNumber(long) == long)
    #expect(JSON.canonicalNumber("\(long).0e0") == long)
    #expect(JSON.canonicalNumber("1" + String(repeating: "0", count: 500) + "e-500") == "1")
    #expect(JSON.canonicalNumber("\(long)e2") == nil)
  }

  @Test(
    "a huge text of one thing repeated takes no more than linear time",
    arguments: [
      "[", "]", "{", "\"", "\"\\", "\"a\" ", "[1,", "{\"a\":", "{\"a\":1}", "'", "/", "/*", "//",
      "#",
      ",", ":", "\\", "-", "1", "1e", " ", "\n", "=======\n", "<<<<<<< \n", "\u{0}", "é", "a:",
      "[}",
      "{]", "\n\"", "x\n", "[\"\n", "'\n", "{\"\":",
    ])
  func hugeTexts(unit: String) {
    // Quadratic time would not end at either size.
    let size = ProcessInfo.processInfo.environment["LARDER_LONG"] == "1" ? 16 << 20 : 1 << 17
    let unit = Array(unit.utf8)
    let bytes = Array(repeatElement(unit, count: size / unit.count).joined())
    #expect(!mistakes(bytes).isEmpty || unit == [UInt8(ascii: "1")])
    #expect(!mistakes(Array("[\n".utf8) + bytes.dropLast(2)).isEmpty)
  }

  @Test("many keys, members and elements stay linear")
  func manyMembers() throws {
    let keys = (0..<50_000).map { "\"\($0)\":0" }.joined(separator: ",")
    #expect(try parsed("{\(keys)}").members?.count == 50_000)
    let same = Array(repeating: "\"a\":0", count: 50_000).joined(separator: ",")
    #expect(told("{\(same)}") == ["1:8 duplicate a"])
    let empty = Array(repeating: "{\"a\":[]}", count: 50_000).joined(separator: ",")
    #expect(try parsed("[\(empty)]").array?.count == 50_000)
  }
}
