import LarderJSON
import Testing

@Suite struct ValueTests {
  @Test("equality and hashing go by bytes and by the order of members")
  func equality() {
    let one = JSON.string("\u{E9}")
    let other = JSON.string("e\u{301}")
    #expect(one != other)
    #expect(Set([one, other, .string("\u{E9}")]).count == 2)
    #expect(JSON.number("1") != .number("1.0"))
    #expect(JSON.number("1") != .string("1"))
    #expect(JSON.bool(true) != .bool(false))
    let ab = JSON.object([JSONMember("a", .null), JSONMember("b", .null)])
    let ba = JSON.object([JSONMember("b", .null), JSONMember("a", .null)])
    #expect(ab != ba)
    #expect(ab.canonicalized() == ba.canonicalized())
    #expect(JSONMember("\u{E9}", .null) != JSONMember("e\u{301}", .null))
    #expect(JSON.array([.null]) != .array([]))
    #expect(Set<JSON>([.null, .bool(true), .number("1"), .array([.null]), ab, ba]).count == 6)
  }

  @Test("members are found by the bytes of their keys")
  func access() throws {
    let value = try parsed("{\"a\":[1,\"x\",true],\"e\u{301}\":2}")
    #expect(value["a"]?.array?.count == 3)
    #expect(value["a"]?.array?[0].number == "1")
    #expect(value["a"]?.array?[1].string == "x")
    #expect(value["a"]?.array?[2].bool == true)
    #expect(value["e\u{301}"] == .number("2"))
    #expect(value["\u{E9}"] == nil)
    #expect(value["b"] == nil)
    #expect(JSON.null["a"] == nil)
    #expect(value.members?.map(\.key) == ["a", "e\u{301}"])
    #expect(value.string == nil && value.array == nil && value.number == nil && value.bool == nil)
    #expect(JSON.null.members == nil)
  }

  @Test("strings are ordered by their bytes")
  func order() {
    #expect(JSON.precedes("", "a"))
    #expect(JSON.precedes("B", "a"))
    #expect(JSON.precedes("a", "aa"))
    #expect(JSON.precedes("e\u{301}", "\u{E9}"))
    #expect(!JSON.precedes("\u{E9}", "e\u{301}"))
    #expect(!JSON.precedes("a", "a"))
    // UTF-16 would have it the other way.
    #expect(JSON.precedes("\u{FFFF}", "\u{10000}"))
  }

  @Test("long strings with the same beginning differ at any place")
  func orderOfLongStrings() {
    let bytes = Array("0123456789abcdefghijklmno".utf8)
    let text = String(decoding: bytes, as: UTF8.self)
    for place in bytes.indices {
      var others = bytes
      others[place] += 1
      let other = String(decoding: others, as: UTF8.self)
      #expect(JSON.precedes(text, other) && !JSON.precedes(other, text), "place \(place)")
      let beginning = String(decoding: bytes[..<place], as: UTF8.self)
      #expect(JSON.precedes(beginning, text) && !JSON.precedes(text, beginning))
      #expect(JSON.object([JSONMember(text, .null)]) != .object([JSONMember(other, .null)]))
    }
  }

  @Test("a path's value and key are found in the text, or as deep as the text goes")
  func paths() {
    let text = """
      {
        "é": 1, "s": "],}\\"",
        "list": [ 10, { "a\\u0062": [ [], {} ] }, "x" ],
        "last": {}
      }
      """
    let bytes = Array(text.utf8)
    func place(_ path: [JSONStep], key: Bool = false) -> String {
      let position = JSON.position(of: path, in: bytes, key: key)
      return position.map { "\($0.line):\($0.column)" } ?? "none"
    }
    #expect(place([]) == "1:1")
    #expect(place([.key("é")]) == "2:8")
    #expect(place([.key("s")]) == "2:16")
    #expect(place([.key("s")], key: true) == "2:11")
    #expect(place([.key("list"), .index(0)]) == "3:13")
    #expect(place([.key("list"), .index(1), .key("ab"), .index(1)]) == "3:36")
    #expect(place([.key("list"), .index(1), .key("ab")], key: true) == "3:19")
    #expect(place([.key("list"), .index(2)], key: true) == "3:44")
    #expect(place([.key("last")]) == "4:11")
    #expect(place([.key("none")]) == "1:1")
    #expect(place([.key("list"), .index(3)]) == "3:11")
    #expect(place([.key("list"), .index(-1)]) == "3:11")
    #expect(place([.key("last"), .key("x")]) == "4:11")
    #expect(place([.key("last"), .index(0)], key: true) == "4:3")
    #expect(place([.key("é"), .key("x"), .key("y")]) == "2:8")
    #expect(JSON.position(of: [.key("a")], in: []) == nil)
    #expect(JSON.position(of: [], in: Array("  1".utf8))?.offset == 2)
    #expect(JSON.position(of: [.index(0)], in: Array("[]".utf8))?.offset == 0)
  }
}
