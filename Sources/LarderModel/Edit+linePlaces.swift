internal import LarderJSON

/// The receipt behind a change of ledgers.
struct ReceiptCause {
  let receipt: Entity
  /// When the lines were written that are being replaced.
  let version: Instant
  let device: String
  let stamp: (Entity) -> Instant
}

/// Where a line's quantity goes: its item's loose stock, or the line's own batch.
struct LinePlace {
  let key: EntityKey
  /// The item without its ledger, which is written meanwhile.
  let item: Entity

  init(key: EntityKey, item: Entity) {
    var item = item
    item.ledger = Ledger()
    (self.key, self.item) = (key, item)
  }

  var isBatch: Bool { key.kind == .inventoryItem }
}

extension Edit {
  /// Where a line's quantity is: in its batch, where there is one; nil where it has no item.
  func place(of line: ReceiptLine) -> LinePlace? {
    guard let item = line.itemID.flatMap({ after[.stockItem, $0] }) else { return nil }
    let batch = line.batchKey(of: item)
    return LinePlace(key: after[batch] == nil ? item.key : batch, item: item)
  }

  /// Where a line's quantity goes, after the line as it was before.
  ///
  /// What it says of a batch makes one when it is said first; what lies loose in spite of it, as
  /// programs had it that knew no batches of lines, stays there.
  func place(of line: ReceiptLine, after earlier: ReceiptLine?) -> LinePlace? {
    guard let place = place(of: line) else { return nil }
    let wasSaid = earlier.map { $0.itemID == line.itemID && $0.isOfBatch } ?? false
    let isLoose = after[place.item.key]?.ledger[line.entryID] != nil
    guard line.isOfBatch, !(wasSaid && isLoose) else { return place }
    return LinePlace(key: line.batchKey(of: place.item), item: place.item)
  }

  /// The line's batch, before anything is in it.
  func batch(of line: ReceiptLine, _ place: LinePlace, _ cause: ReceiptCause) -> Entity {
    let at = cause.receipt.register("items")?.stamp ?? cause.receipt.createdAt
    let maker = Writer(
      now: at, device: cause.device, userID: cause.receipt.userID ?? "", newID: { place.key.id })
    let details = BatchDetails(productID: place.item.id)
    let fields = fields(of: details, unit: line.quantity(in: place.item).unit)
    let own = fields.filter { field in !line.batchFields.contains { $0.name == field.name } }
    return new(.inventoryItem, own + line.batchFields, by: maker)
  }
}

extension ReceiptLine {
  /// The id of the entry by which the line's quantity came.
  var entryID: String { Identifier.derived(from: "receipt", id) }

  /// The id of the entry by which the quantity leaves the loose stock for the line's batch.
  var moveID: String { Identifier.derived(from: "move", id) }

  var entryIDs: [String] { [entryID, moveID] }

  /// What was bought of its item.
  func quantity(in item: Entity) -> Quantity { Quantity(quantity, unit ?? item.unit) }

  /// The batch that the line makes of an item where it says anything of one.
  func batchKey(of item: Entity) -> EntityKey {
    EntityKey(.inventoryItem, batchID(ofItem: item.id))
  }

  func batchID(ofItem item: String) -> String { Identifier.derived(from: "batch", id, item) }

  /// Whether the line says until when it keeps, where it went or its lot code.
  var isOfBatch: Bool {
    expiry != nil || !(locationID ?? "").isEmpty || !(lotCode ?? "").isEmpty
  }

  /// What the line says of its batch, as the batch has it.
  var batchFields: [(name: String, value: JSON?)] {
    let lot = lotCode.flatMap { $0.isEmpty ? nil : $0 }
    return [
      ("storageLocationId", .string(locationID ?? "")),
      ("lotOrBatchCode", lot.map { .string($0) }),
      ("expiryInfo", expiry.map { ExpiryInfo(.expiry, $0).json }),
    ]
  }
}
