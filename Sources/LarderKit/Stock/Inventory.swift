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
    do throws(StoreError) {
      store = try Store.open(from: folder, context: context.storeContext)
    } catch {
      throw .store(error)
    }
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
    let result: CommitResult<Value, InventoryError>
    do throws(StoreError) {
      result = try store.commit(as: command, request: request, body)
    } catch {
      throw .store(error)
    }
    let (writing, value) = try result.get()
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
      do throws(RuleError) {
        return try body(&edit, batch, writer)
      } catch {
        throw .rule(error)
      }
    }
  }
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
