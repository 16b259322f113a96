import LarderJSON
import LarderModel
import LarderText
import TestSupport
import Testing

/// The names of the places, by their numbers; the first two are freezers.
private let names = ["Freezer", "Gefrierschrank im Keller", "Fridge", "Cold cellar"]

/// Until when a batch keeps, by reading what its file says and nothing else.
private func due(_ batch: Entity, in household: Household) throws -> Day? {
  let file = try JSON(parsing: batch.fileBytes)
  let kind = file["expiryInfo"]?["kind"]?.string
  guard let day = file["expiryInfo"]?["isoDate"]?.string, kind != "packaged" else { return nil }
  let place = file["storageLocationId"]?.string ?? ""
  guard ["\(uuid(300))", "\(uuid(301))"].contains(place) else { return Day(day) }
  let stamp = { (name: String) in file["edited"]?[name]?.string ?? file["createdAt"]?.string ?? "" }
  return stamp("expiryInfo") < stamp("storageLocationId") ? nil : Day(day)
}

/// A day of December 2026.
private func december(_ number: Int) -> String { "2026-12-\(number < 10 ? "0" : "")\(number)" }

/// Random acts on the batches of one item, and what each of them has to make of the days.
private struct RandomFreezing {
  var random: SeededGenerator
  var edit: Edit
  var time = 10
  var told: [String] = []

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    var start = household(try home(), try item(loose: "9"))
    for (number, name) in names.enumerated() {
      var place = try place(number)
      place.write("name", .string(name), at: moment(1))
      start.put(place, at: start.defaultPath(for: place))
    }
    edit = Edit(start)
  }

  private var batches: [Entity] {
    Stock(edit.after).all(.inventoryItem).filter(\.hasSomethingLeft).sorted { $0.id < $1.id }
  }

  private mutating func info() -> ExpiryInfo {
    let kinds: [DateKind] = [.expiry, .bestBefore, .useBy, .packaged]
    let tenths = random.number(0...10)
    return ExpiryInfo(
      kinds[random.number(0...3)], Day(december(random.number(1...5))),
      confidence: Number(tenths, over: 10))
  }

  private func isFreezer(_ place: String?) -> Bool { [uuid(300), uuid(301)].contains(place) }

  private func last(_ info: ExpiryInfo?) -> Day? { info?.lastDay }

  /// Does one act; returns the batch that it is about and its last day after it.
  private mutating func act(by writer: Writer) throws -> (key: EntityKey, day: Day?)? {
    let place = uuid(300 + random.number(0...3))
    let new = info()
    guard let batch = random.pick(batches), random.happens(75) else {
      var details = BatchDetails(productID: uuid(100))
      details.locationID = random.happens(80) ? place : nil
      details.expiry = random.happens(80) ? new : nil
      told.append("put \(details)")
      let change = try edit.add(pieces(2), details, by: writer)
      return (change.parts[0].key, last(details.expiry))
    }
    let isPart = batch.quantity.value > Number(1) && random.happens(40)
    let part = isPart ? pieces(1) : nil
    switch random.number(0...4) {
    case 0, 1:
      told.append("move \(batch.id), \(isPart), to \(place)")
      let known = batch.expiry?.lastDay
      let wasThere = isFreezer(batch.locationID)
      let day = !isFreezer(place) ? known : wasThere ? batch.lastDay : nil
      return (try edit.move(batch, to: place, quantity: part, by: writer), day)
    case 2:
      told.append("move \(batch.id), \(isPart), to \(place), \(new)")
      guard place != batch.locationID || !isPart else { return nil }
      let key = try edit.move(batch, to: place, quantity: part, expiry: .set(new), by: writer)
      return (key, last(new))
    case 3:
      told.append("date \(batch.id), \(new)")
      _ = try edit.date(batch, expiry: .set(new), by: writer)
      return (batch.key, last(new))
    default:
      guard batch.openedAt == nil else { return nil }
      told.append("open \(batch.id), \(isPart)")
      return (
        try edit.open(batch, quantity: part, at: writer.now, by: writer).batch, batch.lastDay
      )
    }
  }

  mutating func step() throws {
    time += 1
    let writer = Writer(
      now: moment(11, time * 60_000), device: "laptop", userID: uuid(800),
      newID: random.ids(5, at: moment(11, time)))
    let before = Dictionary(uniqueKeysWithValues: batches.map { ($0.key, $0.lastDay) })
    guard let (key, day) = try act(by: writer) else { return }
    let batch = try #require(edit.after[key])
    #expect(batch.lastDay == day, "\(told.joined(separator: "\n"))\n\(batch.text)")
    for batch in batches where batch.key != key {
      #expect(batch.lastDay == before[batch.key], "\(told.joined(separator: "\n"))")
    }
    try compare()
  }

  /// Compares all that follows from the days with the reading of the files.
  private func compare() throws {
    let (stock, today) = (Stock(edit.after), try #require(Day(december(3))))
    var (expired, past, soon) = (Set<String>(), Set<String>(), Set<String>())
    for batch in batches {
      guard let day = try due(batch, in: edit.after) else { continue }
      let info = batch.expiry
      let isGuess = (info?.confidence ?? Number(1)) <= Number(1, over: 2)
      if day >= today {
        if day <= today.adding(days: 1) { soon.insert(batch.id) }
      } else if isGuess || info?.kind == .bestBefore {
        past.insert(batch.id)
      } else {
        expired.insert(batch.id)
      }
    }
    let story = Comment(rawValue: told.joined(separator: "\n"))
    #expect(Set(stock.expired(on: today).map(\.id)) == expired, story)
    #expect(Set(stock.pastBest(on: today).map(\.id)) == past, story)
    #expect(Set(stock.due(from: today, days: 1).map(\.id)) == soon, story)
    let item = try edit.after.milk
    let gone = batches.filter { expired.contains($0.id) }
      .reduce(Number.zero) { $0 + $1.quantity.value }
    #expect(stock.holding(of: item).usableTotal(on: today) == stock.total(of: item) - gone, story)
    let order = try stock.firstExpiredFirst(of: item).map { try due($0, in: edit.after) }
    let dated = order.prefix { $0 != nil }.compactMap(\.self)
    #expect(dated.count == order.compactMap(\.self).count && dated == dated.sorted(), story)
    for batch in edit.after.all(.inventoryItem) {
      let reread = try batch.reread()
      #expect(reread == batch)
    }
  }
}

@Suite("What is frozen")
struct FreezerTests {
  @Test(
    "whatever is put, moved, dated and opened: a day counts in a freezer if it is as new as the place"
  )
  func random() throws {
    for number in 0..<150 {
      let seed = Seed.ofRun &+ UInt64(number)
      var life = try RandomFreezing(seed: seed)
      for _ in 0..<12 { try life.step() }
    }
  }

  @Test("a guess is a day of 0.5 or less, and never expires; one that was read badly does")
  func guesses() throws {
    for hundredths in 0...100 {
      var batch = try batch(1, "2")
      let confidence = Number(hundredths, over: 100)
      let info = ExpiryInfo(.useBy, Day("2026-12-01"), confidence: confidence)
      batch.write("expiryInfo", info.json, at: moment(2))
      let stock = Stock(household(try home(), try item(), batch))
      let day = try #require(Day("2026-12-02"))
      #expect(stock.expired(on: day).isEmpty == (hundredths <= 50), "\(hundredths)")
      #expect(stock.pastBest(on: day).isEmpty == (hundredths > 50), "\(hundredths)")
      #expect(batch.batchDay?.description.hasPrefix("~") == (hundredths <= 50), "\(hundredths)")
    }
  }

  @Test("undo and redo let a day count as before, and the same day given again counts")
  func undone() throws {
    var life = try RandomFreezing(seed: 1).edit
    var details = BatchDetails(productID: uuid(100))
    (details.locationID, details.expiry) = (uuid(302), ExpiryInfo(.useBy, Day("2026-12-01")))
    let key = try life.add(pieces(2), details, by: writer(moment(11))).parts[0].key
    func batch() throws -> Entity { try #require(life.after[key]) }
    func undo(at day: Int, _ act: (inout Edit, Entity) throws -> Void) throws {
      let (start, found) = (life.after, try batch())
      try act(&life, found)
      let changes = life.after.differences(from: start)
      life.takeBack(changes, by: writer(moment(day)))
    }
    _ = try life.move(try batch(), to: uuid(300), by: writer(moment(12)))
    #expect(try batch().lastDay == nil)
    #expect(try batch().isKeptFrozen)
    // Out of the freezer and back: the day counts no more than before.
    try undo(at: 14) { _ = try $0.move($1, to: uuid(302), by: writer(moment(13))) }
    #expect(try batch().locationID == uuid(300))
    #expect(try batch().lastDay == nil)
    // Another day, taken back: the old one does not count for that.
    let other = ExpiryInfo(.useBy, Day("2027-02-01"))
    try undo(at: 16) { _ = try $0.date($1, expiry: .set(other), by: writer(moment(15))) }
    #expect(try batch().expiryDay == Day("2026-12-01"))
    #expect(try batch().lastDay == nil)
    // The old day, said again, counts, in the other freezer and after it was taken out and put back.
    _ = try life.date(
      try batch(), expiry: .set(ExpiryInfo(.useBy, Day("2026-12-01"))), by: writer(moment(17)))
    #expect(try batch().lastDay == Day("2026-12-01"))
    _ = try life.move(try batch(), to: uuid(301), by: writer(moment(18)))
    #expect(try batch().lastDay == Day("2026-12-01"))
    try undo(at: 20) { _ = try $0.move($1, to: uuid(302), by: writer(moment(19))) }
    #expect(try batch().locationID == uuid(301))
    #expect(try batch().lastDay == Day("2026-12-01"))
  }

  @Test("a move of an item takes all that lies elsewhere, or as much in the order of taking")
  func elsewhere() throws {
    for number in 0..<100 {
      var life = try RandomFreezing(seed: Seed.ofRun &+ UInt64(number))
      for _ in 0..<6 { try life.step() }
      var edit = life.edit
      let (item, place) = (try edit.after.milk, uuid(300 + number % 4))
      let sources = Stock(edit.after).elsewhere(item, than: place)
      let there = sources.reduce(Number.zero) { $0 + $1.quantity.value }
      let total = Stock(edit.after).total(of: item)
      let isAll = number % 3 == 0
      let wanted = isAll ? nil : pieces(1 + number % 12)
      guard wanted.map({ $0.value <= there }) ?? true else {
        #expect(throws: RuleError.self) {
          try edit.move(of: item, to: place, quantity: wanted, by: writer(moment(12)))
        }
        continue
      }
      let moved = try edit.move(of: item, to: place, quantity: wanted, by: writer(moment(12)))
      let sum = moved.reduce(Number.zero) { $0 + $1.quantity.value }
      #expect(sum == wanted?.value ?? there)
      #expect(moved.map(\.source.key) == sources.prefix(moved.count).map(\.key))
      #expect(Stock(edit.after).total(of: try edit.after.milk) == total)
      let left = Stock(edit.after).elsewhere(try edit.after.milk, than: place)
        .reduce(Number.zero) { $0 + $1.quantity.value }
      #expect(left == there - sum)
      for part in moved { #expect(edit.after[part.batch]?.locationID == place) }
    }
  }
}
