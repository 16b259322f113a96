internal import LarderJSON

/// The receipt that causes a change of ledgers.
struct ReceiptCause {
  let receipt: Entity
  /// The time when the replaced lines were written.
  let version: Instant
  let device: String
  let stamp: (Entity) -> Instant

  /// When what was bought came, if it is recorded at a time: when it was paid, so that a later count
  /// has it among what there was.
  func moment(recordedAt time: Instant) -> Instant { min(receipt.timestamp, time) }
}

/// The destination of a line's quantity: its item's loose stock, or the line's own batch.
struct LinePlace {
  let key: EntityKey
  /// The item without its ledger, which changes in the meantime.
  let item: Entity

  init(key: EntityKey, item: Entity) {
    var item = item
    item.ledger = Ledger()
    (self.key, self.item) = (key, item)
  }

  var isBatch: Bool { key.kind == .inventoryItem }
}

extension Edit {
  /// Returns the place of a line's quantity: its batch, if it exists; nil if the line has no item.
  func place(of line: ReceiptLine) -> LinePlace? {
    guard let item = line.itemID.flatMap({ after[.stockItem, $0] }) else { return nil }
    let batch = line.batchKey(of: item)
    return LinePlace(key: after[batch] == nil ? item.key : batch, item: item)
  }

  /// Returns the place for a line's quantity, given the earlier version of the line.
  ///
  /// A line that gives details of a batch gets a batch when it first does so. If its quantity is
  /// loose in spite of that, as in programs without batches of lines, it stays loose.
  func place(of line: ReceiptLine, after earlier: ReceiptLine?) -> LinePlace? {
    guard let place = place(of: line) else { return nil }
    let wasSaid = earlier.map { $0.itemID == line.itemID && $0.isOfBatch } ?? false
    let isLoose = after[place.item.key]?.ledger[line.entryID] != nil
    guard line.isOfBatch, !(wasSaid && isLoose) else { return place }
    return LinePlace(key: line.batchKey(of: place.item), item: place.item)
  }

  /// Returns the line's batch before it has any entries.
  func batch(of line: ReceiptLine, _ place: LinePlace, _ cause: ReceiptCause) -> Entity {
    let written = cause.receipt.register(.items)?.stamp ?? cause.receipt.createdAt
    let maker = Writer(
      now: max(written, cause.receipt.createdAt), device: cause.device,
      userID: cause.receipt.userID ?? "", newID: { place.key.id })
    let details = BatchDetails(productID: place.item.id)
    let fields = fields(of: details, unit: line.quantity(in: place.item).unit)
    let own = fields.filter { field in !line.batchFields.contains { $0.name == field.name } }
    var batch = new(.inventoryItem, own + line.batchFields, by: maker)
    // Of two people who save one basket, the one who said something of the batch is later.
    for (field, member) in zip(line.batchFields, [FieldName.location, .lot, .expiry])
    where batch.register(field.name) != nil {
      batch.write(field.name, field.value, at: line.edited[member] ?? written)
    }
    return batch
  }
}

extension ReceiptLine {
  /// The id of the entry that adds the line's quantity.
  var entryID: String { Identifier.derived(from: "receipt", id) }

  /// The id of the entry that moves the quantity from the loose stock to the line's batch.
  var moveID: String { Identifier.derived(from: "move", id) }

  var entryIDs: [String] { [entryID, moveID] }

  /// Returns the quantity that was bought of its item.
  public func quantity(in item: Entity) -> Quantity { Quantity(quantity, unit ?? item.unit) }

  /// Returns the key of the line's batch, for a line with details of a batch.
  func batchKey(of item: Entity) -> EntityKey {
    EntityKey(.inventoryItem, batchID(ofItem: item.id))
  }

  /// Returns the id of the line's batch, if what was bought is an item's.
  package func batchID(ofItem item: String) -> String {
    Identifier.derived(from: "batch", id, item)
  }

  /// Whether the line has an expiry, a location or a lot code.
  var isOfBatch: Bool {
    expiry != nil || !(locationID ?? "").isEmpty || !(lotCode ?? "").isEmpty
  }

  /// The line's details as fields of its batch.
  var batchFields: [FieldValue] {
    let lot = lotCode.flatMap { $0.isEmpty ? nil : $0 }
    return [
      (.storageLocationID, .string(locationID ?? "")),
      (.lotOrBatchCode, lot.map { .string($0) }),
      (.expiryInfo, expiry.map { ExpiryInfo(.expiry, $0).json }),
    ]
  }

  /// The line's details as fields of a batch that is there: of what people know of its date, only the
  /// day changes.
  func batchFields(over batch: Entity) -> [FieldValue] {
    guard let expiry, var info = ExpiryInfo(batch[.expiryInfo]) else { return batchFields }
    info.date = expiry
    if info.kind.isOfOrigin { info.kind = .expiry }
    return batchFields.map { $0.name == .expiryInfo ? (.expiryInfo, info.json) : $0 }
  }
}
