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
    help: "an id of your choice; a request with the same id is done only once")

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
    var fields: [FieldValue] = []
    if let text = invocation.trimmed(ItemOptions.keeps) {
      let days = text.isEmpty ? nil : try invocation.days(text, for: ItemOptions.keeps)
      fields.append((.keepsDays, days?.json))
    }
    self.fields = fields + invocation.fields(ItemOptions.note, .note)
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
