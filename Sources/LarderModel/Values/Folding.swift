internal import Foundation

/// Returns a text for comparisons that ignore case, accents and width.
///
/// `é` is `e`, `ß` is `ss`, `Ａ` is `a`. Runs of white space become one space, and are removed at
/// both ends. Letters with a stroke and ligatures, which Unicode does not decompose, become plain
/// letters.
public func fold(_ text: String) -> String {
  if let latin = foldLatin(text) { return latin }
  let folded = text.folding(
    options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  var plain = String.UnicodeScalarView()
  var isAfterSpace = false
  for scalar in folded.unicodeScalars {
    if scalar.properties.isWhitespace {
      isAfterSpace = true
      continue
    }
    if isAfterSpace, !plain.isEmpty { plain.append(" ") }
    isAfterSpace = false
    if !scalar.isASCII, let spelled = plainSpellings[scalar] {
      plain.append(contentsOf: spelled.unicodeScalars)
    } else {
      plain.append(scalar)
    }
  }
  return String(plain)
}

/// The fast path for ASCII and the letters of ``latinLetters``; nil if the text has other
/// characters.
private func foldLatin(_ text: String) -> String? {
  var text = text
  return text.withUTF8 { utf8 in
    // In UTF-8, these letters begin with C3 to C5.
    guard utf8.allSatisfy({ $0 < 0xC6 && $0 != 0xC2 }) else { return nil }
    var isKnown = true
    let folded = String(unsafeUninitializedCapacity: utf8.count) { target in
      var count = 0
      func append(_ byte: UInt8) {
        target[count] = byte
        count += 1
      }
      for (place, byte) in utf8.enumerated() {
        switch byte {
        case 0x41...0x5A: append(byte | 0x20)
        case 0x20, 0x09...0x0D:
          if count > 0, target[count - 1] != 0x20 { append(0x20) }
        case 0x80...0xBF: continue
        case 0xC3...:
          let letter = latinLetters[Int(byte - 0xC3) << 6 | Int(utf8[place + 1] & 0x3F)]
          if letter.isEmpty { isKnown = false }
          for byte in letter { append(byte) }
        default: append(byte)
        }
      }
      return count > 0 && target[count - 1] == 0x20 ? count - 1 : count
    }
    return isKnown ? folded : nil
  }
}

/// What the letters from U+00C0 to U+017F fold to, which is never longer; empty for the one that folds
/// to more.
private let latinLetters: [[UInt8]] = """
  a a a a a a ae c e e e e i i i i d n o o o o o × o u u u u y th ss
  a a a a a a ae c e e e e i i i i d n o o o o o ÷ o u u u u y th y
  a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g
  g g g g h h h h i i i i i i i i i i ĳ ĳ j j k k ĸ l l l l l l ŀ
  ŀ l l n n n n n n - ŋ ŋ o o o o o o oe oe r r r r r r s s s s s s
  s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s
  """.split { $0 == " " || $0 == "\n" }.map { $0 == "-" ? [] : Array($0.utf8) }

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
