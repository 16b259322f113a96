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
