internal import LarderModel

/// The names of items, and of the lots in a location, on a count sheet.
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

  init(_ survey: Survey) {
    self.survey = survey
    let all = survey.household.all(.stockItem).filter { !$0.isTombstone }
    let told = Self.toldApart(all.map { (sheetName($0.title), $0) })
    names = Dictionary(told.map { ($0.thing.key, $0.name) }) { one, _ in one }
    items = Dictionary(told.map { (fold($0.name), $0.thing) }) { one, _ in one }
  }

  func name(of item: Entity) -> String { names[item.key] ?? sheetName(item.title) }

  /// Returns the item with a name.
  func item(_ name: String) -> Entity? { items[fold(name)] }

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
      marks.day?.day.description, marks.code.map(sheetName), marks.isOpen ? "open" : nil,
    ]
    .compactMap(\.self).filter { !$0.isEmpty }
    return name(of: item) + (words.isEmpty ? "" : " (\(words.joined(separator: ", ")))")
  }

  private static func toldApart(
    _ named: [(name: String, thing: Entity)]
  ) -> [(name: String, thing: Entity)] {
    var counts: [String: Int] = [:]
    for (name, _) in named { counts[fold(name), default: 0] += 1 }
    return named.map { name, thing in
      counts[fold(name)] == 1 ? (name, thing) : ("\(name) \(thing.id.suffix(6))", thing)
    }
  }
}
