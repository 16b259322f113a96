internal import LarderJSON

/// Findings about products and names that several files have, but only one may have.
extension HouseholdCheck {
  mutating func findContestedProducts() {
    for (product, ids) in stock.contested {
      let items = Set(ids).sorted().compactMap { household[.stockItem, $0] }
      guard let owner = items.first else { continue }
      for item in items.dropFirst() {
        let index = item.productIDs.firstIndex(of: product) ?? 0
        note(
          .contestedProduct(product, otherPath: path(of: owner)), item,
          at: .value([.key("products"), .index(index)]))
      }
    }
  }

  /// Finds names and other names that several things have; commands refuse such a name.
  mutating func findSharedNames() {
    for kind in LarderModel.Kind.allCases where Schema.of(kind).namesAreUnique {
      let all = household.all(kind)
      let title = Schema.of(kind).title ?? .name
      var holders: [String: Entity] = [:]
      let live = all.filter { !$0.isTombstone && stock.isOurs($0) }
      for entity in live.sorted(by: { $0.id < $1.id }) {
        for (index, name) in entity.ownNames.enumerated() {
          let holder = holders[fold(name), default: entity]
          holders[fold(name)] = holder
          guard holder.key != entity.key else { continue }
          let place: [JSONStep] =
            index == 0 ? [.key(title.text)] : [.key("aliases"), .index(index - 1)]
          note(.sharedName(name, otherPath: path(of: holder)), entity, at: .value(place))
        }
      }
    }
  }

  /// Finds requests served by several devices; one device may serve a request from several files.
  mutating func findRequestsServedTwice() {
    for (request, all) in served {
      let devices = Set(all.map(\.entry.by)).sorted()
      let ordered = all.sorted { LedgerEntry.precedes($0.entry, $1.entry) }
      guard devices.count > 1, let first = ordered.first else { continue }
      for later in ordered.dropFirst()
      where later.entry.by != first.entry.by && later.entity.key != first.entity.key {
        note(
          .servedTwice(request: request, otherPath: path(of: first.entity), devices: devices),
          later.entity, at: .entry(later.entry.id))
      }
    }
  }
}
