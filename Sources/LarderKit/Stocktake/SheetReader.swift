internal import LarderModel

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
    do throws(SheetMistake) {
      if let count = try known(line) {
        counts += count
      } else {
        counts += try others(line)
      }
    } catch {
      mistakes.append(error)
    }
  }

  /// Returns the count of a thing that has its sheet name on the line; nil if the line has no such
  /// name.
  ///
  /// The result is empty if the line was not changed.
  private func known(_ line: FilledSheet.Line) throws(SheetMistake) -> [SheetCount]? {
    if says(line, nothingWith: line.readings[0].amount) { return [] }
    let found = line.readings.compactMap { reading in
      thing(reading.thing, line.place).map { (reading: reading, thing: $0) }
    }
    let readable = found.first { (try? TypedQuantity($0.reading.amount)) != nil }
    guard let (reading, thing) = readable ?? found.first else { return nil }
    if says(line, nothingWith: reading.amount) { return [] }
    guard !reading.amount.isEmpty else {
      throw mistake(line, .noAmount(thing: reading.thing))
    }
    let typed = try typed(reading.amount, line)
    var known = line.known.flatMap { try? TypedQuantity($0) }
    if let unit = known?.unit, TypedUnit.isSame(thing.unit, unit) { known?.unit = thing.unit }
    let quantity =
      try packs(typed, of: thing.item, named: reading.thing, line)
      ?? typed.quantity(in: known.map { $0.unit ?? .piece } ?? thing.unit)
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
  private mutating func others(_ line: FilledSheet.Line) throws(SheetMistake) -> [SheetCount] {
    let words = lineWords(line.text)
    let typed = TypedThings(
      lines: [words], kind: .stockItem, in: survey, splitting: .byFullNames, areTexts: true)
    if let first = typed.mistakes.first {
      switch first {
      case .badAmount(let text, _, let reason): throw mistake(line, .amount(text, reason))
      case .amountAlone(let text): throw mistake(line, .noThing(amount: text))
      }
    }
    guard !typed.things.isEmpty else { throw mistake(line, .noThing(amount: "")) }
    var counts: [SheetCount] = []
    for thing in typed.things {
      let item = try item(thing, line)
      guard case .quantity(let quantity)? = thing.amount else {
        throw mistake(line, .noAmount(thing: item.title))
      }
      let target = try target(item, line)
      let counted =
        try packs(quantity, of: item, named: thing.name, line) ?? quantity.quantity(in: item.unit)
      counts.append(SheetCount(line: line, item: item, target: target, quantity: counted))
    }
    return counts
  }

  private func packs(
    _ typed: TypedQuantity, of item: Entity, named words: String, _ line: FilledSheet.Line
  ) throws(SheetMistake) -> Quantity? {
    do throws(RuleError) {
      if let packs = try survey.packs(typed, of: item, named: words) { return packs }
      try survey.refuseUnclear(typed, of: item)
      return nil
    } catch {
      throw mistake(line, .rule(error))
    }
  }

  private mutating func item(
    _ thing: TypedThing, _ line: FilledSheet.Line
  ) throws(SheetMistake) -> Entity {
    do throws(NamingError) {
      return try survey.naming.find(thing.name, .stockItem)
    } catch {
      let isNew = !unknown.contains { fold($0.item.name) == fold(thing.name) }
      if case .notFound = error, Barcode(thing.name) == nil, isNew, !thing.name.isEmpty {
        var item = NewItem(formName(thing.name))
        if case .quantity(let quantity)? = thing.amount { item.unit = quantity.unit ?? .piece }
        unknown.append((item, line))
      }
      throw mistake(line, .naming(error))
    }
  }

  private func target(
    _ item: Entity, _ line: FilledSheet.Line
  ) throws(SheetMistake) -> SheetCount.Target {
    guard let name = line.place, let (place, lots) = places[name] else { return .item }
    let there = lots.filter { $0.isThere && $0.item.key == item.key }
    guard there.count <= 1 else {
      throw mistake(line, .severalLots(thing: item.title, place: place.title))
    }
    return there.first.map { .lot($0.lot) } ?? .newLot(in: place)
  }

  private func typed(
    _ amount: String, _ line: FilledSheet.Line
  ) throws(SheetMistake) -> TypedQuantity {
    do throws(TypedQuantity.Mistake) {
      return try TypedQuantity(amount)
    } catch {
      throw mistake(line, .amount(amount, error))
    }
  }

  func mistake(
    _ line: FilledSheet.Line, _ reason: SheetMistake.Reason
  ) -> SheetMistake {
    SheetMistake(line: line.number, column: line.column, reason)
  }
}
