internal import LarderModel

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
