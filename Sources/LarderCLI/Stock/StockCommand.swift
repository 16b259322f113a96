import LarderKit

/// `larder stock`: the items, their quantities and changes.
enum StockCommand {
  static let item = Argument(
    "ITEM", values: .named(.item),
    help: "an item's name or a part of it, a barcode, its file or id")
  static let items = Argument(
    "ITEM", .oneOrMore, values: .named(.item),
    help: "items' names or parts of them, barcodes, files or ids")
  static let things = Argument(
    "THING [AMOUNT]", .oneOrMore, values: .named(.item),
    help: """
      items, each with how much: flour 200g, 3 eggs, milk 1/4l, bread all; a comma or quotes keep \
      names apart; - reads lines from standard input, also rows of lists with --plain; 'milk 2026-12-01' is a batch by its day, lot \
      code or location
      """)
  static let unit = Option(
    "unit", short: "u", value: "U", help: "the unit of the quantity: \(Unit.choices)")

  static let request = Option(
    "request-id", value: "R",
    help: """
      an id of your choice; a request with the same id is done only once, unless two devices that \
      had not met did it to different things, which 'larder check' names
      """)

  static let command = Command(
    "stock", group: "Household",
    parts: [
      .init("list") { StockList.list },
      .init("new") { StockNew.command.withDryRun },
      .init("show") { StockShow.command },
      .init("edit") { StockEdit.command.withDryRun },
      .init("archive") { StockArchive.archive.withDryRun },
      .init("restore") { StockArchive.restore.withDryRun },
      .init("merge") { StockMerge.command.withDryRun },
      .init("put") { StockAdd.command.withDryRun },
      .init("use") { StockQuantities.use.withDryRun },
      .init("count") { StockQuantities.count.withDryRun },
      .init("discard") { StockQuantities.discard.withDryRun },
      .init("open") { StockMove.open.withDryRun },
      .init("move") { StockMove.move.withDryRun },
      .init("low") { StockList.low },
      .init("due") { StockDue.due },
      .init("expired") { StockDue.expired },
      .init("summary") { StockSummaryCommand.command },
    ], defaultSubcommand: "list")
}

/// The options of 'stock new' and 'stock edit' for an item's fields other than its name and its
/// stock.
enum ItemOptions {
  static let minimum = Option(
    "minimum", value: "N", takesEmpty: true,
    help: "below this there is too little, and it goes on the shopping list; empty for none")
  static let keeps = Option(
    "keeps", value: "DAYS", takesEmpty: true,
    help: "how long it keeps where no date is given: 7, 3w, 6m; empty for unknown")
  static let place = Option(
    "place", value: "L", values: .named(.all(.storageLocation)), takesEmpty: true,
    help: "where it is put if nobody says another location; empty for nowhere in particular")
  static let alias = Option(
    "alias", value: "NAME", isRepeatable: true, takesEmpty: true,
    help: "another name for it, as on receipts; empty takes all other names away")
  static let note = Option(
    "note", value: "TEXT", takesEmpty: true, help: "anything else; empty for none")

  static let all = [minimum, keeps, place, alias, note]
}

/// The values of ``ItemOptions``; nil for those that are not given.
struct ItemDetails {
  /// The minimum; `.some(nil)` removes it.
  let minimum: TypedQuantity??
  let aliases: [String]
  /// The name of the usual location; an empty one removes it.
  private let place: String?
  /// The fields that depend neither on the item nor on the household.
  private let fields: [FieldValue]

  init(_ invocation: Invocation) throws {
    minimum = try invocation.trimmed(ItemOptions.minimum).map { text in
      text.isEmpty ? nil : try invocation.typed(text, for: ItemOptions.minimum.spelling)
    }
    aliases = try invocation.all(ItemOptions.alias).map { text in
      text.isEmpty ? "" : try invocation.newName(text, for: ItemOptions.alias.spelling)
    }
    place = invocation.trimmed(ItemOptions.place)
    let days = try invocation.trimmed(ItemOptions.keeps).map { text in
      [
        (
          FieldName.keepsDays,
          text.isEmpty ? nil : try invocation.days(text, for: ItemOptions.keeps).json
        )
      ]
    }
    fields = (days ?? []) + invocation.fields(ItemOptions.note, .note)
  }

  var isEmpty: Bool { minimum == nil && aliases.isEmpty && place == nil && fields.isEmpty }

  /// Returns the fields that do not depend on the item.
  func fields(in survey: Survey) throws -> [FieldValue] {
    guard let place else { return fields }
    let id = place.isEmpty ? nil : try survey.location(named: place).id
    return fields + [(.storageLocationID, id.map { .string($0) })]
  }

  /// Returns an item's aliases with the new ones; an empty text removes all aliases before it.
  func aliases(of item: Entity) -> FieldValue? {
    guard !aliases.isEmpty else { return nil }
    let all = aliases.reduce(into: item.aliases) { all, alias in
      if alias.isEmpty { all = [] }
      let isKnown = ([item.title] + all).contains { fold($0) == fold(alias) }
      if !alias.isEmpty, !isKnown { all.append(alias) }
    }
    return (.aliases, all.isEmpty ? nil : .array(all.map { .string($0) }))
  }
}

extension NewItem {
  /// Sets the fields of the options.
  ///
  /// A minimum without a unit is in the item's.
  mutating func take(_ details: ItemDetails, _ survey: Survey) throws {
    minimum = details.minimum.flatMap { $0?.quantity(in: unit) }
    aliases = details.aliases.filter { !$0.isEmpty }
    for field in try details.fields(in: survey) {
      if field.name == .keepsDays { keepsDays = field.value?.number.flatMap { Int($0) } }
      if field.name == .storageLocationID { locationID = field.value?.string }
      if field.name == .note { note = field.value?.string }
    }
  }
}

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
    let isKept = [ItemOptions.place, ItemOptions.keeps].contains { invocation.text($0) != nil }
    let isThere = inStock.map { $0.value != .zero } ?? false
    let isBatch = hasDetails || isThere && isKept
    var item = NewItem(name)
    item.category = invocation.text(category)
    item.unit = unit
    let quantity = inStock?.quantity(in: unit) ?? (hasDetails ? Quantity(Number(1), unit) : nil)
    item.inStock = isBatch ? nil : quantity
    item.full = full?.quantity(in: unit)
    let change = try await invocation.change { [item] edit, writer, survey in
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
      throw invocation.usage(.conflictingOptions(amount.name, inStock.spelling))
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

  /// Returns a name as it is stored: not empty, with single spaces and none at its ends; a comma
  /// behind it only separates it from what follows.
  func newName(_ text: String, for place: String) throws -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let name = String(words.reversed().drop { $0 == "," || $0 == " " }.reversed())
    guard !name.isEmpty else { throw unreadable(text, for: place, "a name is needed") }
    return name
  }

  fileprivate func reportNew(_ change: Outcome) {
    let made = change.entities.filter { $0.kind == .stockItem }
    let lines = made.map { item in
      let full = item.fullStock > .zero ? ", full at \(Quantity(item.fullStock, item.unit))" : ""
      let lots = change.after.batches(of: item).map { " (\(change.after.words(for: $0)))" }.joined()
      let path = change.after.household.path(of: item.key) ?? ""
      return "new item \(item.title): \(change.after.total(of: item))\(lots)\(full) (\(path))"
    }
    output.report(change, lines: lines)
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
