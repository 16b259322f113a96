import LarderModel

extension Survey {
  /// The lots of an item that there is something of, the first to take from first.
  func lots(of item: Entity) -> [Lot] {
    Lot.grouped(batches(of: item))
  }

  /// A lot of an item by its code, day, place, file or id; a file or an id names one batch of it.
  ///
  /// With `withConsumed`, what is used up is looked at where nothing else has the name.
  func lot(
    _ words: String, of item: Entity, withConsumed: Bool = false
  ) throws(CommandError) -> Lot {
    let consumed = withConsumed ? stock.batches(of: item).filter(\.isConsumed) : []
    return try lot(words, of: item, among: [batches(of: item), consumed])
  }

  /// A lot of the first of some groups of an item's batches that has one of the name.
  func lot(
    _ words: String, of item: Entity, among groups: [[Entity]]
  ) throws(CommandError) -> Lot {
    for batches in groups {
      do throws(NamingError) {
        return try naming.lot(words, among: batches)
      } catch {
        guard case .notFound = error else { throw error.commandError }
      }
    }
    let lots = Lot.grouped(groups.flatMap(\.self))
    throw CommandError(
      .notFound, "\(item.title) has no batch '\(words)'",
      hints: [
        lots.isEmpty
          ? item.quantity.value > .zero ? "all of it lies loose" : "there is none of it"
          : "its batches: " + lots.map { self.words(for: $0.first) }.joined(separator: "; ")
      ])
  }
}
