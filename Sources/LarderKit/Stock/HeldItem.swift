public import LarderModel

/// An item with its batches and all their ledgers, which are decoded once for all that is told from
/// them.
public struct HeldItem: Sendable {
  public let holding: Holding
  /// The ledger of the item itself.
  let ledger: Ledger
  /// The ledgers of the holding's batches, in their order.
  let batchLedgers: [Ledger]

  init(_ holding: Holding) {
    self.holding = holding
    ledger = holding.item.ledger
    batchLedgers = holding.batches.map(\.ledger)
  }

  public var item: Entity { holding.item }
  var ledgers: [Ledger] { [ledger] + batchLedgers }
}

extension Survey {
  /// The items of the stock with their batches and ledgers, ordered by name.
  public var heldItems: [HeldItem] {
    stock.holdings(of: items.map(\.entity)).map { HeldItem($0) }
  }

  /// Returns an item with its batches and ledgers.
  public func held(_ item: Entity) -> HeldItem { HeldItem(stock.holding(of: item)) }
}
