public import LarderModel

extension Survey {
  /// The lots of an item that there is something of, the first to take from first.
  public func lots(of item: Entity) -> [Lot] {
    Lot.grouped(batches(of: item))
  }

  /// A lot of an item by its code, day, place, file or id; a file or an id names one batch of it.
  ///
  /// With `withConsumed`, what is used up is looked at where nothing else has the name.
  public func lot(
    _ words: String, of item: Entity, withConsumed: Bool = false
  ) throws(NamingError) -> Lot {
    let consumed = withConsumed ? stock.batches(of: item).filter(\.isConsumed) : []
    return try lot(words, of: item, among: [batches(of: item), consumed])
  }

  /// A lot of the first of some groups of an item's batches that has one of the name.
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
