internal import Foundation

/// A text as it is compared where case, accents and width don't matter.
///
/// `é` is `e`, `ß` is `ss`, `Ａ` is `a`; runs of white space are one space, none at the ends.
/// Letters with a stroke or joined letters, which Unicode doesn't take apart, go by their plain ones.
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

/// The short way for what most names are; nil where the text has more than ASCII.
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
