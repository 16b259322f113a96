public import LarderModel

/// An item as a row of the stock's list.
public struct StockRow: Sendable {
  private let holding: Holding
  public let title: String
  /// Whether there is too little that can still be used.
  public let isLow: Bool
  /// What has expired of the total; nil if nothing has.
  public let expired: Quantity?
  /// What is missing to the full stock; zero if nothing is.
  public let missing: Quantity
  /// Its batches with something left, in the order in which they are used: the first to expire
  /// comes first.
  public private(set) var batches: [Entity]
  /// The names of the locations where its batches are, and of the usual one for what lies loose or in no
  /// place beside them.
  public private(set) var places: [String]
  /// The location where it is put if nobody says another.
  public let usualPlace: String?
  /// The first expiry day.
  public private(set) var expiry: BatchDay?
  /// What it means that this day has passed; nil if it has not.
  public private(set) var passed: PassedDay?
  /// The quantity in the locations that ``lying(at:among:in:)`` was asked for.
  public private(set) var there: Quantity?

  public init(_ item: Entity, in survey: Survey) {
    self.init(survey.stock.holding(of: item), title: item.title, in: survey)
  }

  private init(_ holding: Holding, title: String, in survey: borrowing Survey) {
    self.holding = holding
    self.title = title
    let today = survey.calendar.today
    isLow = holding.isLow(on: today)
    missing = Quantity(holding.missing(on: today), holding.item.unit)
    let expired = holding.expired(on: today)
    self.expired = expired > .zero ? Quantity(expired, holding.item.unit) : nil
    batches = holding.usable
    let usualPlace = survey.place(of: holding.item)
    var places = Set(batches.compactMap { survey.place(of: $0) ?? usualPlace })
    if !batches.isEmpty, holding.item.quantity.value > .zero, let usualPlace {
      places.insert(usualPlace)
    }
    self.places = places.sorted()
    expiry = batches.firstDay
    self.usualPlace = usualPlace
    passed = batches.first?.passedDay(on: today)
  }

  /// The item; its quantity is what is there of the loose stock.
  public var item: Entity { holding.item }
  /// The total, loose and in batches.
  public var total: Quantity { inUnit(holding.total) }
  /// The quantity to have; zero if nobody has said one.
  public var full: Quantity { inUnit(holding.fullStock) }
  public var minimum: Quantity? { holding.minimum.map(inUnit) }

  private func inUnit(_ number: Number) -> Quantity { Quantity(number, item.unit) }

  /// Returns rows with only what lies in the locations that the words of a filter name, as
  /// ``there``; the rows themselves if the words name none.
  ///
  /// `all` are the rows whose locations may be named.
  public static func lying(
    _ rows: [StockRow], at words: [String], among all: [StockRow], in survey: Survey
  ) -> [StockRow] {
    let operands = words.compactMap { Filter($0).place }
    guard !operands.isEmpty else { return rows }
    let known = Set(all.flatMap(\.places)).sorted()
    let places = Set(operands.flatMap { known.named($0, \.self) })
    let today = survey.calendar.today
    return rows.map { row in
      var row = row
      let isMeant = { (place: String?) in place.map(places.contains) ?? false }
      row.batches.removeAll { !isMeant(survey.place(of: $0) ?? row.usualPlace) }
      row.expiry = row.batches.firstDay
      row.passed = row.batches.first?.passedDay(on: today)
      row.places.removeAll { !places.contains($0) }
      let lying = row.batches + (isMeant(row.usualPlace) ? [row.item] : [])
      let numbers = lying.map { max($0.quantity.converted(to: row.item.unit) ?? .zero, .zero) }
      row.there = row.inUnit(numbers.reduce(.zero, +).rounded)
      return row
    }
  }
}

extension StockRow: ListRow {
  public var entities: [Entity] { [item] }
  public static var kind: Kind { .stockItem }

  /// Returns the rows of items by name.
  public static func all(in survey: Survey, isWhole: Bool) -> [StockRow] {
    let items = survey.household.all(.stockItem).filter { isWhole || !$0.isTombstone }
      .map { (title: $0.title, item: $0) }.sorted(byText: \.title, thenID: \.item.id)
    let holdings = survey.stock.holdings(of: items.map(\.item))
    return zip(items, holdings).map { StockRow($1, title: $0.title, in: survey) }
  }

  /// The locations of the batches; a filter of it also says what is ``there``.
  static let location = ListField<StockRow>("location", "place") { .texts($0.places) }

  public static let listing = Listing<StockRow>(
    [
      ListField("name") { .text($0.title) },
      ListField("total", "stock", "quantityInStock", remark: "loose and in batches") {
        .quantity($0.total)
      },
      ListField("expired", remark: "what is left of it, and not to be used") {
        ListValue($0.expired)
      },
      ListField("quantityLoose", "loose") { .quantity($0.item.quantity) },
      ListField("quantityFullStock", "full") { .quantity($0.full) },
      ListField("quantityMinimum", "minimum") { ListValue($0.minimum) },
      ListField("missing") { .quantity($0.missing) },
      ListField("unit") { .texts([$0.item.unit.rawValue, $0.item.unit.shortName]) },
      ListField("category") { ListValue($0.item.category) },
      location,
      ListField("expiry") { ListValue($0.expiry?.day) },
      ListField("products", "product") { .texts($0.item.productIDs) },
      ListField("aliases", "alias") { .texts($0.item.aliases) },
      ListField("keepsDays", "keeps", remark: "days") {
        ListValue($0.item.keepsDays.map { Number($0) })
      },
      ListField("storageLocationId", "usualLocation") { ListValue($0.usualPlace) },
      ListField("note") { ListValue($0.item.note) },
    ],
    states: [
      .init("low") { $0.isLow }, .init("archived") { $0.item.isTombstone },
      .init("batched") { !$0.batches.isEmpty }, .init("expired") { $0.expired != nil },
    ],
    searching: "the names, the note, the category, and the products' titles and barcodes"
  ) {
    [$0.title, $0.item.note, $0.item.category] + $0.item.aliases
      + $1.words(ofProducts: $0.item.productIDs)
  }
}

extension Survey {
  /// Returns the titles and numbers of products, so words find their item or batch.
  func words(ofProducts ids: [String]) -> [String] {
    ids.flatMap { id in
      household[.product, id].map { [$0.title] + $0.numbers } ?? (Identifier.isUUID(id) ? [] : [id])
    }
  }
}
