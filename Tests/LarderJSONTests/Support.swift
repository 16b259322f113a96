import LarderJSON

/// The mistakes of a text; empty if it parses.
func mistakes(_ bytes: [UInt8]) -> [JSONMistake] {
  do throws(JSONMistakes) {
    _ = try JSON(parsing: bytes)
    return []
  } catch {
    return error.all
  }
}

func mistakes(_ text: String) -> [JSONMistake] { mistakes(Array(text.utf8)) }

func kinds(_ text: String) -> [JSONMistake.Kind] { mistakes(text).map(\.kind) }

/// Mistakes as `line:column kind`, easy to compare.
func told(_ text: String) -> [String] {
  mistakes(text).map { mistake in
    "\(mistake.position.line):\(mistake.position.column) \(summary(mistake.kind))"
  }
}

func summary(_ kind: JSONMistake.Kind) -> String {
  switch kind {
  case .unexpected(let found, let expected): "\(found) for \(expected)"
  case .unexpectedEnd(let expected): "end for \(expected)"
  case .duplicateKey(let key): "duplicate \(key)"
  case .badNumber(let lexeme): "number \(lexeme)"
  case .exponentTooLarge(let lexeme): "exponent \(lexeme)"
  case .tooLarge: "tooLarge"
  default: "\(kind)"
  }
}

func parsed(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

func asText(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A generator whose run a printed seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
