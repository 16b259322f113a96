internal import Foundation

/// Returns a text for comparisons that ignore case, accents and width.
///
/// `é` is `e`, `ß` is `ss`, `Ａ` is `a`. Runs of white space become one space, and are removed at
/// both ends. Letters with a stroke and ligatures, which Unicode does not decompose, become plain
/// letters.
public func fold(_ text: String) -> String {
  if let ascii = foldASCII(text) { return ascii }
  let folded = text.folding(
    options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  var plain = ""
  for scalar in folded.unicodeScalars {
    if let spelled = plainSpellings[scalar] {
      plain += spelled
    } else {
      plain.unicodeScalars.append(scalar)
    }
  }
  return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

extension Array {
  /// Returns the elements by a text, without regard to case and accents, then by id, and then in
  /// their order.
  package func sorted(
    byText text: (Element) -> String, thenID id: (Element) -> String = { _ in "" }
  ) -> [Element] {
    let keys = map { SortKey(fold(text($0))) }
    let order = indices.sorted { one, other in
      if let isBefore = keys[one].isBefore(keys[other]) { return isBefore }
      return (id(self[one]), one) < (id(self[other]), other)
    }
    return order.map { self[$0] }
  }
}

/// A folded text to sort by, whose first bytes decide most comparisons of ASCII texts.
private struct SortKey {
  private let text: String
  /// The first 16 bytes; nil if there are others than ASCII's, which have an order of their own.
  private let beginning: UInt128?

  init(_ text: String) {
    self.text = text
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      beginning = nil
      return
    }
    let bytes = text.utf8.prefix(16)
    beginning = bytes.reduce(0) { $0 << 8 | UInt128($1) } << UInt128(8 * (16 - bytes.count))
  }

  /// Whether it is before another key; nil if both are equal.
  func isBefore(_ other: SortKey) -> Bool? {
    if let beginning, let otherBeginning = other.beginning, beginning != otherBeginning {
      return beginning < otherBeginning
    }
    return text == other.text ? nil : text < other.text
  }
}

/// The fast path for ASCII; nil if the text has other characters.
private func foldASCII(_ text: String) -> String? {
  var text = text
  return text.withUTF8 { utf8 in
    guard utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return String(unsafeUninitializedCapacity: utf8.count) { target in
      var count = 0
      for byte in utf8 {
        switch byte {
        case 0x41...0x5A: target[count] = byte | 0x20
        case 0x20, 0x09...0x0D:
          if count == 0 || target[count - 1] == 0x20 { continue }
          target[count] = 0x20
        default: target[count] = byte
        }
        count += 1
      }
      return count > 0 && target[count - 1] == 0x20 ? count - 1 : count
    }
  }
}

private let plainSpellings: [Unicode.Scalar: String] = [
  "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
  "ħ": "h", "ı": "i", "ŧ": "t", "ς": "σ",
]

/// Returns a folded name without the English plural's `s` at its end, to compare names by.
///
/// `eggs` is `egg`, `tomatoes` is `tomato`, `berries` is `berry`; `swiss` and `hummus` stay.
public func singular(_ folded: String) -> String {
  let stem: (String, Int)? = [
    ("ies", 3), ("oes", 2), ("xes", 2), ("ches", 2), ("shes", 2), ("sses", 2),
  ]
  .first { folded.hasSuffix($0.0) && folded.utf8.count > $0.0.utf8.count + 1 }
  if let (_, count) = stem { return folded.dropLast(count) + (count == 3 ? "y" : "") }
  let isPlural = folded.hasSuffix("s") && !["ss", "us", "is"].contains { folded.hasSuffix($0) }
  return isPlural && folded.utf8.count > 3 ? String(folded.dropLast()) : folded
}
