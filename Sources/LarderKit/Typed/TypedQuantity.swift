public import LarderModel

/// A number with an optional unit, as people write it: `2`, `0,5`, `1 1/2`, `½`, `half`, `1.5kg`,
/// `500 g`, `2x`, `2 x 1.5 l`.
public struct TypedQuantity: Equatable, Sendable {
  public var value: Number
  public var unit: Unit?
  /// Whether it is less than one, in words or as a fraction: `half` may be half of one, or of all.
  public private(set) var isPart = false
  /// The two meanings of a number with a point before three digits, if its unit does not decide.
  ///
  /// Nobody has 1500 kg, but 1.500 g may be 1500 g. A form of Larder's own means the point.
  private(set) var thousands: Mistake?
  /// The number with the word behind it, where that word is a multiple: in `2 Pfund`, two of `pfund`.
  private(set) var inWord: Quantity?

  public static func == (left: TypedQuantity, right: TypedQuantity) -> Bool {
    left.value == right.value && left.unit == right.unit
  }

  /// The reason why a text is not a quantity.
  public enum Mistake: Error, Equatable {
    case noNumber
    /// A comma before three digits, or a point before three zeros: decimals or thousands.
    case comma(decimal: String, thousands: String)
    case tooManyDigits
    case unknownUnit(String)
    /// Words that say no number, such as `a few`.
    case vague(String)
    /// A sum of money.
    case price(String)
  }

  public init(value: Number, unit: Unit? = nil) {
    self.value = value
    self.unit = unit
  }

  /// Creates the quantity as people write it; pieces have no unit.
  public init(shown quantity: Quantity) {
    self.init(value: quantity.value, unit: quantity.unit == .piece ? nil : quantity.unit)
  }

  /// Reads a written quantity.
  public init(_ text: String) throws(Mistake) {
    guard text.utf8.count <= 200 else { throw .noNumber }
    var scanner = AmountScanner(text)
    var number = try scanner.factors()
    var word = scanner.rest
    guard !word.isEmpty else {
      self.init(value: number)
      isPart = scanner.isPart && number < Number(1)
      thousands = scanner.thousands
      return
    }
    if let (unit, factor) = Self.factor(behind: word) {
      guard let product = number.multiplied(by: factor) else { throw .tooManyDigits }
      (number, word) = (product, unit)
    }
    guard let unit = TypedUnit(word) else { throw .unknownUnit(word) }
    guard let value = number.multiplied(by: Number(unit.factor)) else { throw .tooManyDigits }
    self.init(value: try Self.checked(value), unit: unit.unit)
    thousands = unit.unit.isLarge ? nil : scanner.thousands
    if unit.factor != 1 { inWord = Unit(rawValue: fold(word)).map { Quantity(number, $0) } }
  }

  /// Reads what somebody typed; throws where a point may separate thousands.
  public init(typed text: String) throws(Mistake) {
    self = try TypedQuantity(text)
    if unit != nil, let thousands { throw thousands }
  }

  /// Returns the unit before a factor, as in `1.5 l x 2`, and the factor; nil without one.
  private static func factor(behind text: String) -> (unit: String, factor: Number)? {
    guard let last = text.lastIndex(of: "x"), last > text.startIndex else { return nil }
    let unit = spaced(String(text[..<last]))
    let isApart = text[text.index(before: last)] == " " || TypedUnit.isKnown(unit)
    guard isApart, let factor = try? TypedQuantity(String(text[text.index(after: last)...])),
      factor.unit == nil, factor.thousands == nil
    else { return nil }
    return (unit, factor.value)
  }

  /// Returns the number rounded as files store it; throws if it has too many digits.
  static func checked(_ number: Number) throws(Mistake) -> Number {
    guard let kept = Number(number.rounded.description) else { throw .tooManyDigits }
    return kept
  }

  /// Returns the quantity, in `standard` if no unit was written.
  public func quantity(in standard: Unit) -> Quantity { Quantity(value, unit ?? standard) }
}

/// An amount of a thing: a quantity, or all that there is.
public enum TypedAmount: Equatable, Sendable {
  case quantity(TypedQuantity)
  case all

  /// Reads a written amount: `all`, or a quantity.
  public init(_ text: String) throws(TypedQuantity.Mistake) {
    self = fold(text) == "all" ? .all : .quantity(try TypedQuantity(text))
  }
}

/// A written unit as a multiple of a known one: a centilitre is 10 millilitres.
struct TypedUnit: Equatable, Sendable {
  let unit: Unit
  let factor: Int

  /// Reads a name, plural, symbol or multiple, in any case; nil if the text can't be a unit.
  ///
  /// Customary units have one name, whichever is typed: `pounds` are `lb`.
  init?(_ text: String) {
    let word = text.lowercased().composed
    guard !word.contains(where: \.isCurrencySymbol) else { return nil }
    if let (unit, factor) = Self.multiples[word] {
      (self.unit, self.factor) = (unit, factor)
    } else if let unit = CustomaryUnit.unit(written: word) {
      (self.unit, self.factor) = (unit, 1)
    } else if let unit = Unit(written: Self.singulars[word] ?? word) {
      (self.unit, self.factor) = (unit, 1)
    } else {
      return nil
    }
  }

  /// Whether the word is a common unit, so that it is never the name of a thing.
  static func isKnown(_ text: String) -> Bool {
    guard let typed = TypedUnit(text) else { return false }
    if case .own(let name) = typed.unit {
      return Unit.plurals[name] != nil || CustomaryUnit.isKnown(name)
        || foreignPlurals[name] != nil || foreignPlurals.values.contains(name)
    }
    return true
  }

  /// Words for packages in other languages, with their plurals as keys.
  ///
  /// They stay as they are written, so no household's unit changes.
  private static let foreignPlurals = [
    "bechern": "becher", "beuteln": "beutel", "dosen": "dose", "flaschen": "flasche",
    "gläser": "glas", "kisten": "kiste", "rollen": "rolle", "tafeln": "tafel", "tuben": "tube",
    "tüten": "tüte", "scheiben": "scheibe", "boîtes": "boîte", "bouteilles": "bouteille",
    "pots": "pot", "tranches": "tranche", "botellas": "botella", "latas": "lata",
    "bolsas": "bolsa", "cajas": "caja", "rollos": "rollo",
  ]

  /// Whether a unit of a household's own is another unit as people type it: in another case, in
  /// the plural, or in another spelling of a known one.
  static func isSame(_ own: Unit, _ typed: Unit) -> Bool {
    guard case .own(let name) = own else { return false }
    guard case .own(let word) = typed else { return TypedUnit(name)?.unit == typed }
    let plain = { (name: String) in
      let name = name.lowercased().composed
      return foreignPlurals[name] ?? name
    }
    return plain(name) == plain(word)
  }

  private static let singulars = Dictionary(
    uniqueKeysWithValues: Unit.plurals.map { ($0.value, $0.key) })

  private static let multiples: [String: (Unit, Int)] = {
    var multiples: [String: (Unit, Int)] = [
      "dozen": (.piece, 12), "dozens": (.piece, 12), "dutzend": (.piece, 12), "stk": (.piece, 1),
      "stück": (.piece, 1), "gramm": (.gram, 1), "kilogramm": (.kilogram, 1), "litern": (.liter, 1),
      "pfund": (.gram, 500), "viertelpfund": (.gram, 125),
    ]
    for word in [
      "packung", "packungen", "pck", "paket", "pakete", "paquet", "paquets", "paquete", "paquetes",
    ] {
      multiples[word] = (.pack, 1)
    }
    for (symbol, prefix, factor) in [("cl", "centi", 10), ("dl", "deci", 100)] {
      for word in [symbol] + ["liter", "liters", "litre", "litres"].map({ prefix + $0 }) {
        multiples[word] = (.milliliter, factor)
      }
    }
    multiples["zentiliter"] = (.milliliter, 10)
    multiples["deziliter"] = (.milliliter, 100)
    return multiples
  }()
}

extension Unit {
  /// Whether it is so large that nobody has a thousand of it: a kilogram, a litre, a pound.
  var isLarge: Bool { self == .kilogram || self == .liter || CustomaryUnit.measures(self) }

  /// Reads a unit as people write it; nil if it is not a unit, or if it is a multiple such as `cl`.
  public init?(typed text: String) {
    guard let typed = TypedUnit(text), typed.factor == 1 else { return nil }
    self = typed.unit
  }
}
