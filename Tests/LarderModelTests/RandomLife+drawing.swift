import LarderJSON
import LarderModel
import TestSupport

/// What is drawn at random, and what is said of it.
extension RandomLife {
  mutating func one<Element>(of all: [Element]) -> Element { all[random.number(0...all.count - 1)] }

  mutating func anyItem() -> NaiveStock.Item { one(of: model.items) }

  mutating func anyBatch() -> Int? {
    // Those that there is something of more than others.
    let all = model.piles.indices.filter { !model.piles[$0].isLoose }
    return random.pick(
      random.happens(80) ? all.filter { model.piles[$0].hasSomethingLeft } : all)
  }

  mutating func anyDay() -> Int? {
    random.pick([nil, nil, -2, 3, 10, 40]).flatMap(\.self).map {
      Int(Self.start / 86_400_000) + $0
    }
  }

  mutating func anyMoment() -> Int64 {
    Self.start + Int64(one(of: [-80_000_000, -3_600_000, 3_600_000, 500_000_000]))
  }

  mutating func anyPlace() -> String? {
    random.happens(3)
      ? uuid(random.number(302...304)) : one(of: [nil, nil, uuid(300), uuid(301)])
  }

  mutating func anyLot() -> String? { random.happens(20) ? "L1" : nil }

  mutating func anyRequest() -> String? {
    random.happens(25) ? "request-\(random.number(0...2))" : nil
  }

  /// In a unit that converts, mostly; often all that there is of something.
  mutating func amount(_ unit: Unit, like rest: Int? = nil, canBeZero: Bool = false) -> Amount {
    let units = Unit.known.filter { convert($0, unit) }
    let unit = random.happens(3) ? one(of: Unit.known) : one(of: units)
    let whole = 1_000_000
    if let rest, random.happens(30) { return Amount(grains: shown(rest, in: unit), unit: unit) }
    if random.happens(canBeZero ? 20 : 2) { return Amount(grains: 0, unit: unit) }
    if random.happens(1) { return Amount(grains: -whole, unit: unit) }
    if [.piece, .pack].contains(unit) {
      let halves = random.number(1...8)
      return Amount(grains: (random.happens(20) ? halves : halves * 2) * whole / 4, unit: unit)
    }
    if hasDust, random.happens(50) {
      return Amount(grains: random.number(1...2500) * grain(of: unit), unit: unit)
    }
    let grams = random.number(1...1500)
    return Amount(grains: random.happens(80) ? grams * whole : grams * 1000, unit: unit)
  }

  /// All of a batch, or an amount of it.
  mutating func part(of batch: Int) -> Amount? {
    random.happens(30) ? nil : amount(model.piles[batch].unit, like: model.piles[batch].rest)
  }

  mutating func taking() -> (partially: Bool, archiving: Bool, request: String?) {
    (random.happens(60), random.happens(10), anyRequest())
  }

  struct Version {
    let instant: Instant
    let isStale: Bool
  }

  /// What a caller saw of a batch, if it says so.
  mutating func version(of batch: Int) -> Version? {
    guard random.happens(20), let now = household[.inventoryItem, model.piles[batch].id]?.updatedAt
    else { return nil }
    let isStale = random.happens(20)
    return Version(instant: now.adding(milliseconds: isStale ? -1 : 0), isStale: isStale)
  }

  // MARK: - Words

  func words(_ request: String?, _ partially: Bool = false, _ archiving: Bool = false) -> String {
    (request.map { ", \($0)" } ?? "") + (partially ? ", partially" : "")
      + (archiving ? ", archiving" : "")
  }

  func words(_ amount: Amount?) -> String { amount.map { "\($0)" } ?? "all" }

  func words(_ version: Version?) -> String {
    version.map { $0.isStale ? ", not as it was seen" : ", as it was seen" } ?? ""
  }

  func words(_ lines: [ReceiptLine]) -> String {
    lines.map { String(decoding: $0.json.compact(), as: UTF8.self) }.joined(separator: " ")
  }
}
