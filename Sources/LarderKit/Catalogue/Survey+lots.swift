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
  public func lot(
    _ words: String, of item: Entity, among groups: [[Entity]]
  ) throws(NamingError) -> Lot {
    for batches in groups {
      do throws(NamingError) {
        return try naming.lot(words, among: batches)
      } catch {
        guard case .notFound = error else { throw error }
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
