public import LarderModel
public import LarderStore

/// A household's batches, for an app: the quantities, their expiry, and every change of them.
///
/// An item is an entry of the stock; its batches are quantities with one expiry in one location.
///
/// Every method that changes something makes one commit, and changes nothing if it throws. Other
/// processes, such as `larder`, and other inventories may use the same folder at the same time.
/// Reading returns the current files, including edits by hand. An entity of another household is
/// never returned or counted, and changing it throws `RuleError.otherHousehold`. Days are those of
/// the household's time zone; the current time comes from the context's clock.
///
/// Every method throws ``InventoryError`` and nothing else. `.store` can come from any of them:
/// with `untaken` for a file that must be corrected first, with `locked` if somebody else writes
/// for longer than the context's patience, with `operationInProgress` during a merge in progress,
/// and with `git` or `system` if the disk fails. The comment of a method lists its other errors.
///
/// The methods wait for files in a separate thread and never block other actors.
public actor Inventory {
  /// The absolute path of the folder of `household.json`.
  public nonisolated let root: String
  let store: Store
  let queue = StoreQueue()
  var listeners = Listeners()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  /// Opens the household that contains a folder.
  ///
  /// Throws `.store` with `notAHousehold` if the folder is in none. A household whose folder is not
  /// the root of a git work tree is read-only: changing it throws `.store` with `notARepository`.
  public init(
    at folder: String, _ context: LarderContext = LarderContext()
  ) throws(InventoryError) {
    store = try mapError(
      try Store.open(from: folder, context: context.storeContext), InventoryError.store)
    root = store.root
  }

  /// Takes over a store, such as one that was just created.
  package init(_ store: sending Store) {
    root = store.root
    self.store = store
  }
}

extension Inventory {
  /// A result and the subject of its commit.
  typealias Outcome<Value> = (subject: String, value: Value)

  /// Makes one commit of a rule's changes, and tells the listeners.
  func change<Value>(
    _ verb: String, request: String? = nil,
    _ body: (inout Edit, Writer) throws(InventoryError) -> Outcome<Value>
  ) throws(InventoryError) -> Value {
    let command = "inventory \(verb)"
    let (writing, value) = try mapError(
      try store.commit(as: command, request: request, body), InventoryError.store
    ).get()
    heard(writing, of: command)
    return value
  }

  /// Makes one commit of a rule's changes to one batch, and tells the listeners.
  func change<Value>(
    _ verb: String, ofBatch id: String, request: String? = nil,
    _ body: (inout Edit, Entity, Writer) throws(RuleError) -> Outcome<Value>
  ) throws(InventoryError) -> Value {
    try change(verb, request: request) { (edit, writer) throws(InventoryError) in
      let batch = try edit.batch(id)
      return try mapError(try body(&edit, batch, writer), InventoryError.rule)
    }
  }

  /// Returns the whole household now: locations, catalogue, items and everything else, including
  /// edits by hand.
  ///
  /// It is a value that never changes. Use it for everything that has no method here.
  public func household() throws(InventoryError) -> Household {
    try mapError(try store.read().household, InventoryError.store)
  }

  /// The day in the household's time zone.
  public func today() throws(InventoryError) -> Day { try view().calendar.today }

  /// Returns a batch by its id, with any status; nil if the household has none.
  public func batch(_ id: String) throws(InventoryError) -> Batch? {
    let view = try view()
    guard let batch = view.household[.inventoryItem, id], view.stock.isOurs(batch) else {
      return nil
    }
    return Batch(entity: view.stock.withoutLack(batch))
  }

  /// Returns the batches of a product with something left, in the order of use.
  ///
  /// The earliest expiry comes first, undated batches last, and among equals the oldest first. For
  /// the id of an item, it returns the batches of all its products. With `includingPast`, used-up,
  /// discarded and archived batches follow, ordered by id.
  public func batches(of productOrItemID: String, includingPast: Bool = false)
    throws(InventoryError) -> [Batch]
  {
    let view = try view()
    let item = view.household[.stockItem, productOrItemID]
    let all =
      item.map { view.stock.batches(of: $0) }
      ?? view.stock.batches(ofProduct: productOrItemID)
    let past = includingPast ? all.filter { !$0.hasSomethingLeft } : []
    return view.batches(Stock.firstExpiredFirst(all) + past)
  }

  /// Returns the batches with something left that have expired, the earliest first.
  ///
  /// A batch that expires today is not included, nor what is only past its best: see ``pastBest()``.
  public func expired() throws(InventoryError) -> [Batch] {
    let view = try view()
    return view.batches(view.stock.expired(on: view.calendar.today))
  }

  /// Returns the batches with something left whose best-before day, or guessed day, is over, the
  /// earliest first.
  public func pastBest() throws(InventoryError) -> [Batch] {
    let view = try view()
    return view.batches(view.stock.pastBest(on: view.calendar.today))
  }

  /// Returns the batches with something left that expire from today to `days` days later, both
  /// included, the earliest first.
  ///
  /// The default is the household's `expiringWithinDays`, which is 14 if nobody has set it. The
  /// result is empty for a number below zero; a number above 36500 counts as 36500.
  public func expiring(withinDays days: Int? = nil) throws(InventoryError) -> [Batch] {
    let view = try view()
    let days = days ?? view.household.own?.expiringWithinDays ?? 14
    return view.batches(view.stock.due(from: view.calendar.today, days: min(days, 36_500)))
  }

  /// Returns the totals of a product's batches, or of an item with all its products and its loose
  /// stock.
  ///
  /// Nil if there is no such item and there was never a batch of such a product.
  public func summary(of productOrItemID: String) throws(InventoryError) -> StockSummary? {
    try view().stock.summary(ofProduct: productOrItemID)
  }

  private func view() throws(InventoryError) -> Survey {
    Survey(try household(), now: store.context.now())
  }
}

extension Survey {
  fileprivate func batches(_ entities: [Entity]) -> [Batch] { entities.map { Batch(entity: $0) } }
}

extension Edit {
  func batch(_ id: String) throws(InventoryError) -> Entity {
    guard let batch = after[.inventoryItem, id] else { throw .notFound(.inventoryItem, id: id) }
    return Stock(after).withoutLack(batch)
  }

  /// Returns the name of a product for people: of the item that claims it, otherwise of a batch or
  /// the catalogue.
  func name(ofProduct id: String) -> String {
    let stock = Stock(after)
    let item = after[.stockItem, id] ?? stock.item(ofProduct: id) ?? after[.product, id]
    return item?.title ?? stock.batches(ofProduct: id).first?.title ?? id
  }

  /// Returns a batch after the edit.
  func shown(_ batch: Entity, by writer: Writer) -> Batch {
    Batch(entity: Stock(after).withoutLack(after[batch.key] ?? batch))
  }
}

/// An error of an ``Inventory``; nothing was changed, except with `StoreError.filesBehind`.
public enum InventoryError: Error, Sendable {
  /// A rule refused: for example, there is not enough, the location is unknown, or units don't
  /// convert.
  case rule(RuleError)
  /// The household could not be read or written.
  case store(StoreError)
  /// The household has no entity of this kind with the id.
  case notFound(Kind, id: String)
  /// A remote or the cloud knows the batch, so it can only be discarded.
  case notHardDeletable(id: String)
}
