import LarderModel

/// What a household has, kept as plainly as can be: a list of piles, and what came to each and went.
///
/// Written from the format alone; of the code that is tested it has no more than names. Amounts are
/// whole grains: millionths of a piece, a pack, a gram or a milliliter.
struct NaiveStock {
  struct Item: Hashable {
    let id: String
    let unit: Unit
    let products: [String]
  }

  /// What lies loose of an item, or one batch.
  struct Pile: Equatable {
    let id: String
    let product: String
    let unit: Unit
    /// When it was made, as its file says.
    var made: Int64 = 0
    var isLoose = false
    var isForeign = false
    var status = "active"
    /// When it was thrown away or archived.
    var goneAt: Int?
    /// Days since 1970.
    var expiry: Int?
    /// Whether the day is one of use, as what was opened has where nobody said another.
    var isUseBy = false
    var opened: Int64?
    var place: String?
    var lot: String?
    var events: [Event] = []
  }

  struct Event: Equatable {
    let grains: Int
    /// Its place among all that ever happened.
    let order: Int
    var isCount = false
    /// All there was of the item, of a count of all.
    var total: Int?
    var receipt: String?
    var isTakenBack = false
  }

  var items: [Item] = []
  var piles: [Pile] = []
  /// Places that things can go to, and those of another household.
  var places: Set<String> = []
  var foreignPlaces: Set<String> = []
  /// How many days products keep once they are open.
  var keepingDays: [String: Int] = [:]
  var catalogue: Set<String> = []
  var receipts: [String: Receipt] = [:]
  /// What requests were about and came to.
  var answers: [String: (why: String, answer: Answer)] = [:]
  /// Whether something voided was restored, which is written at its old time.
  var hasRestored = false
  /// How much has happened.
  var now = 0

  struct Answer: Equatable {
    var parts: [Part] = []
    var total = 0
    var isNewBatch = false
    var isRepeated = false
    /// Where something was moved to or opened.
    var target: String?
    var warnings = 0

    struct Part: Equatable {
      let pile: String
      let grains: Int
      let rest: Int
    }
  }

  enum Refusal: Hashable {
    case notAboveZero, belowZero, units, archived, place, product, foreign, notActive, version
    case opened, openedTooLate, isVoid, empty, request
    case notEnough(Int)
  }

  enum Outcome: Equatable {
    case done(Answer)
    /// For any of these reasons.
    case refused(Set<Refusal>)
  }
}

/// How many grains the sixth decimal of a unit is.
func grain(of unit: Unit) -> Int { [.kilogram, .liter].contains(unit) ? 1000 : 1 }

/// To the sixth decimal of a unit, half to even.
func shown(_ grains: Int, in unit: Unit) -> Int {
  let grain = grain(of: unit)
  let below = (grains >= 0 ? grains : grains - grain + 1) / grain
  let rest = grains - below * grain
  let isUp = rest * 2 > grain || rest * 2 == grain && below % 2 != 0
  return (isUp ? below + 1 : below) * grain
}

func convert(_ unit: Unit, _ other: Unit) -> Bool {
  let alike: [[Unit]] = [[.gram, .kilogram], [.milliliter, .liter]]
  return unit == other || alike.contains { $0.contains(unit) && $0.contains(other) }
}

extension NaiveStock.Pile {
  /// The latest count and all that came after it.
  var rest: Int { sum() }

  /// What all came to before something happened; with `given`, what has left the stock is nothing.
  func sum(before order: Int = .max, given: Bool = false) -> Int {
    let counts = events.filter { $0.isCount && $0.order <= order }
    let gone = given ? goneAt.flatMap { $0 <= order ? $0 : nil } : nil
    var (start, sum) = counts.map { ($0.order, $0.grains) }.max { $0.0 < $1.0 } ?? (0, 0)
    if let gone, gone >= start { (start, sum) = (gone, min(0, self.sum(before: gone))) }
    for event in events where !event.isCount && !event.isTakenBack {
      if event.order >= start, event.order < order { sum += event.grains }
    }
    return shown(sum, in: unit)
  }

  /// The last count of all there is, unless something was counted since that is not all.
  var anchor: NaiveStock.Event? {
    events.filter(\.isCount).max { $0.order < $1.order }.flatMap { $0.total == nil ? nil : $0 }
  }

  var isActive: Bool { status == "active" }
  var hasSomethingLeft: Bool { isActive && rest > 0 }
  /// What files show.
  var shownStatus: String { isActive && rest <= 0 ? "consumed" : status }

  func isLike(_ other: Self) -> Bool {
    product == other.product && expiry == other.expiry && isUseBy == other.isUseBy
      && opened == other.opened && place == other.place && lot == other.lot
      && convert(unit, other.unit)
  }
}

extension NaiveStock {
  /// Which piles hold an item, or a product of one.
  func isOf(_ product: String, batchesOnly: Bool = false) -> (Pile) -> Bool {
    let item = item(of: product)
    return { pile in
      if batchesOnly, pile.isLoose { return false }
      return pile.product == product || item != nil && self.item(of: pile.product) == item
    }
  }

  func item(of product: String) -> Item? {
    items.first { $0.id == product } ?? items.first { $0.products.contains(product) }
  }

  func index(_ pile: String) -> Int? { piles.firstIndex { $0.id == pile } }

  /// The batches that satisfy something, in the order of their making.
  func batches(where isWanted: (Pile) -> Bool) -> [Int] {
    piles.indices.filter { !piles[$0].isLoose && !piles[$0].isForeign && isWanted(piles[$0]) }
      .sorted { (piles[$0].made, piles[$0].id) < (piles[$1].made, piles[$1].id) }
  }

  func batches(of item: Item) -> [Int] { batches { self.item(of: $0.product)?.id == item.id } }

  /// The order in which batches are used that have something left.
  func usingOrder(_ batches: [Int]) -> [Int] { ordered(batches.filter { isLeft($0) }) }

  private func ordered(_ left: [Int]) -> [Int] {
    let dated = left.filter { piles[$0].expiry != nil }
    let days = Set(dated.compactMap { piles[$0].expiry }).sorted()
    let undated = left.filter { piles[$0].expiry == nil }
    return (days.map { day in dated.filter { piles[$0].expiry == day } } + [undated])
      .flatMap { same in
        same.filter { piles[$0].opened != nil } + same.filter { piles[$0].opened == nil }
      }
  }

  /// What an item's stock is taken from, in order.
  func sources(of item: Item) -> [Int] {
    let batches = batches(of: item).filter { convert(piles[$0].unit, item.unit) }
    return usingOrder(batches)
      + piles.indices.filter { piles[$0].id == item.id && there($0) > 0 }
  }

  /// What was counted last and what came and went since.
  func total(of item: Item) -> Int {
    let loose = piles[index(item.id) ?? 0]
    let batches = batches(of: item).map { piles[$0] }.filter { convert($0.unit, item.unit) }
    var sum = batches.map { $0.sum(given: true) }.reduce(loose.rest, +)
    if let anchor = loose.anchor {
      sum += (anchor.total ?? 0) - anchor.grains
      sum -= batches.map { $0.sum(before: anchor.order, given: true) }.reduce(0, +)
    }
    return shown(sum, in: item.unit)
  }

  /// What lies loose before anything is read as taken from others: what the batches leave.
  func loose(of item: Item) -> Int {
    let batches = batches(of: item).map { piles[$0] }
    return shown(
      batches.filter { $0.isActive && convert($0.unit, item.unit) }
        .reduce(total(of: item)) { $0 - $1.rest }, in: item.unit)
  }

  /// What a pile has before anything is read as taken from others.
  private func own(_ pile: Int) -> Int {
    guard piles[pile].isLoose, let item = item(of: piles[pile].id) else { return piles[pile].rest }
    return loose(of: item)
  }

  /// What the batches of a product come to, in its item's unit or the oldest batch's.
  func total(ofBatchesOf product: String) -> Int {
    let batches = batches { $0.product == product }
    guard let unit = item(of: product)?.unit ?? batches.first.map({ piles[$0].unit }) else {
      return 0
    }
    let counting = batches.filter { piles[$0].isActive && convert(piles[$0].unit, unit) }
    return shown(counting.map { there($0) }.reduce(0, +), in: unit)
  }

  /// What is there of a pile: what those below zero lack was taken from the others in their order.
  func there(_ pile: Int) -> Int {
    let all = lent(around: pile)
    let more = all.filter { $0.taker == pile }.map(\.grains).reduce(0, +)
    let less = all.filter { $0.giver == pile }.map(\.grains).reduce(0, +)
    return more == 0 && less == 0
      ? own(pile) : shown(own(pile) + more - less, in: piles[pile].unit)
  }

  func isLeft(_ pile: Int) -> Bool { piles[pile].isActive && there(pile) > 0 }

  private func lent(around pile: Int) -> [(giver: Int, taker: Int, grains: Int)] {
    let product = piles[pile].product
    let item = item(of: product)
    let batches = item.map { self.batches(of: $0) } ?? self.batches { $0.product == product }
    guard let unit = item?.unit ?? batches.first.map({ piles[$0].unit }) else { return [] }
    let order =
      ordered(batches.filter { piles[$0].isActive && convert(piles[$0].unit, unit) })
      + (item.flatMap { index($0.id) }.map { [$0] } ?? [])
    var left = order.map { own($0) }
    var lent: [(Int, Int, Int)] = []
    for taker in order.indices where left[taker] < 0 {
      for giver in order.indices where left[giver] > 0 && left[taker] < 0 {
        let grains = min(left[giver], -left[taker])
        left[giver] -= grains
        left[taker] += grains
        lent.append((order[giver], order[taker], grains))
      }
    }
    return lent
  }

  /// Writes down what is read.
  mutating func writeLacks(around pile: Int) {
    for part in lent(around: pile) {
      _ = put(-part.grains, into: part.giver)
      _ = put(part.grains, into: part.taker)
    }
  }

  /// Of the item that a product is of, or of the product where there is none.
  func total(ofProduct product: String) -> Int {
    item(of: product).map { total(of: $0) } ?? total(ofBatchesOf: product)
  }

  /// The batches that are one to people with one of them, the oldest first.
  func lot(of pile: Int) -> [Int] {
    guard let item = item(of: piles[pile].product), piles[pile].hasSomethingLeft,
      !piles[pile].isForeign
    else {
      return [pile]
    }
    return batches(of: item).filter { piles[$0].hasSomethingLeft && piles[$0].isLike(piles[pile]) }
  }
}
