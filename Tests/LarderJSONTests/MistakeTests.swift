import LarderJSON
import Testing

@Suite struct MistakeTests {
  @Test("the first mistake of a text is told, with what is needed instead")
  func firstMistake() {
    let lines = [
      "\"name\": \"Oat milk\"\n  category: 1": "2:3 category for a comma or }",
      "\"unit\": piece, \"quantity\": 03": "1:10 piece for a value",
      "\"quantity\": 03": "1:14 number 03",
      "\"note\": \"a\\qb\"": "1:12 badEscape",
      "\"list\": [1, 2,]": "1:16 ] for a value",
      "\"name\": 1, \"name\": True": "1:13 duplicate name",
      "// a comment\n\"end\": 1": "1:2 // for a key in double quotes",
      "\"end\" 1": "1:8 1 for a colon",
      "\"end\": 1,": "1:11 } for a key in double quotes",
    ]
    for (line, expected) in lines { #expect(told("{\(line)}") == [expected]) }
  }

  @Test(
    "a quote that is forgotten is told where it is missed",
    arguments: [
      ("{\n  \"a\": \"x,\n  \"b\": 1\n}\n", "2:11 the end of the line for a closing quote"),
      ("{\n  \"a: 1,\n  \"b\": 1\n}\n", "2:9 the end of the line for a closing quote"),
      ("{\n  a\": 1,\n  \"b\": 1\n}\n", "2:3 a for a key in double quotes"),
      ("{\n  \"a\": x\",\n  \"b\": 1\n}\n", "2:8 x for a value"),
      ("{\n  \"a: \"x\",\n  \"b\": 1\n}\n", "2:8 x for a colon"),
      ("{\"a\": \"x}\n", "1:10 the end of the line for a closing quote"),
    ])
  func forgottenQuotes(text: String, expected: String) {
    #expect(told(text) == [expected])
  }

  @Test(
    "a bracket that is forgotten or wrong is told",
    arguments: [
      ("{\"a\": [1, 2, \"b\": 3}", "1:17 : for a comma or ]"),
      ("{\"a\": [1, 2}", "1:12 } for a comma or ]"),
      ("[{\"a\": 1]", "1:9 ] for a comma or }"),
      ("{\"a\": 1], \"b\": 02}", "1:8 ] for a comma or }"),
      ("[[[[1}]]]]", "1:6 } for a comma or ]"),
    ])
  func wrongBrackets(text: String, expected: String) {
    #expect(told(text) == [expected])
  }

  @Test("a conflict that git left is told at its start")
  func conflictMarkers() {
    #expect(told("{\n\"a\": 1,\n<<<<<<< HEAD\n\"b\": 2\n") == ["3:1 conflictMarker"])
    #expect(told("<<<<<<< a\n{}\n=======\n[]\n>>>>>>> b\n") == ["1:1 conflictMarker"])
    #expect(told("{}\n>>>>>>> b\n") == ["2:1 conflictMarker"])
    #expect(told("{\n=======\n}") == ["2:1 conflictMarker"])
    #expect(told("{\n||||||| base\n}") == ["2:1 conflictMarker"])
    #expect(told("{\"a\":1 \n<<<<<<< a\n,\"b\":2") == ["2:1 conflictMarker"])
    #expect(told("\"<<<<<<< a\"") == [])
    #expect(told("[ <<<<<<< a\n]") == ["1:3 <<<<<<< for a value"])
  }

  @Test("positions count lines by LF, columns by scalars and offsets by bytes")
  func positions() {
    let text = "{\r\n  \"é🥛e\u{301}\": 01,\r\n\t\"b\": \"ü\u{1}\"\r\n}"
    #expect(
      mistakes(text) == [
        JSONMistake(
          kind: .badNumber("01"), position: TextPosition(line: 2, column: 11, offset: 18))
      ])
    #expect(
      mistakes(text.replacing("01", with: "10")) == [
        JSONMistake(
          kind: .controlCharacter, position: TextPosition(line: 3, column: 9, offset: 32))
      ])
    let bytes = Array(text.utf8)
    #expect(
      JSON.position(ofOffset: 18, in: bytes) == TextPosition(line: 2, column: 11, offset: 18))
    #expect(JSON.position(ofOffset: 0, in: []) == TextPosition(line: 1, column: 1, offset: 0))
    #expect(JSON.position(ofOffset: -5, in: bytes).offset == 0)
    #expect(JSON.position(ofOffset: 999, in: bytes).offset == bytes.count)
    #expect(JSON.position(ofOffset: 3, in: Array("a\r\nb".utf8)).line == 2)
  }

  @Test("bytes that are no text are told where they begin, unless another mistake is before them")
  func encoding() {
    #expect(mistakes(Array("[\"".utf8) + [0x61, 0xFF, 0x61]).map(\.kind) == [.invalidUTF8])
    #expect(mistakes([1, 0, 2, 0]).map(\.kind) == [.nullCharacter])
    #expect(mistakes(Array("[01, \"".utf8) + [0xFF]).map(\.kind) == [.badNumber("01")])
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
