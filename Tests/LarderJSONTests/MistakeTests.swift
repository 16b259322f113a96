import LarderJSON
import Testing

@Suite struct MistakeTests {
  @Test("one run tells every mistake, and none that follows from another")
  func severalMistakes() {
    let text = """
      {
        "name": "Oat milk"
        category: "Dairy",
        "unit": piece,
        "quantity": 03,
        "note": "a\\qb",
        "list": [1, 2,],
        "name": True,
        // a comment
        "end" 1,
      }
      """
    #expect(
      told(text) == [
        "3:3 category for a comma or }", "4:11 piece for a value", "5:15 number 03",
        "6:13 badEscape", "7:17 ] for a value", "8:3 duplicate name", "8:11 True for a value",
        "9:3 // for a key in double quotes", "10:9 1 for a colon",
        "11:1 } for a key in double quotes",
      ])
  }

  @Test(
    "a quote that is forgotten doesn't spoil the lines after it",
    arguments: [
      ("{\n  \"a\": \"x,\n  \"b\": 1\n}\n", ["2:11 the end of the line for a closing quote"]),
      ("{\n  \"a: 1,\n  \"b\": 1\n}\n", ["2:9 the end of the line for a closing quote"]),
      ("{\n  a\": 1,\n  \"b\": 1\n}\n", ["2:3 a for a key in double quotes"]),
      ("{\n  \"a\": x\",\n  \"b\": 1\n}\n", ["2:8 x for a value"]),
      ("{\n  \"a: \"x\",\n  \"b\": 1\n}\n", ["2:8 x for a colon"]),
      (
        "{\n  \"a\": \"x\n  y\n  z\",\n  \"b\": 1\n}\n",
        ["2:10 the end of the line for a closing quote"]
      ),
      (
        "{\"a\": [\n  \"x,\n  \"y\"\n], \"b\": 01 }",
        [
          "2:6 the end of the line for a closing quote", "4:9 number 01",
        ]
      ),
      ("{\"a\": \"x}\n", ["1:10 the end of the line for a closing quote"]),
    ])
  func forgottenQuotes(text: String, expected: [String]) {
    #expect(told(text) == expected)
  }

  @Test(
    "a bracket that is forgotten or wrong is told once",
    arguments: [
      ("{\"a\": [1, 2, \"b\": 3}", ["1:17 : for a comma or ]", "1:20 } for a comma or ]"]),
      ("{\"a\": [1, 2}", ["1:12 } for a comma or ]"]),
      ("{\"a\": [1, 2}, \"b\": 3}", ["1:12 } for a comma or ]"]),
      ("[{\"a\": 1]", ["1:9 ] for a comma or }"]),
      ("[{\"a\": 1], 2", ["1:9 ] for a comma or }"]),
      ("{\"a\": 1], \"b\": 02}", ["1:8 ] for a comma or }"]),
      ("[[[[1}]]]]", ["1:6 } for a comma or ]"]),
    ])
  func wrongBrackets(text: String, expected: [String]) {
    #expect(told(text) == expected)
  }

  @Test("a conflict that git left is told once, and our side is read on")
  func conflictMarkers() {
    let text = """
      {
        "a": 1,
      <<<<<<< HEAD
        "b": 2,
        "c": 03
      =======
        "b": 3,
        "c": 4
      >>>>>>> theirs
      }
      """
    #expect(told(text) == ["3:1 conflictMarker", "5:8 number 03"])
    let base = text.replacing("=======", with: "||||||| base\n  \"c\": 0\n=======")
    #expect(told(base) == ["3:1 conflictMarker", "5:8 number 03"])
    #expect(told("<<<<<<< a\n{}\n=======\n[]\n>>>>>>> b\n") == ["1:1 conflictMarker"])
    #expect(told("{}\n>>>>>>> b\n") == ["2:1 conflictMarker"])
    #expect(told("{\n=======\n}") == ["2:1 conflictMarker"])
    #expect(
      told("{\"a\":1 \n<<<<<<< a\n,\"b\":2") == [
        "2:1 conflictMarker", "3:7 end for a comma or }",
      ])
    #expect(told("\"<<<<<<< a\"") == [])
    #expect(told("[ <<<<<<< a\n]") == ["1:3 <<<<<<< for a value"])
  }

  @Test("positions count lines by LF, columns by scalars and offsets by bytes")
  func positions() {
    let text = "{\r\n  \"é🥛e\u{301}\": 01,\r\n\t\"b\": \"ü\u{1}\"\r\n}"
    let found = mistakes(text)
    #expect(
      found == [
        JSONMistake(
          kind: .badNumber("01"), position: TextPosition(line: 2, column: 11, offset: 18)),
        JSONMistake(
          kind: .controlCharacter, position: TextPosition(line: 3, column: 9, offset: 32)),
      ])
    let bytes = Array(text.utf8)
    #expect(bytes[32] == 1)
    #expect(
      JSON.position(ofOffset: 18, in: bytes) == TextPosition(line: 2, column: 11, offset: 18))
    #expect(JSON.position(ofOffset: 0, in: []) == TextPosition(line: 1, column: 1, offset: 0))
    #expect(JSON.position(ofOffset: -5, in: bytes).offset == 0)
    #expect(JSON.position(ofOffset: 999, in: bytes).offset == bytes.count)
    #expect(JSON.position(ofOffset: 3, in: Array("a\r\nb".utf8)).line == 2)
  }

  @Test("at most twenty mistakes are told, the first ones")
  func cap() {
    let text = "[" + Array(repeating: "01", count: 100).joined(separator: ",\n") + "]"
    let found = mistakes(text)
    #expect(found.count == 20)
    #expect(found.map(\.position.line) == Array(1...20))
    let mixed = Array("[\"".utf8) + Array(repeating: [0xFF, 0x61] as [UInt8], count: 30).joined()
    #expect(mistakes(mixed).map(\.kind) == Array(repeating: .invalidUTF8, count: 20))
    #expect(mistakes([1, 0, 2, 0]).map(\.kind) == [.nullCharacter, .nullCharacter])
  }

  @Test("what mistakes quote is short and shows no control characters")
  func excerpts() {
    let long = String(repeating: "é", count: 100)
    #expect(told(long) == ["1:1 \(String(repeating: "é", count: 20))… for a value"])
    #expect(told("[\u{1B}[2J]").first == "1:2 \\u001b for a value")
    #expect(
      told("[1 \"\(long)\"]") == ["1:4 \"\(String(repeating: "é", count: 19))… for a comma or ]"])
  }
}
