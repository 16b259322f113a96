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

extension Sequence {
  /// Returns the elements by a text, without regard to case and accents, then by id.
  package func sorted(byText text: (Element) -> String, thenID id: (Element) -> String)
    -> [Element]
  {
    let elements = Array(self)
    let keys = elements.map { fold(text($0)) }
    return elements.indices
      .sorted { one, other in
        keys[one] == keys[other] ? id(elements[one]) < id(elements[other]) : keys[one] < keys[other]
      }
      .map { elements[$0] }
  }
}

/// The fast path for ASCII; nil if the text has other characters.
private func foldASCII(_ text: String) -> String? {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count)
  for byte in text.utf8 {
    switch byte {
    case 0x80...: return nil
    case 0x41...0x5A: bytes.append(byte | 0x20)
    case 0x20, 0x09...0x0D: if bytes.last ?? 0x20 != 0x20 { bytes.append(0x20) }
    default: bytes.append(byte)
    }
  }
  if bytes.last == 0x20 { bytes.removeLast() }
  return String(decoding: bytes, as: UTF8.self)
}

private let plainSpellings: [Unicode.Scalar: String] = [
  "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
  "ħ": "h", "ı": "i", "ŧ": "t", "ς": "σ",
]
