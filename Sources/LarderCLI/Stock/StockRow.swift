import LarderKit
import LarderModel

/// An item as a row of the stock's lists.
struct StockRow {
  let item: Entity
  /// The total, loose and in batches.
  let total: Quantity
  let missing: Number
  /// Its batches with something left, in the order in which they are used.
  private(set) var batches: [Entity]
  private(set) var places: [String]
  let isExpired: Bool
  /// The quantity in the locations of a filter; nil if no filter names a location.
  private(set) var there: Quantity?

  init(_ item: Entity, in survey: Survey) {
    self.item = item
    total = survey.total(of: item)
    missing = survey.missing(of: item)
    batches = survey.batches(of: item)
    places = Array(Set(batches.compactMap { survey.place(of: $0) })).sorted()
    let today = survey.calendar.today
    isExpired = batches.contains { $0.expiryDay.map { $0 < today } ?? false }
  }

  /// Whether there is less than the full stock.
  var isLow: Bool { missing > .zero }

  /// The first expiry day.
  var expiry: Day? { batches.compactMap(\.expiryDay).min() }

  /// The colour of the quantity.
  var style: Style? {
    if total.value < .zero { return .boldRed }
    guard isLow else { return nil }
    return total.value == .zero ? .red : .yellow
  }

  /// Returns the rows of items by name.
  static func all(in survey: Survey, withArchived: Bool) -> [StockRow] {
    survey.household.all(.stockItem)
      .filter { withArchived || !$0.isTombstone }
      .map { (key: fold($0.title), row: StockRow($0, in: survey)) }
      .sorted { ($0.key, $0.row.item.id) < ($1.key, $1.row.item.id) }
      .map(\.row)
  }

  /// Returns the row with only the batches in some locations.
  func lying(in places: Set<String>, _ survey: Survey) -> StockRow {
    var row = self
    row.batches = batches.filter { survey.place(of: $0).map(places.contains) ?? false }
    row.places = self.places.filter(places.contains)
    let sum = row.batches.reduce(Number.zero) { sum, batch in
      sum + (batch.quantity.converted(to: item.unit) ?? .zero)
    }
    row.there = Quantity(sum.rounded, item.unit)
    return row
  }

  /// Returns the fields and states for filters and sorting.
  static func listing(_ calendar: HouseholdCalendar) -> Listing<StockRow> {
    Listing(
      entity: \.item,
      words: { [$0.item.title, $0.item.category, $0.item.note].compactMap { $0 } },
      fields: fields,
      states: [
        .init(name: "low") { $0.isLow },
        .init(name: "archived") { $0.item.isTombstone },
        .init(name: "batched") { !$0.batches.isEmpty },
        .init(name: "expired") { $0.isExpired },
      ], calendar: calendar)
  }

  /// The names of the field for locations.
  static let placeNames = ["location", "place"]

  private static var fields: [Listing<StockRow>.Field] {
    [
      .init("name") { .text($0.item.title) },
      .init("category") { FilterValue($0.item.category) },
      .init("total", "stock") { .quantity($0.total) },
      .init("quantityInStock", "loose") { .quantity($0.item.quantity) },
      .init("quantityFullStock", "full") { .quantity(Quantity($0.item.fullStock, $0.item.unit)) },
      .init("missing") { .quantity(Quantity($0.missing, $0.item.unit)) },
      .init("unit") { .texts([$0.item.unit.rawValue, $0.item.unit.shortName]) },
      .init(placeNames[0], placeNames[1]) { .texts($0.places) },
      .init("expiry") { FilterValue($0.expiry) },
      .init("products", "product") { .texts($0.item.productIDs) },
      .init("note") { FilterValue($0.item.note) },
      .init("id") { .text($0.item.id) },
      .init("createdAt", "created") { .instant($0.item.createdAt) },
      .init("updatedAt", "updated") { .instant($0.item.updatedAt) },
    ]
  }
}
