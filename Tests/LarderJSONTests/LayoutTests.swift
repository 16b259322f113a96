import LarderJSON
import Testing

@Suite struct LayoutTests {
  static let stockItem = """
    {
      "id": "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c",
      "name": "Oat milk",
      "category": "Dairy",
      "unit": "piece",
      "quantityInStock": 3,
      "quantityFullStock": 6,
      "isArchived": false,
      "userId": "5b3f0d6e-58a2-4c0e-8a63-0a4b6c1d2e3f",
      "createdAt": "2026-11-01T08:00:00.000Z",
      "updatedAt": "2026-11-03T19:12:44.120Z",
      "edited": {
        "quantityFullStock": "2026-11-02T10:00:00.000Z"
      },
      "changes": [
        { "id": "0192e5a0-1b2c-7d3e-8f40-5a6b7c8d9e0f", "at": "2026-11-01T08:00:00.000Z", "set": 4, "why": "count", "by": "laptop" },
        { "id": "0192e6f1-2c3d-7e4f-9051-6b7c8d9e0f1a", "at": "2026-11-02T18:30:00.000Z", "delta": 2, "why": "receipt", "by": "phone" },
        { "id": "0192f0c4-3d4e-7f50-a162-7c8d9e0f1a2b", "at": "2026-11-03T19:12:44.120Z", "delta": -3, "why": "consume", "by": "phone" }
      ]
    }

    """

  @Test("the format's example of a stock item is a fixed point of reading and writing")
  func stockItemIsFixed() throws {
    #expect(asText(try parsed(Self.stockItem).writeFile()) == Self.stockItem)
  }

  @Test(
    "values are laid out as the format says",
    arguments: [
      ("null", "null"), (" [ ] ", "[]"), ("{ }", "{}"), ("[{}]", "[\n  {}\n]"),
      ("[[]]", "[\n  []\n]"), ("[1,2]", "[\n  1,\n  2\n]"), ("[null]", "[\n  null\n]"),
      (#"{"a":{"b":{"c":[]}}}"#, "{\n  \"a\": {\n    \"b\": {\n      \"c\": []\n    }\n  }\n}"),
      (#"[{"a":1},[1,2]]"#, "[\n  { \"a\": 1 },\n  [1, 2]\n]"),
      (
        #"[{"a":{"b":[1,{"c":null}]},"d":{}}]"#,
        "[\n  { \"a\": { \"b\": [1, { \"c\": null }] }, \"d\": {} }\n]"
      ),
      (
        #"{"a":[true,false],"b":"x"}"#,
        "{\n  \"a\": [\n    true,\n    false\n  ],\n  \"b\": \"x\"\n}"
      ),
      ("{\"b\":1.50,\"a\":1e2}", "{\n  \"b\": 1.50,\n  \"a\": 1e2\n}"),
    ])
  func layout(text: String, written: String) throws {
    let value = try parsed(text)
    #expect(asText(value.written()) == written)
    #expect(asText(value.writeFile()) == written + "\n")
    #expect(try parsed(written) == value)
  }

  @Test("a member is laid out at the depth it stands at")
  func depth() throws {
    let value = try parsed(#"{"a":[1],"b":{"c":2}}"#)
    #expect(
      asText(value.written(depth: 1))
        == "{\n    \"a\": [\n      1\n    ],\n    \"b\": {\n      \"c\": 2\n    }\n  }")
    #expect(asText(value.compact()) == #"{ "a": [1], "b": { "c": 2 } }"#)
    #expect(asText(JSON.array([]).compact()) == "[]")
  }

  @Test("strings escape quotes, backslashes and control characters, and nothing else")
  func escapes() {
    #expect(
      asText(JSON.string("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{B}\u{1F}\u{7F}é🥛\u{2028}").written())
        == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u000b\\u001f\u{7F}é🥛\u{2028}\"")
    #expect(
      asText(JSON.object([JSONMember("a\"\n", .null)]).compact()) == #"{ "a\"\n": null }"#)
  }

  @Test("canonical values drop nulls in objects, sort keys by bytes and write numbers plainly")
  func canonical() throws {
    let value = try parsed(
      "{\"z\":null,\"b\":[null,{\"y\":null,\"x\":-0.0}],\"é\":1.50,\"B\":{\"n\":null},\"ab\":1e2}")
    #expect(
      asText(value.canonicalized().compact())
        == "{ \"B\": {}, \"ab\": 100, \"b\": [null, { \"x\": 0 }], \"é\": 1.5 }")
    #expect(value.canonicalized().canonicalized() == value.canonicalized())
    #expect(JSON.null.canonicalized() == .null)
  }

  @Test(
    "numbers are written plainly",
    arguments: [
      ("0", "0"), ("-0", "0"), ("0.000", "0"), ("-0.0e5", "0"), ("7", "7"), ("-7", "-7"),
      ("10", "10"), ("100.0", "100"), ("1.50", "1.5"), ("0.10", "0.1"), ("1e2", "100"),
      ("1E+2", "100"), ("1.5e1", "15"), ("1.25e1", "12.5"), ("-1.5e3", "-1500"),
      ("12e-1", "1.2"), ("12e-2", "0.12"), ("12e-3", "0.012"), ("-5e-1", "-0.5"),
      ("1200e-2", "12"), ("0.001e3", "1"), ("1e0", "1"), ("1e-0", "1"), ("10e-1", "1"),
      ("123456789.123456789", "123456789.123456789"), ("0.1e1", "1"), ("0.012", "0.012"),
    ])
  func plainNumbers(lexeme: String, plain: String) {
    #expect(JSON.canonicalNumber(lexeme) == plain)
    #expect(JSON.canonicalNumber(plain) == plain)
  }

  @Test(
    "what is no number has no plain form",
    arguments: [
      "", "-", "+1", "01", "1.", ".5", "1e", "0x1", "1 ", " 1", "NaN", "--1", "1e1.5", "١",
    ])
  func notNumbers(lexeme: String) {
    #expect(JSON.canonicalNumber(lexeme) == nil)
  }
}
