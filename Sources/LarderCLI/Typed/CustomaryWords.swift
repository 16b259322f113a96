import LarderKit
import LarderModel

extension Survey {
  /// Returns the words for what was taken for an amount that may mean two things; nil if it is
  /// clear.
  func reading(of amount: TypedQuantity, as item: Entity) -> String? {
    guard let unit = amount.unit else { return nil }
    let quantity = Quantity(amount.value, unit)
    let system = household.measures
    switch CustomaryUnit.reading(of: quantity, in: item.unit, system) {
    case nil: return nil
    case .fluidOunces?:
      return
        "\(quantity) is taken as fluid ounces: \(item.title) is counted in \(item.unit.shortName)"
    case .system(.us, let other)?:
      return "\(quantity) is taken as US; '\(quantity.value) imperial \(unit.rawValue)' is "
        + household.counted(other, in: item.unit).description
    case .system(.imperial, let other)?:
      return "\(quantity) is taken as imperial, as the household counts in GBP; "
        + "'\(quantity.value) us \(unit.rawValue)' is "
        + household.counted(other, in: item.unit).description
    }
  }
}
