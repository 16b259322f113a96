public import LarderModel

/// A thing that comes into the stock for the first time, because it was bought.
public struct NewThing: Equatable, Sendable {
  /// The new item's name.
  public let name: String
  /// The bought quantity, in the unit in which the item is counted from then on.
  public let quantity: Quantity
}

extension Edit {
  /// Returns the items that the change makes of the lines of some receipts, in the order of the
  /// lines.
  public func newThings(on receipts: [Entity]) -> [NewThing] {
    var order: [String] = []
    var sums: [String: Number] = [:]
    for line in receipts.flatMap(\.lines) {
      guard let id = line.itemID, before[.stockItem, id] == nil, let item = after[.stockItem, id]
      else { continue }
      if sums[id] == nil { order.append(id) }
      let bought = line.quantity(in: item).converted(to: item.unit) ?? .zero
      sums[id] = (sums[id, default: .zero] + bought).rounded
    }
    return order.compactMap { id in
      after[.stockItem, id].map {
        NewThing(name: $0.title, quantity: Quantity(sums[id] ?? .zero, $0.unit))
      }
    }
  }
}
