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
    let keys = map { SortKey(text($0)) }
    let order = indices.sorted { one, other in
      if let isBefore = keys[one].isBefore(keys[other]) { return isBefore }
      return (id(self[one]), one) < (id(self[other]), other)
    }
    return order.map { self[$0] }
  }
}

/// A text to sort by, whose first bytes decide most comparisons of ASCII texts.
private struct SortKey {
  private let text: String
  /// The first 16 bytes once folded; nil if the text has others than ASCII's, which have an order of
  /// their own.
  private let beginning: UInt128?

  init(_ text: String) {
    self.text = text
    beginning = withASCII(of: text) { utf8 in
      var bytes = FoldedASCII(utf8)
      return (0..<16).reduce(0) { beginning, _ in beginning << 8 | UInt128(bytes.next() ?? 0) }
    }
  }

  /// Whether it is before another key; nil if both are equal.
  func isBefore(_ other: SortKey) -> Bool? {
    if let beginning, let otherBeginning = other.beginning, beginning != otherBeginning {
      return beginning < otherBeginning
    }
    let (one, another) = (fold(text), fold(other.text))
    return one == another ? nil : one < another
  }
}

/// The fast path for ASCII; nil if the text has other characters.
private func foldASCII(_ text: String) -> String? {
  withASCII(of: text) { utf8 in
    String(unsafeUninitializedCapacity: utf8.count) { target in
      var bytes = FoldedASCII(utf8)
      var count = 0
      while let byte = bytes.next() {
        target[count] = byte
        count += 1
      }
      return count
    }
  }
}

private func withASCII<Value>(
  of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Value
) -> Value? {
  var text = text
  return text.withUTF8 { $0.allSatisfy { $0 < 0x80 } ? body($0) : nil }
}

/// The folded bytes of an ASCII text.
private struct FoldedASCII {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var isBeginning = true

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  mutating func next() -> UInt8? {
    let start = index
    while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    guard index < bytes.count else { return nil }
    // The next call begins at the letter, without a space before it.
    if index > start, !isBeginning { return 0x20 }
    isBeginning = false
    let byte = bytes[index]
    index += 1
    return (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}

private let plainSpellings: [Unicode.Scalar: String] = [
  "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
  "ħ": "h", "ı": "i", "ŧ": "t", "ς": "σ",
]
