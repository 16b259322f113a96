internal import LarderModel

/// A thing that comes from another program: how much of it, until when it keeps, where it is, and
/// what somebody noted.
///
/// Each format fills it in as far as it can. It becomes a batch of its ``details``, or an entry of the
/// shopping list.
struct Arrival {
  /// The item that it is; nil for what is no item.
  var item: Entity?
  /// The name of what is no item.
  var name = ""
  /// The quantity; nil for the usual one.
  var quantity: Quantity?
  var expiry: ExpiryInfo?
  var opened: OpenedInfo?
  var locationID: String?
  var lotCode: String?
  var note: String?
  /// Whether it is in the basket; nil if nothing says so.
  var isDone: Bool?

  /// The batch that it is.
  var details: BatchDetails {
    var details = BatchDetails(productID: item?.id ?? "")
    details.expiry = expiry
    details.opened = opened
    details.locationID = locationID
    details.lotCode = lotCode
    details.notes = note
    return details
  }
}

extension Household {
  /// Returns the entry on the list for a thing, which may be off it; nil if it never was there.
  func entry(for arrival: Arrival) -> Entity? {
    arrival.item.map { entry(of: $0) }
      ?? freeEntry(named: arrival.name)
      ?? self[.shoppingListEntry, ShoppingEntry.id(named: arrival.name)]
  }
}

extension Edit {
  /// Puts a thing on the shopping list, and returns its entry.
  ///
  /// An item that is there already keeps its quantity if nothing says another one.
  mutating func want(_ arrival: Arrival, by writer: Writer) throws(RuleError) -> Entity? {
    let entry: Entity?
    if let item = arrival.item {
      let known = after.entry(of: item)
      if arrival.quantity == nil, let known, !known.isTombstone {
        let note = arrival.note.map { FieldValue(.note, .string($0)) }
        write([note].compactMap(\.self), to: known.key, now: writer.now)
      } else {
        try want(arrival.quantity, of: item, note: arrival.note, by: writer)
      }
      entry = after.entry(of: item)
    } else {
      let title = try want(arrival.quantity, named: arrival.name, note: arrival.note, by: writer)
      entry = after.freeEntry(named: title)
    }
    guard let entry, let isDone = arrival.isDone else { return entry }
    write([(.isCompleted, .bool(isDone))], to: entry.key, now: writer.now)
    return after[entry.key]
  }
}

extension Writer {
  /// Returns the writer of one thing, which gets this id.
  func making(_ id: String) -> Writer {
    Writer(now: now, device: device, userID: userID, newID: { id })
  }
}

/// An index of the household's names and barcodes.
struct ImportNames {
  private var keys: [Kind: [String: EntityKey]] = [:]
  private var numbers: [Barcode: String] = [:]

  init(_ survey: Survey) {
    for kind in [Kind.stockItem, .storageLocation, .product] {
      for entity in survey.naming.all(kind).sorted(by: { $0.id < $1.id }) where !entity.isTombstone
      {
        note(entity)
      }
    }
  }

  /// Adds the names of an entity; a name that is taken keeps its first entity.
  mutating func note(_ entity: Entity) {
    for name in entity.ownNames.map(fold) where keys[entity.kind]?[name] == nil {
      keys[entity.kind, default: [:]][name] = entity.key
    }
    for number in entity.kind == .stockItem ? entity.productIDs : entity.numbers {
      guard let barcode = Barcode(written: number) else { continue }
      numbers[barcode] = numbers[barcode] ?? (entity.kind == .product ? entity.id : number)
    }
  }

  subscript(kind: Kind, name: String) -> EntityKey? { keys[kind]?[fold(name)] }

  /// Returns the id of the product with a barcode; nil if nobody knows it.
  func product(with barcode: Barcode) -> String? { numbers[barcode] }
}
