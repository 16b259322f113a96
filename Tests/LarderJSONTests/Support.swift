import LarderJSON

/// The mistake of a text; empty if it parses.
func mistakes(_ bytes: [UInt8]) -> [JSONMistake] {
  do throws(JSONMistake) {
    _ = try JSON(parsing: bytes)
    return []
  } catch {
    return [error]
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
