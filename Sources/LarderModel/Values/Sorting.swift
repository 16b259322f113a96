internal import Foundation
internal import LarderJSON
internal import LarderText

extension Array {
  /// Returns the elements by a text, without regard to case and accents, then by id, and then in
  /// their order.
  package func sorted(
    byText text: (Element) -> String, thenID id: (Element) -> String = { _ in "" }
  ) -> [Element] {
    let texts = map { fold(text($0)) }
    return sorted(byBeginnings: texts.map { beginning(of: composed($0)) }) { one, other in
      if texts[one] != texts[other] { return texts[one] < texts[other] }
      return (id(self[one]), one) < (id(self[other]), other)
    }
  }

  /// Returns the elements by the bytes of a text, then in their order.
  package func sorted(byBytesOf text: (Element) -> String) -> [Element] {
    let texts = map(text)
    return sorted(byBeginnings: texts.map(beginning)) { one, other in
      texts[one].hasSameBytes(as: texts[other])
        ? one < other : JSON.precedes(texts[one], texts[other])
    }
  }

  /// Returns the elements by the beginnings of their texts; `precedes` compares the places of two
  /// with the same beginning.
  private func sorted(
    byBeginnings beginnings: [UInt128], _ precedes: (Int, Int) -> Bool
  ) -> [Element] {
    // An element is moved once, and not with each comparison.
    indices.sorted { one, other in
      beginnings[one] == beginnings[other]
        ? precedes(one, other) : beginnings[one] < beginnings[other]
    }
    .map { self[$0] }
  }
}

/// Returns the first 16 bytes of a text; their order is that of the texts' bytes.
private func beginning(of text: String) -> UInt128 {
  var text = text
  return text.withUTF8 { utf8 in
    var beginning: UInt128 = 0
    withUnsafeMutableBytes(of: &beginning) { $0.copyBytes(from: utf8.prefix($0.count)) }
    return UInt128(bigEndian: beginning)
  }
}

/// Returns Unicode's form NFC of a text; the order of its bytes is Swift's order of texts.
private func composed(_ text: String) -> String {
  text.utf8.contains { $0 >= 0x80 } ? text.precomposedStringWithCanonicalMapping : text
}
