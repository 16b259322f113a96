import LarderJSON
import TestSupport
import Testing

@Suite struct RandomTests {
  @Test("20,000 random values survive writing and reading, in every layout")
  func roundTrip() throws {
    let seed = Seed.ofRun
    print("round trip seed: \(seed)")
    var generator = ValueGenerator(seed: seed)
    for _ in 0..<20_000 {
      let value = generator.value(depth: 0)
      let file = value.writeFile()
      check(try JSON(parsing: file) == value, "seed \(seed)")
      check(try JSON(parsing: value.compact()) == value, "seed \(seed)")
      let canonical = value.canonicalized()
      let bytes = canonical.written()
      check(try JSON(parsing: bytes) == canonical, "seed \(seed)")
      check(try JSON(parsing: bytes).canonicalized().written() == bytes, "seed \(seed)")
      check(value.hashValue == (try JSON(parsing: file)).hashValue, "seed \(seed)")
      if let path = generator.path(into: value) {
        let position = try #require(JSON.position(of: path.steps, in: file))
        let first = path.value.compact().first
        check(file[position.offset] == first, "seed \(seed)")
      }
    }
  }

  @Test("50,000 random and mangled texts neither crash nor go unexplained")
  func neverCrashes() {
    let seed = Seed.ofRun
    print("mangled text seed: \(seed)")
    var generator = ValueGenerator(seed: seed)
    for round in 0..<50_000 {
      let bytes = round % 5 == 0 ? generator.noise() : generator.mangled()
      do throws(JSONMistake) {
        let value = try JSON(parsing: bytes)
        check((try? JSON(parsing: value.written())) == value, "seed \(seed): \(bytes)")
      } catch {
        check((0...bytes.count).contains(error.position.offset), "seed \(seed): \(bytes)")
      }
      _ = JSON.position(of: [.key("a"), .index(1)], in: bytes, key: true)
      _ = JSON.position(of: [.index(1), .key("b")], in: bytes)
    }
  }
}

/// Like `#expect`, whose expansion takes longer than what these tests check so many times.
private func check(_ condition: Bool, _ comment: @autoclosure () -> String) {
  if !condition { Issue.record(Comment(rawValue: comment())) }
}

/// Makes random values, and texts that are nearly JSON.
struct ValueGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func value(depth: Int) -> JSON {
    switch below(depth > 5 ? 5 : 8) {
    case 0: return .null
    case 1: return .bool(below(2) == 0)
    case 2: return .number(number())
    case 3, 4: return .string(text())
    case 5: return .array((0..<below(5)).map { _ in value(depth: depth + 1) })
    default:
      var members: [JSONMember] = []
      for _ in 0..<below(below(20) == 0 ? 40 : 6) {
        let key = text()
        if !members.contains(where: { Array($0.key.utf8) == Array(key.utf8) }) {
          members.append(JSONMember(key, value(depth: depth + 1)))
        }
      }
      return .object(members)
    }
  }

  private mutating func number() -> String {
    var lexeme = below(2) == 0 ? "-" : ""
    lexeme += below(4) == 0 ? "0" : String(below(1_000_000_000) + 1)
    if below(3) == 0 { lexeme += "." + (0..<below(6) + 1).map { _ in String(below(10)) }.joined() }
    if below(5) == 0 { lexeme += ["e", "E+", "e-"][below(3)] + String(below(300)) }
    return lexeme
  }

  private mutating func text() -> String {
    var text = ""
    for _ in 0..<below(below(4) == 0 ? 40 : 8) {
      let code: Int
      switch below(8) {
      case 0: code = below(0x1F) + 1
      case 1: code = [0x22, 0x5C, 0x2F, 0x7F, 0x301, 0xE9, 0x2028, 0xFEFF][below(8)]
      case 2: code = below(0x10FFFF) + 1
      default: code = 0x61 + below(6)
      }
      text.unicodeScalars.append(Unicode.Scalar(UInt32(code)) ?? "x")
    }
    return text
  }

  /// A way down to some value inside another one.
  mutating func path(into root: JSON) -> (steps: [JSONStep], value: JSON)? {
    var steps: [JSONStep] = []
    var value = root
    while below(4) > 0 {
      if let elements = value.array, !elements.isEmpty {
        let index = below(elements.count)
        steps.append(.index(index))
        value = elements[index]
      } else if let members = value.members, !members.isEmpty {
        let member = members[below(members.count)]
        steps.append(.key(member.key))
        value = member.value
      }
    }
    return steps.isEmpty ? nil : (steps, value)
  }

  mutating func noise() -> [UInt8] {
    let alphabet = Array("{}[]\",:\\ \n\r\tabu0123456789eE+-.'/*#<=>|truefalsnd\u{0}\u{1}é".utf8)
    let isText = below(3) > 0
    return (0..<below(120)).map { _ in
      isText ? alphabet[below(alphabet.count)] : UInt8(below(256))
    }
  }

  /// A text of a value, with some bytes changed, removed, inserted or repeated.
  mutating func mangled() -> [UInt8] {
    var bytes = below(2) == 0 ? value(depth: 0).written() : value(depth: 1).compact()
    for _ in 0..<below(6) {
      let place = below(bytes.count + 1)
      switch below(6) {
      case 0 where place < bytes.count: bytes[place] = UInt8(below(256))
      case 1 where place < bytes.count: bytes.remove(at: place)
      case 2: bytes.insert(contentsOf: noise().prefix(below(5)), at: place)
      case 3: bytes.removeSubrange(place..<min(place + below(20), bytes.count))
      case 4:
        let end = min(place + below(20), bytes.count)
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      default:
        let marker = ["\n<<<<<<< a\n", "\n=======\n", "\n>>>>>>> b\n", "//", "/*", "\n"][below(6)]
        bytes.insert(contentsOf: Array(marker.utf8), at: place)
      }
    }
    return bytes
  }
}
