public import LarderModel

/// The daily acts of a household on typed views. Each throws the `RuleError` of its rule in `Edit`.
extension Change {
  /// Adds an item to the stock.
  @discardableResult
  public mutating func add(_ item: NewItem) throws(RuleError) -> StockItem {
    StockItem(entity: try edit.add(item, by: writer))
  }

  /// Adds a storage location.
  @discardableResult
  public mutating func addLocation(
    _ name: String, isColdStorage: Bool = false
  ) -> StorageLocation {
    edit.addLocation(name, isColdStorage: isColdStorage, by: writer)
  }

  /// Adds a product to the catalogue.
  ///
  /// `number` is the number of its barcode or the id of a catalogue; no other product may have it.
  @discardableResult
  public mutating func addProduct(_ number: String, title: String) throws(RuleError) -> Product {
    var product = Product(entity: try survey.newProduct(number, at: writer.now))
    product.title = title
    let fields = product.entity.registers.map { FieldValue($0.name, $0.value) }
    let made = edit.new(.product, id: product.id, fields, by: writer)
    edit.put(made)
    return Product(entity: made)
  }

  /// Adds loose stock to an item.
  @discardableResult
  public mutating func add(
    _ quantity: Quantity, to item: StockItem, request: String? = nil
  ) throws(RuleError) -> QuantityChange {
    try edit.add(quantity, to: item.entity, request: request, by: writer)
  }

  /// Adds to the batch with the same details, or makes a new one.
  @discardableResult
  public mutating func add(
    _ quantity: Quantity, _ details: BatchDetails, request: String? = nil
  ) throws(RuleError) -> QuantityChange {
    try edit.add(quantity, details, request: request, by: writer)
  }

  /// Uses some of an item: first the earliest expiry, then the loose stock.
  @discardableResult
  public mutating func use(
    _ quantity: Quantity, of item: StockItem, request: String? = nil
  ) throws(RuleError) -> QuantityChange {
    try edit.take(quantity, from: item.entity, request: request, by: writer)
  }

  /// Throws away some of an item; it does not count as used.
  @discardableResult
  public mutating func spoil(
    _ quantity: Quantity, of item: StockItem, reason: String? = nil
  ) throws(RuleError) -> QuantityChange {
    try edit.take(quantity, from: item.entity, why: .spoil, note: reason, by: writer)
  }

  /// States the real total of an item.
  @discardableResult
  public mutating func count(
    _ quantity: Quantity, of item: StockItem
  ) throws(RuleError) -> QuantityChange {
    try edit.count(quantity, of: item.entity, by: writer)
  }

  /// Puts an item on the shopping list; by default as much as is missing to its full stock.
  public mutating func want(
    _ quantity: Quantity? = nil, of item: StockItem, note: String? = nil
  ) throws(RuleError) {
    try edit.want(quantity, of: item.entity, note: note, by: writer)
  }

  /// Puts something that is not an item on the shopping list.
  public mutating func want(
    _ quantity: Quantity? = nil, named name: String, note: String? = nil
  ) throws(RuleError) {
    try edit.want(quantity, named: name, note: note, by: writer)
  }

  /// Puts every item that is low on the shopping list: see `Holding.isLow(on:)`.
  public mutating func wantAllThatIsLow() {
    edit.wantAllThatIsLow(by: writer)
  }

  /// Changes the fields of an entity.
  public mutating func update<View: EntityView>(
    _ view: View, _ change: (inout View) throws -> Void
  ) rethrows {
    try edit.update(view, by: writer, change)
  }

  /// Saves a receipt of entries that were bought; the stock is replenished and they leave the list.
  ///
  /// `lines` corrects the basket's lines, or adds some, before it is saved. It can throw
  /// ``NamingError`` too.
  @discardableResult
  public mutating func saveReceipt(
    of entries: [ShoppingListEntry], _ purchase: Edit.Purchase, _ rules: LineRules = LineRules(),
    lines: (inout Basket) throws -> Void = { _ in }
  ) throws -> Receipt {
    var basket = Basket(entries.map(\.entity), survey, writer, rules)
    try lines(&basket)
    return Receipt(entity: try basket.save(purchase, in: &edit))
  }
}
