import LarderKit

/// The source of a move: a lot, or an item's loose stock.
enum MoveSource {
  case lot(Lot, title: String)
  case loose(Entity)

  var title: String {
    switch self {
    case .lot(_, let title): title
    case .loose(let item): item.title
    }
  }

  /// The whole quantity.
  var quantity: Quantity {
    switch self {
    case .lot(let lot, _): lot.quantity
    case .loose(let item): item.quantity
    }
  }

  func item(in stock: Stock) -> Entity? {
    switch self {
    case .lot(let lot, _): stock.item(of: lot.first)
    case .loose(let item): item
    }
  }

  /// Moves all or some of it, and returns the batches in the new location.
  func move(
    _ quantity: Quantity?, to place: String, _ expiry: DateUpdate<Day>, _ version: Instant?,
    in edit: inout Edit, by writer: Writer
  ) throws(RuleError) -> [EntityKey] {
    switch self {
    case .loose(let item):
      return [
        try edit.moveLoose(
          quantity ?? item.quantity, of: item, to: place, expiry: expiry.info, by: writer)
      ]
    case .lot(let lot, let title):
      return try edit.move(
        lot, called: title, to: place, quantity: quantity, expiry: expiry,
        unchangedSince: version, by: writer)
    }
  }
}

extension Survey {
  /// Returns the item that words name, or a lot with its item.
  ///
  /// A used-up lot counts only if no other matches.
  func itemOrLot(_ words: String) throws -> (item: Entity, lot: Lot?) {
    do throws(NamingError) {
      return (try naming.find(words, .stockItem), nil)
    } catch {
      guard case .notFound = error else { throw error }
      let used = naming.all(.inventoryItem).filter(\.isConsumed)
      for batches in [activeBatches.filter(\.hasSomethingLeft), used] {
        do throws(NamingError) {
          let lot = try naming.lot(words, among: batches)
          if let item = stock.item(of: lot.first) { return (item, lot) }
        } catch {
          guard case .notFound = error else { throw error }
        }
      }
      throw error
    }
  }

  /// Returns the item that words name, also with its lot behind the name, as in `milk 2026-12-01`.
  ///
  /// If several things are named, a day or a place alone is not enough, because it may be a stray
  /// number.
  func itemWithLot(_ words: String) throws -> (item: Entity, lot: Lot?) {
    do throws(NamingError) {
      return (try naming.find(words, .stockItem), nil)
    } catch {
      guard case .notFound = error else { throw error }
      let parts = words.split(separator: " ").map(String.init)
      for end in parts.indices.dropFirst().reversed() {
        let name = parts[..<end].joined(separator: " ")
        let rest = parts[end...].joined(separator: " ")
        guard let item = try? naming.find(name, .stockItem) else { continue }
        do throws(NamingError) {
          return (item, try lot(rest, of: item, withConsumed: true))
        } catch {
          if case .ambiguous = error { throw error }
        }
      }
      throw error
    }
  }

  /// Returns the lot of a named item, or the lot or loose stock that the words name.
  ///
  /// Stock outside the destination is preferred.
  func source(_ words: String, lot: String?, to destination: String) throws -> MoveSource {
    guard let lot else { return try source(words, to: destination) }
    let item = try naming.find(words, .stockItem)
    return .lot(try self.lot(lot, of: item), title: item.title)
  }

  /// Returns the lot that matches the words, or the item with loose stock.
  private func source(_ words: String, to destination: String) throws -> MoveSource {
    let batches = stock.all(.inventoryItem)
    let full = batches.filter(\.hasSomethingLeft)
    do throws(NamingError) {
      if let lot = try lot(words, among: full.filter { $0.locationID != destination }) {
        return lot
      }
      if let item = try naming.item(words).map(stock.withoutLack), item.quantity.value > .zero {
        return .loose(item)
      }
      if let lot = try lot(words, among: full) { return lot }
      if let lot = try lot(words, among: batches) { return lot }
    } catch {
      guard case .ambiguous(_, .inventoryItem, let candidates) = error,
        batches.filter(\.hasSomethingLeft).allSatisfy({ batch in
          !candidates.contains { $0.path == household.path(of: batch.key)?.text }
        })
      else { throw error }
      throw CommandError(
        .failed,
        "nothing is left of '\(words)': all \(candidates.count) batches of that name are used up",
        "'larder stock count ITEM N --batch B' says what is really there")
    }
    throw CommandError(
      .notFound, "no batch is called '\(words)', and no such item has loose stock",
      "'larder stock list --batches' lists the batches")
  }

  private func lot(_ words: String, among batches: [Entity]) throws(NamingError) -> MoveSource? {
    do throws(NamingError) {
      let lot = try naming.lot(words, among: batches)
      return .lot(lot, title: naming.title(of: lot.first))
    } catch {
      if case .notFound = error { return nil }
      throw error
    }
  }
}

extension Invocation {
  /// Throws if the words name a thing and a location only as names of several words, which need
  /// quotes.
  func refuseUnquoted(_ words: [String]) throws {
    func isAmount(_ words: ArraySlice<String>) -> Bool {
      words.isEmpty || (try? TypedQuantity(words.joined(separator: " "))) != nil
    }
    guard words.count > 2, !isAmount(words[2...]) else { return }
    let survey = try survey()
    func suggest(
      _ name: ArraySlice<String>, _ place: ArraySlice<String>, _ amount: ArraySlice<String>
    )
      throws
    {
      let name = name.joined(separator: " ")
      guard
        let place = try? survey.naming.find(place.joined(separator: " "), .storageLocation),
        (try? survey.itemOrLot(name)) != nil
      else { return }
      let meant = path + [shellWord(name), shellWord(place.title)] + amount
      throw CommandError(
        .usage, "the order is thing, location, amount, with quotes for a name of several words",
        "did you mean '\(meant.joined(separator: " "))'?")
    }
    for end in 1..<words.count {
      for start in end + 1...words.count {
        if isAmount(words[start...]) {
          try suggest(words[..<end], words[end..<start], words[start...])
        }
        if start < words.count, isAmount(words[end..<start]) {
          try suggest(words[..<end], words[start...], words[end..<start])
        }
      }
    }
  }
}
