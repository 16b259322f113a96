public import LarderModel

/// A count that a line of a sheet asks for.
struct SheetCount {
  enum Target {
    case item
    case lot(Lot)
    /// A new lot; none of the item is known in the location.
    case newLot(in: Entity)
  }

  let line: FilledSheet.Line
  let item: Entity
  let target: Target
  let quantity: Quantity

  /// The key of the entity that is counted.
  var key: EntityKey {
    if case .lot(let lot) = target { lot.first.key } else { item.key }
  }
}

/// The reader of filled-in sheets, which finds the things that their lines name.
struct SheetReader {
  private let survey: Survey
  private let names: SheetNames
  private var places: [String: (place: Entity, lots: [SheetNames.NamedLot])] = [:]
  private(set) var counts: [SheetCount] = []
  /// The things that nobody knows, each once.
  private(set) var unknown: [(item: NewItem, line: FilledSheet.Line)] = []
  private(set) var mistakes: [SheetMistake]

  init(_ sheet: FilledSheet, in survey: Survey) {
    self.survey = survey
    names = SheetNames(survey)
    mistakes = sheet.mistakes
    for heading in sheet.headings { find(heading) }
    for line in sheet.lines { read(line) }
  }

  private mutating func find(_ heading: FilledSheet.Heading) {
    do throws(NamingError) {
      var place = names.place(heading.place)
      if place == nil { place = try survey.naming.find(heading.place, .storageLocation) }
      guard let place else { return }
      places[heading.place] = (place, names.lots(in: place))
    } catch {
      mistakes.append(SheetMistake(line: heading.number, column: 1, .naming(error)))
    }
  }

  private mutating func read(_ line: FilledSheet.Line) {
    // A line below an unknown place could mean anything.
    if let place = line.place, places[place] == nil { return }
    do {
      let found = try known(line) ?? others(line)
      counts += found
    } catch {
      mistakes.append(SheetMistake(error, in: line))
    }
  }

  /// Returns the count of a thing that has its sheet name on the line; nil if the line has no such
  /// name.
  ///
  /// The result is empty if the line was not changed.
  private func known(_ line: FilledSheet.Line) throws -> [SheetCount]? {
    if says(line, nothingWith: line.readings[0].amount) { return [] }
    let found = line.readings.compactMap { reading in
      thing(reading.thing, line.place).map { (reading: reading, thing: $0) }
    }
    let readable = found.first { (try? TypedQuantity($0.reading.amount)) != nil }
    guard let (reading, thing) = readable ?? found.first else { return nil }
    if says(line, nothingWith: reading.amount) { return [] }
    guard !reading.amount.isEmpty else {
      throw SheetMistake.Reason.noAmount(thing: reading.thing)
    }
    let typed = try mapError(try TypedQuantity(reading.amount)) {
      SheetMistake.Reason.amount(reading.amount, $0)
    }
    var known = line.known.flatMap { try? TypedQuantity($0) }
    if let unit = known?.unit, TypedUnit.isSame(thing.unit, unit) { known?.unit = thing.unit }
    let packs = try survey.packs(typed, of: thing.item, named: reading.thing)
    if packs == nil, known == nil { try survey.refuseUnclear(typed, of: thing.item) }
    let quantity =
      packs ?? typed.quantity(in: known.map { $0.unit ?? .piece } ?? thing.unit)
    if !line.isTicked, let known = known?.quantity(in: .piece),
      quantity.converted(to: known.unit) == known.value
    {
      return []
    }
    return [SheetCount(line: line, item: thing.item, target: thing.target, quantity: quantity)]
  }

  private func says(_ line: FilledSheet.Line, nothingWith amount: String) -> Bool {
    !line.isTicked && line.known == amount
  }

  private typealias Thing = (item: Entity, target: SheetCount.Target, unit: Unit)

  private func thing(_ name: String, _ place: String?) -> Thing? {
    guard let place else { return names.item(name).map { ($0, .item, $0.unit) } }
    let named = places[place]?.lots.first { fold($0.name) == fold(name) }
    return named.map { ($0.item, .lot($0.lot), $0.lot.first.unit) }
  }

  /// Returns the counts of things on a line that somebody wrote.
  private mutating func others(_ line: FilledSheet.Line) throws -> [SheetCount] {
    let words = lineWords(line.text)
    let typed = TypedThings(
      lines: [words], kind: .stockItem, in: survey, splitting: .byFullNames, areTexts: true)
    if let first = typed.mistakes.first {
      switch first {
      case .badAmount(let text, _, let reason): throw SheetMistake.Reason.amount(text, reason)
      case .amountAlone(let text): throw SheetMistake.Reason.noThing(amount: text)
      }
    }
    guard !typed.things.isEmpty else { throw SheetMistake.Reason.noThing(amount: "") }
    return try typed.things.map { thing in
      let item = try item(thing, line)
      guard case .quantity(let quantity)? = thing.amount else {
        throw SheetMistake.Reason.noAmount(thing: item.title)
      }
      let counted =
        try packs(quantity, of: item, named: thing.name) ?? quantity.quantity(in: item.unit)
      return SheetCount(
        line: line, item: item, target: try target(item, line), quantity: counted)
    }
  }

  private func packs(
    _ typed: TypedQuantity, of item: Entity, named words: String
  ) throws(RuleError) -> Quantity? {
    if let packs = try survey.packs(typed, of: item, named: words) { return packs }
    try survey.refuseUnclear(typed, of: item)
    return nil
  }

  private mutating func item(
    _ thing: TypedThing, _ line: FilledSheet.Line
  ) throws(NamingError) -> Entity {
    do throws(NamingError) {
      return try survey.naming.findInFull(thing.name, .stockItem)
    } catch {
      let isNew = !unknown.contains { fold($0.item.name) == fold(thing.name) }
      if case .notFound = error, Barcode(thing.name) == nil, isNew, !thing.name.isEmpty {
        var item = NewItem(formName(thing.name))
        if case .quantity(let quantity)? = thing.amount { item.unit = quantity.unit ?? .piece }
        unknown.append((item, line))
      }
      throw error
    }
  }

  private func target(
    _ item: Entity, _ line: FilledSheet.Line
  ) throws(SheetMistake.Reason) -> SheetCount.Target {
    guard let name = line.place, let (place, lots) = places[name] else { return .item }
    let there = lots.filter { $0.isThere && $0.item.key == item.key }
    guard there.count <= 1 else {
      throw .severalLots(thing: item.title, place: place.title)
    }
    return there.first.map { .lot($0.lot) } ?? .newLot(in: place)
  }
}

/// The names of items, of locations, and of the lots in a location, on a count sheet.
///
/// All names differ: things that would have the same name also show the end of their id.
struct SheetNames {
  /// A lot in a location.
  struct NamedLot {
    let name: String
    let item: Entity
    let lot: Lot

    var isThere: Bool { lot.quantity.value != .zero }
  }

  private let survey: Survey
  private let names: [EntityKey: String]
  private let items: [String: Entity]
  private let places: [String: Entity]

  init(_ survey: Survey) {
    self.survey = survey
    let told = [Kind.stockItem, .storageLocation].map { kind in
      let all = survey.household.all(kind).filter { !$0.isTombstone }
      return Self.toldApart(all.map { (formName($0.title), $0) })
    }
    names = Dictionary(told.joined().map { ($0.thing.key, $0.name) }) { one, _ in one }
    items = Dictionary(told[0].map { (fold($0.name), $0.thing) }) { one, _ in one }
    places = Dictionary(told[1].map { (fold($0.name), $0.thing) }) { one, _ in one }
  }

  /// Returns the name of an item or a location.
  func name(of thing: Entity) -> String { names[thing.key] ?? formName(thing.title) }

  /// Returns the item with a name.
  func item(_ name: String) -> Entity? { items[fold(name)] }

  /// Returns the location with a name.
  func place(_ name: String) -> Entity? { places[fold(name)] }

  /// Returns the lots in a location by item, in the order of use; used-up lots come last.
  func lots(in place: Entity) -> [NamedLot] {
    let batches = survey.stock.all(.inventoryItem).filter {
      $0.isActive && $0.locationID == place.id
    }
    let rest = batches.filter { !$0.hasSomethingLeft }
    let lots = Lot.grouped(Stock.firstExpiredFirst(batches) + rest)
    let there = named(lots.filter { $0.quantity.value != .zero })
    let gone = named(lots.filter { $0.quantity.value == .zero })
    return there.sorted(byText: \.item.title) + gone
  }

  private func named(_ lots: [Lot]) -> [NamedLot] {
    let owned = lots.compactMap { lot in
      survey.stock.item(of: lot.first).flatMap { $0.isTombstone ? nil : (item: $0, lot: lot) }
    }
    let told = Self.toldApart(owned.map { (name(of: $0.lot, of: $0.item), $0.lot.first) })
    return zip(owned, told).map { NamedLot(name: $1.name, item: $0.item, lot: $0.lot) }
  }

  private func name(of lot: Lot, of item: Entity) -> String {
    let marks = survey.marks(of: lot.first)
    let words = [
      marks.day?.day.description, marks.code.map(formName), marks.isOpen ? "open" : nil,
    ]
    .compactMap(\.self).filter { !$0.isEmpty }
    return name(of: item) + (words.isEmpty ? "" : " (\(words.joined(separator: ", ")))")
  }

  private static func toldApart(
    _ named: [(name: String, thing: Entity)]
  ) -> [(name: String, thing: Entity)] {
    var told = named
    // The end of an id may make a name that another thing has.
    for length in [6, 36] {
      var counts: [String: Int] = [:]
      for (name, _) in told { counts[fold(name), default: 0] += 1 }
      guard counts.count < told.count else { break }
      for (index, (name, thing)) in named.enumerated() where counts[fold(told[index].name)] != 1 {
        told[index].name = "\(name) \(thing.id.suffix(length))"
      }
    }
    return told
  }
}

/// A count that a filled-in sheet made.
public struct CountedLine: Sendable {
  public let item: EntityKey
  /// The counted batch; nil if the item was counted as a whole.
  public let batch: EntityKey?
  public let quantity: Quantity
  public let change: QuantityChange
}

extension Change {
  /// Makes the counts of a filled-in sheet.
  ///
  /// A line is counted if its amount was changed, if its box has an x, or if somebody added the
  /// line. Below the heading of a place, only the lots in that place are counted; if none is known
  /// there, a lot is added. With `makesItems`, a thing that nobody knows becomes an item. Throws all
  /// mistakes at once as ``SheetMistakes``; then nothing may be committed.
  public mutating func count(
    _ sheet: FilledSheet, makesItems: Bool = false
  ) throws(SheetMistakes) -> [CountedLine] {
    var reader = SheetReader(sheet, in: survey)
    if makesItems, !reader.unknown.isEmpty {
      for (item, line) in reader.unknown {
        do throws(RuleError) {
          _ = try edit.add(item, by: writer)
        } catch {
          throw SheetMistakes(all: [SheetMistake(error, in: line)])
        }
      }
      reader = SheetReader(sheet, in: Survey(edit.after, now: writer.now))
    }
    var mistakes = reader.mistakes
    var lines: [EntityKey: Int] = [:]
    var counted: [CountedLine] = []
    for count in reader.counts {
      do {
        if let line = lines[count.key] {
          throw SheetMistake.Reason.twice(thing: count.item.title, line: line)
        }
        lines[count.key] = count.line.number
        if let line = try self.count(count) { counted.append(line) }
      } catch {
        mistakes.append(SheetMistake(error, in: count.line))
      }
    }
    guard mistakes.isEmpty else {
      throw SheetMistakes(all: mistakes.sorted { $0.line < $1.line })
    }
    return counted
  }

  private mutating func count(_ count: SheetCount) throws(RuleError) -> CountedLine? {
    let item = edit.after[count.item.key] ?? count.item
    switch count.target {
    case .item:
      return counted(count, try edit.count(count.quantity, of: item, by: writer))
    case .lot(let known):
      let batches = known.batches.map { Stock(edit.after).withoutLack(edit.after[$0.key] ?? $0) }
      guard let lot = Lot.grouped(batches).first else { return nil }
      let change = try edit.count(count.quantity, of: item, lot: lot, by: writer)
      return counted(count, change, lot.first.key)
    case .newLot(let place):
      guard count.quantity.value != .zero else { return nil }
      var details = BatchDetails(productID: item.id)
      details.locationID = place.id
      let change = try edit.add(count.quantity, details, by: writer)
      guard let batch = change.parts.first.flatMap({ edit.after[$0.key] }) else { return nil }
      // The count records in the new lot when it was counted.
      try edit.count(batch.quantity, ofBatch: batch, by: writer)
      return counted(count, change, batch.key)
    }
  }

  private func counted(
    _ count: SheetCount, _ change: QuantityChange, _ batch: EntityKey? = nil
  ) -> CountedLine {
    CountedLine(item: count.item.key, batch: batch, quantity: count.quantity, change: change)
  }
}
