public import LarderModel

extension Survey {
  /// Returns the lots of an item with something left, in the order in which they are used.
  public func lots(of item: Entity) -> [Lot] {
    Lot.grouped(batches(of: item))
  }

  /// Returns the lots of an item that count, also those below zero, in the order in which they are
  /// used.
  public func countingLots(of item: Entity) -> [Lot] {
    Lot.grouped(Stock.inUseOrder(stock.batches(of: item).filter(\.makesDifference)))
  }

  /// Returns a lot of an item by its code, day, location, file or id; a file or an id matches one
  /// batch only.
  ///
  /// With `withConsumed`, used-up batches match if no other does.
  public func lot(
    _ words: String, of item: Entity, withConsumed: Bool = false
  ) throws(NamingError) -> Lot {
    let consumed = withConsumed ? stock.batches(of: item).filter(\.isConsumed) : []
    return try lot(words, of: item, among: [batches(of: item), consumed])
  }

  /// Returns a lot from the first group of an item's batches that has a match.
  ///
  /// A name in full comes before a part of one, in whatever group, and a part of an id last. The full
  /// name of another batch of the item, such as one that is used up, is not a part of these ones'.
  public func lot(
    _ words: String, of item: Entity, among groups: [[Entity]]
  ) throws(NamingError) -> Lot {
    search: for steps in Naming.Step.groups {
      for batches in groups {
        if let lot = try naming.lot(words, among: batches, by: steps) { return lot }
      }
      for batch in stock.batches(of: item) where steps == Naming.Step.inFull {
        if try naming.lot(words, among: [batch], by: steps) != nil { break search }
      }
    }
    throw .noLot(words, of: item, Lot.grouped(groups.flatMap(\.self)).map { marks(of: $0.first) })
  }
}

/// The values by which people tell a batch from others of its item.
public struct LotMarks: Hashable, Sendable {
  public let day: BatchDay?
  public let code: String?
  /// The name of the batch's location.
  public let place: String?
  public let isOpen: Bool

  public init(day: BatchDay?, code: String?, place: String?, isOpen: Bool) {
    self.day = day
    self.code = code
    self.place = place
    self.isOpen = isOpen
  }
}

extension Survey {
  /// Returns the values by which people tell a batch from others of its item.
  public func marks(of batch: Entity) -> LotMarks {
    LotMarks(
      day: batch.batchDay, code: batch.lotCode, place: place(of: batch),
      isOpen: batch.openedAt != nil)
  }
}
