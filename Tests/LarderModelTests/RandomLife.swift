import LarderJSON
import LarderModel
import TestSupport

/// One device's household, changed at random by the rules and, apart from them, in a naive model.
///
/// Every step draws from a seed of its own, so that it can be left out.
struct RandomLife {
  struct Mismatch: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var household: Household
  private(set) var model: NaiveStock
  private(set) var journal: [String] = []
  private var ids = SeededIDs(seed: 0)
  var random: SeededGenerator
  private var now = RandomLife.start
  /// Whether time goes on and nothing happens twice in one second.
  private let hasGoodClock: Bool
  /// Whether amounts are so small that they are rounded where they are converted.
  let hasDust: Bool
  /// What was done for requests, to be asked for again.
  var asked: [(inout RandomLife) throws -> Void] = []
  /// What is done over and over, in half of the lives; in the others it is anything.
  private(set) var habits: [Int] = []

  static let start: Int64 = moment(10).milliseconds

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    hasGoodClock = random.happens(80)
    hasDust = random.happens(10)
    if random.happens(50) { habits = (0..<4).map { _ in random.number(0...99) } }
    (household, model) = try Self.beginnings.get()
    self.random = random
  }

  mutating func step(_ seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    ids.random = SeededGenerator(seed: seed &+ 1)
    now += Int64(random.number(1000...100_000))
    // What a receipt brought lies where it was paid, which a clock that goes back does not tell.
    if !hasGoodClock, model.receipts.isEmpty, random.happens(40) {
      now -= Int64(random.number(0...7_200_000))
    }
    try act()
  }

  private var writer: Writer {
    let ids = ids
    return Writer(
      now: Instant(milliseconds: now), device: "phone", userID: uuid(801), newID: { ids.next() })
  }

  /// Lets the rules and the model do the same, and compares what they say of it.
  mutating func perform(
    _ words: String, request: String? = nil,
    _ rule: @escaping (inout Edit, Writer) throws -> NaiveStock.Answer,
    _ naive: @escaping (inout NaiveStock, NaiveStock.New) -> NaiveStock.Outcome
  ) throws {
    if request != nil { asked.append { try $0.perform(words, rule, naive) } }
    journal.append("\(Instant(milliseconds: now)) \(words)")
    var edit = Edit(household)
    let outcome: NaiveStock.Outcome
    do {
      outcome = .done(try rule(&edit, writer))
    } catch let error as RuleError {
      outcome = .refused([NaiveStock.Refusal(error)])
      guard edit.changed.isEmpty else { throw Mismatch("refused with \(error), yet changed") }
    }
    let made = edit.changed.filter { $0.kind == .inventoryItem && household[$0] == nil }
    let times = made.map { ($0.id, edit.after[$0]?.createdAt.milliseconds ?? 0) }
    let new = NaiveStock.New(
      id: made.first?.id ?? "none", times: Dictionary(uniqueKeysWithValues: times))
    let known = model.piles
    let wanted = naive(&model, new)
    guard agree(outcome, wanted) else { throw Mismatch("came to \(outcome), not \(wanted)") }
    household = edit.after
    let changed = Set(edit.changed.map(\.id))
    try compare(
      model.piles.indices.filter { index in
        changed.contains(model.piles[index].id) || index >= known.count
          || known[index] != model.piles[index]
      })
  }

  private func agree(_ outcome: NaiveStock.Outcome, _ wanted: NaiveStock.Outcome) -> Bool {
    switch (outcome, wanted) {
    case (.refused(let reason), .refused(let reasons)): return reason.isSubset(of: reasons)
    case (.done(let answer), .done(let right)) where right.isRepeated:
      let isExact = hasGoodClock && !model.hasRestored
      return answer.told(exactly: isExact) == right.told(exactly: isExact)
    default: return outcome == wanted
    }
  }

  /// The household as the rules see it is what the model has, of these piles and of their items.
  private func compare(_ piles: [Int]) throws {
    for pile in piles.map({ model.piles[$0] }) {
      guard let entity = household[pile.isLoose ? .stockItem : .inventoryItem, pile.id] else {
        throw Mismatch("\(pile) is missing")
      }
      let found = NaiveStock.Pile(entity)
      guard found.isSame(as: pile) else { throw Mismatch("is \(found), not \(pile)") }
    }
    let stock = Stock(household)
    let touched = piles.map { model.piles[$0].product }
    for product in Set(touched) where !model.items.contains(where: { $0.id == product }) {
      let total = stock.summary(ofProduct: product).map { NaiveStock.grains($0.total) }
      guard total == model.total(ofBatchesOf: product) else {
        throw Mismatch("\(product) has \(total ?? 0), not \(model.total(ofBatchesOf: product))")
      }
    }
    for item in Set(touched.compactMap { model.item(of: $0) }) {
      guard let entity = household[.stockItem, item.id] else { continue }
      let total = Amount(grains: model.total(of: item), unit: item.unit)
      guard stock.total(of: entity) == total.quantity.value else {
        throw Mismatch("\(item.id) has \(stock.total(of: entity)), not \(total)")
      }
    }
  }

  /// In the end, that there is nothing else, the order in which all would be used, and some files.
  func compareAll() throws {
    let batches = household.all(.inventoryItem)
    guard batches.count + model.items.count == model.piles.count else {
      throw Mismatch("\(batches.count) batches, \(model.piles.count - model.items.count) wanted")
    }
    let stock = Stock(household)
    for item in model.items {
      guard let entity = household[.stockItem, item.id] else { continue }
      let order = stock.firstExpiredFirst(of: entity).map(\.id)
      let wanted = model.sources(of: item).map { model.piles[$0] }.filter { !$0.isLoose }.map(\.id)
      guard order == wanted else { throw Mismatch("goes by \(order), not \(wanted)") }
    }
    guard let pile = model.piles.last, !pile.isLoose else { return }
    let file = household[.inventoryItem, pile.id]?.json
    let rest = Amount(grains: pile.rest, unit: pile.unit).quantity.value
    guard file?["quantity"]?["value"] == rest.json, file?["status"] == .string(pile.shownStatus),
      (file?["consumedAt"] != nil) == (pile.shownStatus == "consumed")
    else { throw Mismatch("the file of \(pile) is not that") }
  }
}

extension RandomLife.Mismatch {
  init(_ text: String) { description = text }
}

/// Ids that a seed repeats.
final class SeededIDs: @unchecked Sendable {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  func next() -> String {
    let digits = String(random.next() | 1 << 63, radix: 16)
    return "0193a4b2-0000-7000-8\(digits.suffix(3))-\(digits.prefix(12))"
  }
}

// MARK: - How a life begins

extension RandomLife {
  private static let beginnings = Result { try beginning() }

  /// Three items, products with and without an item, places to go to and not to go to, a batch that
  /// does not convert to its item's unit and one of another household.
  private static func beginning() throws -> (Household, NaiveStock) {
    var entities = [
      try home("Asia/Singapore"), try place(), try place(1), try place(2, #", "isArchived": true"#),
      try product("ean_1", keeps: 3), try product("ean_2", keeps: 30), try product("ean_4"),
      try item(products: #"["ean_1"]"#),
      try item(1, unit: .kilogram, products: #"["ean_2", "ean_3"]"#),
      try item(2, unit: .milliliter),
      try batch(1, "2", unit: .pack, product: "ean_1"),
      try batch(2, "5", expiry: "2026-11-01", product: "ean_1"),
    ]
    var foreign = try place(3)
    for entity in [foreign, entities.removeLast()] {
      foreign = entity
      foreign.write("householdId", .string(uuid(701)), at: entity.createdAt)
      entities.append(foreign)
    }
    var household = Household()
    for entity in entities { household.put(entity, at: household.defaultPath(for: entity)) }
    var model = NaiveStock()
    model.items = [
      .init(id: uuid(100), unit: .piece, products: ["ean_1"]),
      .init(id: uuid(101), unit: .kilogram, products: ["ean_2", "ean_3"]),
      .init(id: uuid(102), unit: .milliliter, products: []),
    ]
    model.piles = entities.filter { [.stockItem, .inventoryItem].contains($0.kind) }.map { entity in
      var pile = NaiveStock.Pile(entity)
      pile.isForeign = entity.householdID == uuid(701)
      pile.events = [.init(grains: NaiveStock.grains(entity.quantity), order: 0, isCount: true)]
      return pile
    }
    model.places = [uuid(300), uuid(301)]
    model.foreignPlaces = [uuid(303)]
    model.keepingDays = ["ean_1": 3, "ean_2": 30]
    model.catalogue = ["ean_1", "ean_2", "ean_4"]
    return (household, model)
  }

  private static func product(_ id: String, keeps days: Int? = nil) throws -> Entity {
    let keeping = days.map { #", "bestAfterOpeningDays": \#($0)"# } ?? ""
    return try entity(.product, #""id": "\#(id)"\#(keeping)"#)
  }
}

// MARK: - What the rules say, in the model's words

extension NaiveStock {
  static func grains(_ quantity: Quantity) -> Int {
    Int(quantity.value.billionths / 1000) * grain(of: quantity.unit)
  }
}

extension NaiveStock.Answer {
  init(_ change: QuantityChange) {
    parts = change.parts.map { part in
      Part(
        pile: part.key.id, grains: NaiveStock.grains(part.quantity),
        rest: NaiveStock.grains(part.rest))
    }
    total = NaiveStock.grains(change.total)
    isNewBatch = change.isNewBatch
    isRepeated = change.isRepeated
    warnings = change.warnings.count
  }

  /// What is told again of a request that was served: exactly what was told first, but for the order
  /// of the parts, where the ledgers tell when everything was written; else what was moved.
  func told(exactly: Bool) -> Self {
    var told = self
    told.parts.sort { $0.pile < $1.pile }
    told.warnings = 0
    guard !exactly else { return told }
    told.parts = told.parts.map { Part(pile: $0.pile, grains: $0.grains, rest: 0) }
    told.total = 0
    return told
  }
}

extension NaiveStock.Pile: CustomStringConvertible {
  var description: String {
    let day = expiry.map { "\(Day(daysSinceEpoch: $0))" } ?? "any day"
    let moment = opened.map { ", opened \(Instant(milliseconds: $0))" } ?? ""
    return "\(Amount(grains: rest, unit: unit)) of \(product) (\(id.suffix(12))), \(shownStatus), "
      + "until \(day)\(moment), in \(place?.suffix(3) ?? "-"), lot \(lot ?? "-")"
  }

  init(_ entity: Entity) {
    id = entity.id
    isLoose = entity.kind == .stockItem
    product = isLoose ? entity.id : entity.productID
    unit = entity.unit
    made = entity.createdAt.milliseconds
    status = isLoose ? "active" : entity.isConsumed ? "consumed" : entity["status"]?.string ?? ""
    expiry = entity.expiryDay?.daysSinceEpoch
    isUseBy = entity.expiry?.kind == .useBy
    opened = entity.openedAt?.milliseconds
    place = entity.locationID
    lot = entity.lotCode
    events = [.init(grains: NaiveStock.grains(entity.quantity), order: 0)]
  }

  func isSame(as other: Self) -> Bool {
    id == other.id && isLoose == other.isLoose && unit == other.unit && isLike(other)
      && rest == other.rest && (isLoose || status == other.shownStatus)
  }
}

extension NaiveStock.Refusal {
  init(_ error: RuleError) {
    self =
      switch error {
      case .notEnough(_, _, let available), .tooMuch(_, _, let available),
        .tooLittleElsewhere(_, _, _, let available):
        .notEnough(NaiveStock.grains(available))
      case .unitsDoNotConvert, .unitIsCounted, .tooManyDigits, .noPackSize, .severalPackSizes,
        .amountNeeded, .contentNeeded, .priceOfEach:
        .units
      case .notAboveZero: .notAboveZero
      case .belowZero: .belowZero
      case .itemIsArchived: .archived
      case .nothingToSave: .empty
      case .receiptIsVoid, .entryIsClosed: .isVoid
      case .unknownProduct: .product
      case .unknownLocation, .locationIsArchived: .place
      case .otherHousehold: .foreign
      case .batchIsNotActive: .notActive
      case .changedSince: .version
      case .badConfidence, .sameItem, .nameIsTaken, .productIsClaimed, .numberIsTaken, .badBarcode,
        .lineNamedTwice, .lineOfNothing, .notInBasket, .knownElsewhere, .amountBelowZero,
        .amountDiffers, .notOnReceipt, .severalLines, .receiptChanged, .countedThatDay:
        .empty
      case .openedAfterExpiry: .openedTooLate
      case .alreadyOpened: .opened
      case .requestIsTaken: .request
      }
  }
}
