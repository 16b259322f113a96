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
