public import LarderModel

extension Survey {
  /// Returns the places in the order in which they are used, and whether anything names them: those
  /// with the most items and batches come first, then the first by name.
  ///
  /// Things that came to a place today do not count until tomorrow, so that the order holds for a day.
  public func placesByUse(
    _ items: [HeldItem]
  ) -> [(place: StorageLocation, isInUse: Bool)] {
    let morning = calendar.instant(of: calendar.today)
    var counts: [String: Int] = [:]
    var named: Set<String> = []
    for held in items {
      for entity in [held.item] + held.holding.batches {
        guard let place = entity.locationID else { continue }
        if entity.kind == .stockItem || entity.hasSomethingLeft { named.insert(place) }
        let since = entity.register(.storageLocationID)?.stamp ?? entity.createdAt
        if since < morning, entity[.status] != .string("discarded") {
          counts[place, default: 0] += 1
        }
      }
    }
    return locations.enumerated().sorted { one, other in
      let (most, more) = (counts[one.element.id] ?? 0, counts[other.element.id] ?? 0)
      return most == more ? one.offset < other.offset : most > more
    }.map { ($0.element, named.contains($0.element.id)) }
  }
}
