import LarderKit
import LarderModel

/// An item as the stock's lists show it.
struct StockRow {
  let item: Entity
  /// What there is, loose and in batches.
  let total: Quantity
  let missing: Number
  /// Its batches that there is something of, the first to take from first.
  private(set) var batches: [Entity]
  private(set) var places: [String]
  let isExpired: Bool
  /// What lies in the places that a list is about; nil where it is about none.
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

  /// Whether there is less than there should be.
  var isLow: Bool { missing > .zero }

  /// The first day on which some of it expires.
  var expiry: Day? { batches.compactMap(\.expiryDay).min() }

  /// How the quantity stands out.
  var style: Style? {
    if total.value < .zero { return .boldRed }
    guard isLow else { return nil }
    return total.value == .zero ? .red : .yellow
  }

  /// The rows of items by name; archived ones only where asked for.
  static func all(in survey: Survey, withArchived: Bool) -> [StockRow] {
    survey.household.all(.stockItem)
      .filter { withArchived || !$0.isTombstone }
      .map { (key: fold($0.title), row: StockRow($0, in: survey)) }
      .sorted { ($0.key, $0.row.item.id) < ($1.key, $1.row.item.id) }
      .map(\.row)
  }

  /// The same as far as it lies in some places.
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

  /// What filters and sorting know of the stock.
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

  /// What the field is called that says where something lies.
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
