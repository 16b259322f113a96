import LarderKit

/// `larder stock new`.
enum StockNew {
  private static let name = Argument("NAME", help: "the item's name")
  private static let amount = Argument(
    "AMOUNT", .zeroOrMore, help: "how much there is: 6, 1kg, 4 tins")
  private static let category = Option(
    "category", short: "c", value: "C", values: .named(.category),
    help: "the group it is listed under")
  private static let inStock = Option(
    "in-stock", value: "N", help: "how much there is, the same as AMOUNT")
  private static let full = Option("full", value: "N", help: "how much there should be")
  private static let product = Option(
    "product", value: "ID", isRepeatable: true,
    help: "a product that counts as this item: its barcode, id or name")

  static let command = Command(
    "stock new", arguments: [name, amount],
    options: [category, StockCommand.unit, inStock, full, product] + ItemOptions.all
      + BatchOptions.details
  ) { invocation in
    let inStock = try there(invocation)
    let full = try invocation[full].map { try invocation.typed($0, for: "--full") }
    let own = try ItemDetails(invocation)
    let unit =
      try invocation.unit(StockCommand.unit) ?? full?.unit(beside: inStock) ?? inStock?.unit
      ?? own.minimum.flatMap { $0?.unit } ?? .piece
    let name = try invocation.newName(name)
    let hasDetails = BatchOptions.details.contains { invocation.text($0) != nil }
    let isBatch = hasDetails || inStock != nil && invocation.text(ItemOptions.place) != nil
    var item = NewItem(name)
    item.category = invocation.text(category)
    item.unit = unit
    let quantity = inStock?.quantity(in: unit) ?? (hasDetails ? Quantity(Number(1), unit) : nil)
    item.inStock = isBatch ? nil : quantity
    item.full = full?.quantity(in: unit)
    let change = try invocation.change { edit, writer, survey in
      var item = item
      try item.take(own, survey)
      item.products = try invocation.all(product).map { try survey.freeProduct($0, for: nil) }
      let made = try edit.add(item, by: writer)
      guard isBatch, let quantity else { return "new item \(name)" }
      _ = try edit.add(
        quantity, try invocation.batchDetails(item.products.first ?? made.id, survey), by: writer)
      return "new item \(name)"
    }
    invocation.reportNew(change)
  }

  /// Returns the quantity from the argument or from the option; throws if both are given.
  private static func there(_ invocation: Invocation) throws -> TypedQuantity? {
    guard let typed = try invocation.quantity(amount, behind: name, StockCommand.unit) else {
      return try invocation[inStock].map { try invocation.typed($0, for: inStock.spelling) }
    }
    guard invocation[inStock] == nil else {
      throw UsageError(
        [.conflictingOptions(amount.name, inStock.spelling)], in: invocation.path)
    }
    return typed
  }
}

extension TypedQuantity {
  /// Returns the unit of a full stock, unless only the amount in stock says in which it is counted.
  fileprivate func unit(beside inStock: TypedQuantity?) -> Unit? {
    guard let unit, let counted = inStock?.unit else { return unit }
    return unit.converts(to: counted) ? unit : counted
  }
}

extension Invocation {
  /// Returns a new name: not empty, with single spaces and none at its ends.
  func newName(_ argument: Argument) throws -> String {
    try newName(self[argument], for: argument.name)
  }

  /// Returns a name as it is stored: not empty, with single spaces and none at its ends.
  func newName(_ text: String, for place: String) throws -> String {
    let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !name.isEmpty else { throw unreadable(text, for: place, "a name is needed") }
    return name
  }

  fileprivate func reportNew(_ change: Outcome) {
    let lines = change.own.compactMap { key -> String? in
      guard key.kind == .stockItem, let item = change[key] else { return nil }
      let full = item.fullStock > .zero ? ", full at \(Quantity(item.fullStock, item.unit))" : ""
      let lots = change.after.batches(of: item).map { " (\(change.after.words(for: $0)))" }.joined()
      let path = change.after.household.path(of: key) ?? ""
      return "new item \(item.title): \(change.after.total(of: item))\(lots)\(full) (\(path))"
    }
    output.report(change, lines: lines)
    let made = change.own.compactMap { change[$0] }.filter { $0.kind == .stockItem }
    let archived = made.filter { item in
      change.before.household.all(.stockItem).contains { fold($0.title) == fold(item.title) }
    }
    for item in archived {
      output.note(
        "an archived \(item.title) is there too; 'larder stock show' and 'restore' find it by its file"
      )
    }
    for item in made {
      offerLines(of: item, named: [item.title] + item.aliases, in: change.after)
    }
  }

  /// Tells how to count a receipt's line that has one of an item's names.
  func offerLines(of item: Entity, named names: [String], in survey: Survey) {
    let found = survey.linesWithoutItem(named: names).filter {
      $0.receipt.isFound($0.line.itemName)
    }
    guard let (receipt, line) = found.first else { return }
    let amount = survey.quantity(of: line, as: item)
    let said = amount == nil ? "\(line.itemName)=N" : line.itemName
    let command =
      "larder receipt edit \(shellWord(survey.reference(to: receipt))) --line \(shellWord(said))"
    let others =
      found.count > 1
      ? ", and \(counted(found.count - 1, "older line has", "older lines have")) it too" : ""
    let name = fold(item.title) == fold(line.itemName) ? item.title : line.itemName
    output.note(
      "\(name) is on the receipt of \(survey.heading(receipt.entity))\(others); "
        + "'\(command)' adds \(amount.map { "its \($0)" } ?? "N \(item.unit.noun(for: .zero))") "
        + "to the stock")
  }
}
