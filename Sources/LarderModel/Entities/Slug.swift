internal import Foundation

/// Readable file names.
enum Slug {
  /// Returns the name of an entity's file: its title, of a receipt with the day before it.
  static func stem(of entity: Entity, in household: Household) -> String {
    let name = of(Stock(household).title(of: entity))
    guard entity.kind == .receipt else { return name }
    return "\(Day(entity.timestamp, in: household.own?.timeZone ?? "UTC"))-\(name)"
  }

  /// Returns the letters and digits of a name, without case and accents, joined by single hyphens.
  ///
  /// They are those of ``plain(_:)``, at most 40 characters.
  static func of(_ name: String) -> String {
    var words = ""
    for scalar in plain(name).unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        words.unicodeScalars.append(scalar)
      } else if !words.isEmpty, words.unicodeScalars.last != "-" {
        words.append("-")
      }
      if words.unicodeScalars.count >= 40 || words.utf8.count >= 120 { break }
    }
    while words.unicodeScalars.last == "-" { words.unicodeScalars.removeLast() }
    return words
  }

  /// Returns a name in lower case and NFKD, without combining marks, recomposed.
  static func plain(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars
          .filter { $0.properties.canonicalCombiningClass == .notReordered })
    ).precomposedStringWithCanonicalMapping
  }

  /// Returns a name as the id of a loose shopping entry is made of it: plain, with single spaces
  /// and none at its ends.
  ///
  /// Unlike ``fold(_:)`` it is the same in every program (FORMAT.md, section 5).
  static func folded(_ name: String) -> String {
    plain(name).unicodeScalars.split { $0.properties.isWhitespace }.map(String.init)
      .joined(separator: " ")
  }
}

extension Entity {
  /// The title as part of a file or folder name; empty if nothing of it can be used.
  package var slug: String { Slug.of(title) }
}
