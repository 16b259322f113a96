import LarderJSON
import Testing

@Suite struct GrammarTests {
  @Test(
    "what RFC 8259 allows is read, and keeps its spelling",
    arguments: [
      ("null", JSON.null), ("true", .bool(true)), ("false", .bool(false)),
      (" \t\r\n null \t\r\n ", .null),
      ("0", .number("0")), ("-0", .number("-0")), ("10", .number("10")),
      ("1.50", .number("1.50")), ("-0.0", .number("-0.0")), ("1e5", .number("1e5")),
      ("1E+05", .number("1E+05")), ("2.5e-3", .number("2.5e-3")), ("0e0", .number("0e0")),
      ("123456789012345678901234567890", .number("123456789012345678901234567890")),
      (#""""#, .string("")), (#""a b""#, .string("a b")),
      (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
      (#""\u0041\u00e9\u20AC""#, .string("Aé€")),
      (#""\ud83e\udd5B""#, .string("🥛")), (#""é€🥛""#, .string("é€🥛")),
      (#""\u0001\u001f""#, .string("\u{1}\u{1F}")), ("\"\u{7F}\"", .string("\u{7F}")),
      ("\"\u{2028}\u{FEFF}\u{FFFE}\"", .string("\u{2028}\u{FEFF}\u{FFFE}")),
      (
        "\"a much longer text than fits into one word \\n of eight\"",
        .string("a much longer text than fits into one word \n of eight")
      ),
      ("[]", .array([])), ("[ ]", .array([])), ("[1]", .array([.number("1")])),
      ("[1,2 , 3]", .array([.number("1"), .number("2"), .number("3")])),
      ("[[],{}]", .array([.array([]), .object([])])),
      ("{}", .object([])), ("{\n}", .object([])),
      (#"{"a":1}"#, .object([JSONMember("a", .number("1"))])),
      (
        #"{ "b" : null , "a" : [ true ] }"#,
        .object([JSONMember("b", .null), JSONMember("a", .array([.bool(true)]))])
      ),
      (
        #"{"":"","A":0,"a":0}"#,
        .object([
          JSONMember("", .string("")), JSONMember("A", .number("0")),
          JSONMember("a", .number("0")),
        ])
      ),
    ])
  func accepts(text: String, value: JSON) throws {
    #expect(try parsed(text) == value)
  }

  @Test(
    "what RFC 8259 refuses is refused, once",
    arguments: [
      ("", "1:1 end for a value"), (" \n", "2:1 end for a value"),
      ("nul", "1:1 nul for a value"), ("nulll", "1:1 nulll for a value"),
      ("True", "1:1 True for a value"), ("NaN", "1:1 NaN for a value"),
      ("-Infinity", "1:1 number -Infinity"), ("hello world", "1:1 hello for a value"),
      ("'a b'", "1:1 'a b' for a value"), ("}", "1:1 } for a value"),
      (",", "1:1 , for a value"), (":", "1:1 : for a value"),
      ("\u{B}1", "1:1 \\u000b1 for a value"),
      ("-", "1:1 number -"), ("01", "1:1 number 01"), ("-01", "1:1 number -01"),
      ("1.", "1:1 number 1."), (".5", "1:1 number .5"), ("+1", "1:1 number +1"),
      ("1e", "1:1 number 1e"), ("1e+", "1:1 number 1e+"), ("1.e1", "1:1 number 1.e1"),
      ("0x10", "1:1 number 0x10"), ("1_000", "1:1 number 1_000"), ("1٣", "1:1 number 1٣"),
      ("2026-11-21", "1:1 number 2026-11-21"), ("--1", "1:1 number --1"),
      ("\"", "1:2 end for a closing quote"), ("\"abc", "1:5 end for a closing quote"),
      ("\"abc\\", "1:6 end for a closing quote"),
      ("\"a\nb", "1:3 the end of the line for a closing quote"),
      ("\"a\tb\"", "1:3 controlCharacter"), ("\"\u{1F}\"", "1:2 controlCharacter"),
      (#""\x""#, "1:2 badEscape"), (#""\u12G4""#, "1:2 badEscape"), (#""\u12""#, "1:2 badEscape"),
      (#""\U0041""#, "1:2 badEscape"), (#""\'""#, "1:2 badEscape"),
      (#""\ud800""#, "1:2 loneSurrogate"), (#""\udc00""#, "1:2 loneSurrogate"),
      (#""\ud800\u0041""#, "1:2 loneSurrogate"), (#""x\udc00x""#, "1:3 loneSurrogate"),
      ("[", "1:2 end for a value"), ("[1", "1:3 end for a comma or ]"),
      ("[1,", "1:4 end for a value"), ("[1,]", "1:4 ] for a value"),
      ("[,1]", "1:2 , for a value"), ("[1,,2]", "1:4 , for a value"),
      ("[1 2]", "1:4 2 for a comma or ]"), ("[1}", "1:3 } for a comma or ]"),
      ("[1,}", "1:4 } for a value"), ("[1;2]", "1:2 number 1;2"),
      ("[\"a\": 1]", "1:5 : for a comma or ]"), ("[\"a\" b]", "1:6 b for a comma or ]"),
      ("{", "1:2 end for a key in double quotes"), ("{\"a\"", "1:5 end for a colon"),
      ("{\"a\":", "1:6 end for a value"), ("{\"a\":1", "1:7 end for a comma or }"),
      ("{\"a\":1,", "1:8 end for a key in double quotes"),
      ("{\"a\":1,}", "1:8 } for a key in double quotes"),
      ("{,\"a\":1}", "1:2 , for a key in double quotes"), ("{\"a\"}", "1:5 } for a colon"),
      ("{\"a\" 1}", "1:6 1 for a colon"), ("{\"a\" = 1}", "1:6 = for a colon"),
      ("{\"a\" => 1}", "1:6 => for a colon"), ("{\"a\", \"b\": 1}", "1:5 , for a colon"),
      ("{\"a\":}", "1:6 } for a value"), ("{\"a\":,\"b\":1}", "1:6 , for a value"),
      ("{\"a\"::1}", "1:6 : for a value"), ("{a:1}", "1:2 a for a key in double quotes"),
      ("{'a b':1}", "1:2 'a b' for a key in double quotes"),
      ("{1:1}", "1:2 1 for a key in double quotes"), ("{:1}", "1:2 : for a key in double quotes"),
      ("{[1]}", "1:2 [ for a key in double quotes"),
      ("{{\"a\":1}}", "1:2 { for a key in double quotes"),
      ("{\"a\":1 \"b\":2}", "1:8 \"b\" for a comma or }"),
      ("{\"a\":1]", "1:7 ] for a comma or }"), ("{\"a\":1,]", "1:8 ] for a key in double quotes"),
      ("{\"a\":Oat milk, \"b\":1}", "1:6 Oat for a value"),
      ("{\"a\":1}}", "1:8 trailingContent"), ("1 2", "1:3 trailingContent"),
      ("\"a\": 1", "1:4 trailingContent"), ("{} x", "1:4 trailingContent"),
      ("[1] // one", "1:5 // for the end of the file"), ("# a\n1", "1:1 # for a value"),
      ("[/**/]", "1:2 /* for a value"), ("[1 /* one */]", "1:4 /* for a comma or ]"),
      ("{/**/}", "1:2 /* for a key in double quotes"),
      ("{\"a\"/*:*/:1}", "1:5 /* for a colon"),
    ])
  func refuses(text: String, mistake: String) {
    #expect(told(text) == [mistake], "\(text)")
  }

  @Test(
    "bad UTF-8 is refused where it starts, and counts once however long it is",
    arguments: [
      [0x80], [0xBF, 0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xC3], [0xE2, 0x82],
      [0xF0, 0x9F, 0x92],
    ] as [[UInt8]])
  func refusesBadEncoding(bad: [UInt8]) {
    for (before, after) in [("\"é", "\""), ("[\"é", "\", 1]"), ("{\"é", "\": 0}"), ("[1, ", "]")] {
      let found = mistakes(Array(before.utf8) + bad + Array(after.utf8))
      #expect(found.map(\.kind) == [.invalidUTF8])
      #expect(found.first?.position.offset == before.utf8.count)
      #expect(found.first?.position.column == before.unicodeScalars.count + 1)
    }
    #expect(mistakes(Array("\"".utf8) + bad).first?.kind == .invalidUTF8)
  }

  @Test("the edges of UTF-8 are read")
  func acceptsEncodingEdges() throws {
    let edges = "\u{1}\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}"
      .dropFirst()
    #expect(try parsed("\"\(edges)\"") == .string(String(edges)))
  }

  @Test("byte order marks and U+0000 are refused, raw and escaped")
  func refusesMarksAndNull() {
    #expect(told("\u{FEFF}{}") == ["1:1 byteOrderMark"])
    #expect(told("\u{FEFF}[1,]") == ["1:1 byteOrderMark"])
    #expect(mistakes([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]).map(\.kind) == [.byteOrderMark])
    #expect(mistakes([0xFE, 0xFF, 0, 0x7B, 0, 0x7D]).map(\.kind) == [.byteOrderMark])
    #expect(told("\"a\0b\"") == ["1:3 nullCharacter"])
    #expect(told("{}\0") == ["1:3 nullCharacter"])
    #expect(told("[1,\0]") == ["1:4 nullCharacter"])
    #expect(told(#""a\u0000""#) == ["1:3 nullCharacter"])
  }

  @Test("keys are the same by their bytes after unescaping")
  func refusesDuplicateKeys() throws {
    #expect(told(#"{"a":1,"b":2,"\u0061":3}"#) == ["1:14 duplicate a"])
    #expect(told(#"{"a":{"a":1},"b":[{"a":1},{"a":1,"a":2}]}"#) == ["1:34 duplicate a"])
    // The same to Swift's String, but not the same bytes.
    #expect(try parsed("{\"\u{E9}\":1,\"e\u{301}\":2}").members?.count == 2)
    #expect(kinds("{\"\u{E9}\":1,\"\\u00e9\":2}") == [.duplicateKey("\u{E9}")])
    let many = (0..<1000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
    #expect(try parsed("{\(many)}").members?.count == 1000)
    #expect(kinds("{\(many),\"key3\":0}") == [.duplicateKey("key3")])
    #expect(kinds("{\(many),\"x\":0,\"x\":0}") == [.duplicateKey("x")])
  }
}
