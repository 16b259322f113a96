/// A unit by which kitchens and shops weigh and measure beside the metric ones: pounds and ounces,
/// gallons to teaspoons.
///
/// In files such a unit is one of a household's own, which converts to nothing (FORMAT.md, section
/// 3). An amount is converted once, when somebody says it. The contents are exact: a pound is
/// 453.59237 g, a US gallon 231 cubic inches, which is 3785.411784 ml, and an imperial gallon
/// 4546.09 ml (NIST Handbook 44, appendix C; the UK's Units of Measurement Regulations 1995).
public struct CustomaryUnit: Hashable, Sendable {
  /// Whose gallon, quart, pint and fluid ounce are meant.
  public enum System: Hashable, Sendable {
    case us, imperial
  }

  /// A content in grams or millilitres, as a fraction.
  private struct Content: Hashable {
    let numerator: Int128
    let denominator: Int128
  }

  private enum Volume: String, CaseIterable {
    case gal, qt, pt, cup, floz, tbsp, tsp

    /// The number of it in a US gallon.
    var inGallon: Int128 {
      switch self {
      case .gal: 1
      case .qt: 4
      case .pt: 8
      case .cup: 16
      case .floz: 128
      case .tbsp: 256
      case .tsp: 768
      }
    }

    /// The number of it in an imperial gallon; nil for what is not of that system.
    var inImperialGallon: Int128? {
      switch self {
      case .gal, .qt, .pt: inGallon
      case .floz: 160
      case .cup, .tbsp, .tsp: nil
      }
    }

    func content(_ system: System) -> Content {
      if system == .imperial, let parts = inImperialGallon {
        return Content(numerator: 454_609, denominator: 100 * parts)
      }
      return Content(numerator: 3_785_411_784, denominator: 1_000_000 * inGallon)
    }
  }

  private let mass: Content?
  private let volume: Content?
  private let isMetric: Bool
  /// The name that new things get, such as `lb`.
  private let name: String

  /// Returns the unit as one that measures; nil for pieces, packs and words such as `tin`.
  private init?(_ unit: Unit, _ system: System) {
    let metric = { (factor: Int128) in Content(numerator: factor, denominator: 1) }
    switch unit {
    case .gram: self.init(unit, mass: metric(1))
    case .kilogram: self.init(unit, mass: metric(1000))
    case .milliliter: self.init(unit, volume: metric(1))
    case .liter: self.init(unit, volume: metric(1000))
    case .piece, .pack: return nil
    case .own(let word):
      guard let name = Self.names[word] else { return nil }
      let ounces: Int128 = name == "lb" ? 1 : 16
      let mass = Content(numerator: 45_359_237, denominator: 100_000 * ounces)
      switch name {
      case "lb": self.init(unit, name, mass: mass)
      // An ounce of what is measured by volume is a fluid one.
      case "oz": self.init(unit, name, mass: mass, volume: Volume.floz.content(system))
      default:
        let (own, base) = Self.parts(of: name)
        guard let volume = Volume(rawValue: base) else { return nil }
        self.init(unit, name, volume: volume.content(own ?? system))
      }
    }
  }

  private init(_ unit: Unit, _ name: String? = nil, mass: Content? = nil, volume: Content? = nil) {
    self.mass = mass
    self.volume = volume
    self.name = name ?? unit.rawValue
    isMetric = unit.symbol != nil
  }

  /// Returns the system that a name says, and the name without it.
  private static func parts(of name: String) -> (System?, String) {
    if name.hasPrefix("us") { return (.us, String(name.dropFirst(2))) }
    if name.hasPrefix("imp") { return (.imperial, String(name.dropFirst(3))) }
    return (nil, name)
  }

  /// The names of the units by their spellings.
  private static let names: [String: String] = {
    let lists: [(String, [String])] = [
      ("lb", ["lbs", "pound", "pounds"]), ("oz", ["ozs", "ounce", "ounces"]),
      ("gal", ["gals", "gallon", "gallons"]), ("qt", ["qts", "quart", "quarts"]),
      ("pt", ["pts", "pint", "pints"]), ("cup", ["cups"]),
      ("floz", ["flozs", "fluidounce", "fluidounces", "flounce", "flounces"]),
      ("tbsp", ["tbsps", "tablespoon", "tablespoons"]),
      ("tsp", ["tsps", "teaspoon", "teaspoons"]),
    ]
    var names: [String: String] = [:]
    for (name, spellings) in lists {
      for word in [name] + spellings {
        names[word] = name
        guard Volume(rawValue: name)?.inImperialGallon != nil else { continue }
        for prefix in ["us"] { names[prefix + word] = "us" + name }
        for prefix in ["imp", "imperial", "uk"] { names[prefix + word] = "imp" + name }
      }
    }
    return names
  }()
}

extension CustomaryUnit {
  /// Reads a customary unit as people write it: `lbs`, `fl. oz.`, `imperial pint`.
  public static func unit(written text: String) -> Unit? {
    guard text.allSatisfy({ $0.isLetter || $0 == " " || $0 == "." }) else { return nil }
    return names[text.lowercased().filter(\.isLetter)].map { .own($0) }
  }

  /// Whether a household's own unit is a customary one.
  public static func isKnown(_ name: String) -> Bool { names[name] != nil }

  /// Whether a unit is a customary one.
  public static func measures(_ unit: Unit) -> Bool {
    if case .own(let name) = unit { isKnown(name) } else { false }
  }

  /// What was taken for a quantity that may mean two things.
  public enum Reading: Equatable, Sendable {
    /// A gallon, quart, pint or fluid ounce of one system.
    case system(System, other: Quantity)
    /// An ounce of what is measured by volume.
    case fluidOunces
  }

  /// Returns what was taken for a written quantity that counts in `unit`; nil if it is clear.
  public static func reading(
    of quantity: Quantity, in unit: Unit, _ system: System
  ) -> Reading? {
    guard !quantity.unit.converts(to: unit), let mine = CustomaryUnit(quantity.unit, system),
      let other = CustomaryUnit(unit, system), mine.volume != nil, other.volume != nil,
      mine.mass == nil || other.mass == nil
    else { return nil }
    if mine.name == "oz" { return .fluidOunces }
    guard other.isMetric, Volume(rawValue: mine.name)?.inImperialGallon != nil else { return nil }
    let prefix = system == .us ? "imp" : "us"
    return .system(system, other: Quantity(quantity.value, .own(prefix + mine.name)))
  }

  /// Returns a quantity in another unit, if one of the two is customary and both measure the same.
  ///
  /// The result is in the unit, or else in grams or millilitres if only these hold it with six
  /// decimals; what neither holds is rounded once. Nobody knows how much is in a cup of yoghurt, so
  /// nothing metric is counted in cups.
  static func convert(_ quantity: Quantity, to unit: Unit, _ system: System) -> Quantity? {
    guard let mine = CustomaryUnit(quantity.unit, system),
      let other = CustomaryUnit(unit, system),
      !(mine.isMetric && other.name == "cup")
    else { return nil }
    let pairs = [(mine.mass, other.mass), (mine.volume, other.volume)]
    guard let pair = pairs.first(where: { $0.0 != nil && $0.1 != nil }), let from = pair.0,
      let to = pair.1
    else { return nil }
    let exact = { (numerator: Int128, denominator: Int128) in
      quantity.value.scaled(by: numerator, over: denominator)
    }
    guard
      let value = exact(from.numerator * to.denominator, from.denominator * to.numerator)
    else { return nil }
    if value.isExact || !other.isMetric { return Quantity(value.number, unit) }
    let base: Unit = other.mass == nil ? .milliliter : .gram
    return exact(from.numerator, from.denominator).map { Quantity($0.number, base) }
  }
}

extension Household {
  /// Whose pints the household means: the imperial ones if it counts in pounds sterling.
  public var measures: CustomaryUnit.System { own?.currency == "GBP" ? .imperial : .us }

  /// Returns a quantity as it counts in a unit.
  ///
  /// It stays as it is if files convert it (FORMAT.md, section 2), or if nothing does. Customary
  /// units are converted: `5 lb` of what is counted in kilograms is 2267.96185 g.
  public func counted(_ quantity: Quantity, in unit: Unit) -> Quantity {
    guard !quantity.unit.converts(to: unit) else { return quantity }
    return CustomaryUnit.convert(quantity, to: unit, measures) ?? quantity
  }
}

extension Number {
  /// Returns the number times a fraction, rounded once, half to even, at the sixth decimal; nil if it
  /// is too large.
  func scaled(by numerator: Int128, over denominator: Int128) -> (number: Number, isExact: Bool)? {
    let common = Number.greatestDivisor(numerator, denominator)
    let step = denominator / common * 1000
    let (product, isOver) = billionths.multipliedReportingOverflow(by: numerator / common)
    guard !isOver else { return nil }
    let (quotient, rest) = product.quotientAndRemainder(dividingBy: step)
    let twice = 2 * rest.magnitude
    let isUp = twice > step || (twice == step && quotient % 2 != 0)
    let number = Number(billionths: (quotient + (isUp ? product.signum() : 0)) * 1000)
    return Number(number.description).map { ($0, rest == 0) }
  }

  private static func greatestDivisor(_ one: Int128, _ other: Int128) -> Int128 {
    var (larger, smaller) = (one, other)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return larger
  }
}
