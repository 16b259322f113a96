import LarderJSON

/// Checks JSON against the keywords of JSON Schema that Larder's schemas use, and no others.
enum SchemaValidator {
  /// What a value does wrong, each with a path; a keyword that is not known here is one as well.
  static func mistakes(in value: JSON, against schema: JSON, at path: String = "$")
    -> [String]
  {
    (schema.members ?? []).flatMap { keyword in
      mistakes(in: value, keyword.key, keyword.value, schema, at: path)
    }
  }

  private static func mistakes(
    in value: JSON, _ keyword: String, _ rule: JSON, _ schema: JSON, at path: String
  ) -> [String] {
    switch keyword {
    case "$schema", "$id", "title", "description", "default": return []
    case "type": return type(of: value, is: rule) ? [] : ["\(path): is no \(rule.string ?? "?")"]
    case "enum": return rule.array?.contains(value) ?? false ? [] : ["\(path): is none of enum"]
    case "minLength":
      guard let text = value.string, let least = rule.number.flatMap(Int.init) else { return [] }
      return text.unicodeScalars.count >= least ? [] : ["\(path): is too short"]
    case "pattern":
      guard let text = value.string, let pattern = rule.string else { return [] }
      return matches(text, pattern) ? [] : ["\(path): does not match"]
    case "minimum", "maximum":
      guard let number = value.number.flatMap(Double.init),
        let limit = rule.number.flatMap(Double.init)
      else { return [] }
      let isGood = keyword == "minimum" ? number >= limit : number <= limit
      return isGood ? [] : ["\(path): is beyond the \(keyword)"]
    case "items":
      return (value.array ?? []).enumerated().flatMap { index, element in
        mistakes(in: element, against: rule, at: "\(path)[\(index)]")
      }
    case "required":
      guard value.members != nil else { return [] }
      return (rule.array ?? []).compactMap(\.string).filter { value[$0] == nil }
        .map { "\(path): lacks \($0)" }
    case "properties":
      return (value.members ?? []).flatMap { member in
        rule[member.key].map {
          mistakes(in: member.value, against: $0, at: "\(path).\(member.key)")
        } ?? []
      }
    case "additionalProperties":
      if rule == .bool(true) { return [] }
      let others = (value.members ?? []).filter { schema["properties"]?[$0.key] == nil }
      return others.flatMap { member in
        mistakes(in: member.value, against: rule, at: "\(path).\(member.key)")
      }
    case "anyOf", "oneOf":
      let count = (rule.array ?? []).count { mistakes(in: value, against: $0).isEmpty }
      let isGood = keyword == "anyOf" ? count > 0 : count == 1
      return isGood ? [] : ["\(path): fits \(count) of \(keyword)"]
    default: return ["\(path): \(keyword) is not known"]
    }
  }

  private static func type(of value: JSON, is rule: JSON) -> Bool {
    switch (rule.string, value) {
    case ("string", .string), ("number", .number), ("boolean", .bool), ("array", .array),
      ("object", .object):
      true
    case ("integer", .number(let lexeme)):
      !(JSON.canonicalNumber(lexeme) ?? ".").contains(".")
    default: false
    }
  }

  private static func matches(_ text: String, _ pattern: String) -> Bool {
    guard let expression = try? Regex(pattern) else { return false }
    return text.contains(expression)
  }
}
