internal import Foundation
internal import LarderKit
internal import LarderText

/// The name of a phone, by which everybody sees in the log who did something.
struct PhoneName {
  /// The most characters.
  static let longest = 60

  let text: String

  /// Nil if a text can't be a name: it is one line of up to 60 characters, of which all can be seen,
  /// and none turns what stands around it.
  init?(_ text: String) {
    let name = text.trimmed
    guard Larder.isDeviceName(name), sanitize(name) == name,
      name.unicodeScalars.count <= Self.longest,
      !name.unicodeScalars.contains(where: Self.isUnseen)
    else { return nil }
    self.text = name
  }

  /// Joiners are within emoji and words; all other signs of this kind can't be seen.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .format && ![0x200C, 0x200D].contains(scalar.value)
  }

  /// Whether people could take another name for this one.
  func looksLike(_ other: String) -> Bool { text.outline == other.outline }
}

extension String {
  /// The text without white space around it.
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

  /// The name with one letter for all that look alike, and without what can't be seen.
  ///
  /// The letters are those of Unicode Technical Standard 39 that look like Latin ones in most fonts.
  fileprivate var outline: String {
    let plain = precomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
      .filter { !$0.properties.isDefaultIgnorableCodePoint }
      .map { Self.latin[Character($0)] ?? Character($0) }
    return plain.split(whereSeparator: \.isWhitespace).map { String($0) }.joined(separator: " ")
  }

  private static let latin = Dictionary(
    uniqueKeysWithValues: zip(
      "авекмнорстухіјѕԁһԛԝɡαβεηικνορτυχ01i|", "abekmhopctyxijsdhqwgabenikvoptuxolll"
    ).map { ($0, $1 == "i" ? "l" : $1) })
}
