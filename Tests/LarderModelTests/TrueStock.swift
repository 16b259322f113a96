import LarderModel

/// What there really is in the house, in grains, whatever anybody wrote of it: of each item, by batch,
/// and under the item's own id what lies loose.
struct TrueStock {
  private(set) var lots: [String: [String: Int]] = [:]

  func total(of item: String) -> Int { (lots[item] ?? [:]).values.reduce(0, +) }

  func rest(of item: String, in lot: String) -> Int { lots[item]?[lot] ?? 0 }

  mutating func put(_ grains: Int, of item: String, into lot: String) {
    lots[item, default: [:]][lot, default: 0] += grains
  }

  /// Takes from some lots as much as they have of it, then from whatever else there is; people use no
  /// more than that.
  mutating func take(_ grains: Int, of item: String, from parts: [(lot: String, grains: Int)]) {
    var missing = grains
    let others = (lots[item] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, grains) }
    for (lot, wanted) in parts + others {
      let part = min(missing, wanted, rest(of: item, in: lot))
      put(-part, of: item, into: lot)
      missing -= part
    }
  }

  mutating func move(_ grains: Int, of item: String, from lot: String, to other: String) {
    put(-grains, of: item, into: lot)
    put(grains, of: item, into: other)
  }

  /// A batch counts as another item from now on.
  mutating func give(_ lot: String, of item: String, to other: String) {
    guard let grains = lots[item]?.removeValue(forKey: lot) else { return }
    put(grains, of: other, into: lot)
  }

  /// Two items are one from now on.
  mutating func merge(_ other: String, into item: String) {
    for (lot, grains) in lots.removeValue(forKey: other) ?? [:] {
      put(grains, of: item, into: lot == other ? item : lot)
    }
  }
}
