package import LarderStore
internal import LarderModel

/// A household's batches, for an app: what is there, until when it keeps, and what becomes of it.
///
/// Every method that changes something makes one commit, and nothing where it throws; another process
/// may use the same folder meanwhile, such as `larder` itself, and so may any number of inventories.
/// Reading sees files as they are, edits by hand included. What says that it belongs to another
/// household is never returned nor counted, and changing it throws `RuleError.otherHousehold`. Days
/// are those of the household's time zone, and now is what the context's clock says.
///
/// Every method throws ``InventoryError`` and nothing else. `.store` can come from any of them: with
/// `unreadable` for a file that has to be mended first, `locked` where somebody else is writing for
/// longer than the context's patience, `operationInProgress` during somebody's merge, and `git` or
/// `system` where the disk fails. What is said of each method comes on top.
///
/// The methods wait for files in a thread of their own and never hold up other actors. Rules and their
/// names are those of the founding inventory plan; its items are batches here, since an item is what
/// the stock lists.
public actor Inventory {
  /// The folder of `household.json`, absolute.
  public nonisolated let root: String
  let store: Store
  let queue = StoreQueue()
  var listeners = Listeners()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  /// Opens the household that a folder lies in.
  ///
  /// Throws `.store` with `notAHousehold` if it lies in none. A household that is not the root of a git
  /// work tree can be read only: changing it throws `.store` with `notARepository`.
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

  package init(_ store: sending Store) {
    root = store.root
    self.store = store
  }
}

extension Inventory {
  /// A result and the subject of the commit that tells of it.
  typealias Outcome<Value> = (subject: String, value: Value)

  /// Makes one commit of what a rule changes, and tells the listeners.
  func change<Value>(
    _ verb: String, request: String? = nil,
    _ body: (inout Edit, Writer) throws(InventoryError) -> Outcome<Value>
  ) throws(InventoryError) -> Value {
    let command = "inventory \(verb)"
    let attempt: Attempt<Value, InventoryError>
    do throws(StoreError) {
      attempt = try store.attempt(command, request: request, body)
    } catch {
      throw .store(error)
    }
    let (writing, value) = try attempt.get()
    heard(writing, of: command)
    return value
  }

  /// The same for one batch.
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
    return batch
  }

  /// What people call a product: the item that claims it, else what a batch or the catalogue says.
  func name(ofProduct id: String) -> String {
    let stock = Stock(after)
    let item = after[.stockItem, id] ?? stock.item(ofProduct: id) ?? after[.product, id]
    return item?.title ?? stock.batches(ofProduct: id).first?.title ?? id
  }

  /// A batch as the edit leaves it.
  func shown(_ batch: Entity, by writer: Writer) -> Batch {
    Batch(entity: after[batch.key] ?? batch)
  }
}
