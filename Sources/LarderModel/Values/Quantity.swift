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
    case .pack: value == Number(1) ? "1 pack" : "\(value) packs"
    default: "\(value) \(unit.symbol ?? unit.rawValue)"
    }
  }
}

/// The unit of a quantity.
public enum Unit: String, CaseIterable, Sendable {
  case piece, gram, kilogram, milliliter, liter, pack

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

  /// The usual symbol: `g`, `kg`, `ml`, `l`.
  public var symbol: String? {
    switch self {
    case .gram: "g"
    case .kilogram: "kg"
    case .milliliter: "ml"
    case .liter: "l"
    case .piece, .pack: nil
    }
  }

  /// Reads a unit as people type it: its name, plural or symbol, in any case.
  public init?(typed text: String) {
    let word = text.lowercased()
    let match = Unit.allCases.first { unit in
      word == unit.rawValue || word == unit.rawValue + "s" || word == unit.symbol
    }
    switch (match, word) {
    case (let unit?, _): self = unit
    case (nil, "pc"), (nil, "pcs"), (nil, "x"): self = .piece
    case (nil, "litre"), (nil, "litres"): self = .liter
    case (nil, "millilitre"), (nil, "millilitres"): self = .milliliter
    default: return nil
    }
  }

  func factor(to other: Unit) -> (multiply: Int128, divide: Int128)? {
    converts(to: other) ? (dimension.factor, other.dimension.factor) : nil
  }
}
