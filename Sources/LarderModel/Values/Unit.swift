/// The unit of a quantity (FORMAT.md, section 2).
///
/// Grams convert to kilograms, and millilitres to litres. A household's own unit, such as `tin`,
/// converts to nothing else.
public enum Unit: Hashable, Sendable {
  case piece, gram, kilogram, milliliter, liter, pack
  /// A unit of one's own, by its name in files.
  case own(String)

  /// The units that every household has.
  public static let known: [Unit] = [.piece, .gram, .kilogram, .milliliter, .liter, .pack]

  /// The largest number of characters in a unit's name.
  static let longestName = 24

  private var dimension: (base: Unit, factor: Int128) {
    switch self {
    case .kilogram: (.gram, 1000)
    case .liter: (.milliliter, 1000)
    default: (self, 1)
    }
  }

  /// Whether amounts in this unit convert to another: the same unit, kg and g, l and ml.
  public func converts(to other: Unit) -> Bool {
    dimension.base == other.dimension.base
  }

  func factor(to other: Unit) -> (multiply: Int128, divide: Int128)? {
    converts(to: other) ? (dimension.factor, other.dimension.factor) : nil
  }

  /// The usual symbol: `g`, `kg`, `ml`, `l`.
  public var symbol: String? {
    switch self {
    case .gram: "g"
    case .kilogram: "kg"
    case .milliliter: "ml"
    case .liter: "l"
    case .piece, .pack, .own: nil
    }
  }
}

extension Unit {
  /// Whether it measures, instead of counting pieces, packs or tins.
  public var isMeasured: Bool { symbol != nil }
}

extension Unit: RawRepresentable {
  /// The name in files.
  public var rawValue: String {
    switch self {
    case .piece: "piece"
    case .gram: "gram"
    case .kilogram: "kilogram"
    case .milliliter: "milliliter"
    case .liter: "liter"
    case .pack: "pack"
    case .own(let name): name
    }
  }

  /// Reads a name as files have it in canonical form; nil for any other text.
  public init?(rawValue: String) {
    switch rawValue {
    case "piece": self = .piece
    case "gram": self = .gram
    case "kilogram": self = .kilogram
    case "milliliter": self = .milliliter
    case "liter": self = .liter
    case "pack": self = .pack
    default:
      guard Self.isName(rawValue), Self.spellings[rawValue] == nil,
        !Self.reserved.contains(rawValue)
      else { return nil }
      self = .own(rawValue)
    }
  }

  /// Reads a name as people write it into files: ASCII in any case, a symbol, a plural or another
  /// spelling of the known units.
  public init?(written text: String) {
    let name = String(
      decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    guard let unit = Self.spellings[name] ?? Unit(rawValue: name) else { return nil }
    self = unit
  }

  /// Other spellings of the known units, which are rewritten.
  private static let spellings: [String: Unit] = {
    let lists: [(Unit, [String])] = [
      (.piece, ["pieces", "pc", "pcs"]),
      (.gram, ["g", "gr", "grams", "gramme", "grammes"]),
      (.kilogram, ["kg", "kgs", "kilo", "kilos", "kilograms", "kilogramme", "kilogrammes"]),
      (.milliliter, ["ml", "milliliters", "millilitre", "millilitres"]),
      (.liter, ["l", "ltr", "liters", "litre", "litres"]),
      (.pack, ["packs", "packet", "packets", "package", "packages", "pkg", "pkgs"]),
    ]
    return Dictionary(
      uniqueKeysWithValues: lists.flatMap { unit, words in words.map { ($0, unit) } })
  }()

  /// Words for a multiple of a known unit, or for none, which can be no unit of one's own.
  private static let reserved: Set<String> = [
    "x", "cl", "dl", "centiliter", "centiliters", "centilitre", "centilitres", "deciliter",
    "deciliters", "decilitre", "decilitres", "dozen", "dozens",
  ]

  /// The regular expression of JSON Schemas, which lets through some characters more.
  static let pattern = #"^[^\s!-@\[-`{-~]{1,24}$"#

  private static func isName(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return (1...longestName).contains(scalars.count)
      && scalars.allSatisfy { scalar in letters.contains { $0.contains(scalar.value) } }
  }

  /// The characters of a unit's name: small ASCII letters, and most beyond Latin-1's signs, without
  /// general punctuation and what has no look of its own.
  private static let letters: [ClosedRange<UInt32>] = [
    0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x1FFF, 0x2070...0x2FFF, 0x3004...0xD7FF,
    0xF900...0xFDFF, 0xFE10...0xFEFE, 0xFF00...0xFFEF,
  ]
}

/// A number with its unit.
public struct Quantity: Hashable, Sendable {
  public var value: Number
  public var unit: Unit

  public init(_ value: Number, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  /// Returns the amount in another unit, exact to nine decimals; nil if the units don't convert.
  public func converted(to unit: Unit) -> Number? {
    guard let factor = self.unit.factor(to: unit) else { return nil }
    return value.multiplied(by: factor.multiply).divided(by: factor.divide)
  }
}

extension Quantity: CustomStringConvertible {
  /// The quantity for display: `3`, `1.5 kg`, `2 packs`.
  public var description: String {
    switch unit {
    case .piece: "\(value)"
    default: "\(value) \(unit.symbol ?? unit.noun(for: value))"
    }
  }
}

extension Unit {
  /// The name that follows a number, in the plural if it is an English word for a package.
  public func noun(for value: Number) -> String {
    value == Number(1) ? rawValue : Self.plurals[rawValue] ?? rawValue
  }

  /// English words for packages and their plurals.
  public static let plurals = [
    "pack": "packs", "bag": "bags", "bar": "bars", "bottle": "bottles", "box": "boxes",
    "bunch": "bunches", "can": "cans", "carton": "cartons", "case": "cases", "crate": "crates",
    "cup": "cups", "dose": "doses", "glass": "glasses", "head": "heads", "jar": "jars",
    "loaf": "loaves", "net": "nets", "pair": "pairs", "portion": "portions", "pot": "pots",
    "pouch": "pouches", "punnet": "punnets", "roll": "rolls", "sachet": "sachets",
    "sheet": "sheets", "slice": "slices", "stick": "sticks", "tablet": "tablets", "tin": "tins",
    "tray": "trays", "tub": "tubs", "tube": "tubes",
  ]
}
