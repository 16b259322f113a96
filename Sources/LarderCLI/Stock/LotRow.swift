import LarderJSON
import LarderKit
import LarderModel

/// A lot as a row of a list; batches that people can't tell apart are one row.
struct LotRow {
  let lot: Lot
  let title: String
  let item: Entity?
  let place: String?
  /// The number of days until it expires, below zero after that; nil without a date.
  let daysLeft: Int?

  init(_ lot: Lot, in survey: Survey) {
    self.lot = lot
    title = survey.naming.title(of: lot.first)
    item = survey.stock.item(of: lot.first)
    place = survey.place(of: lot.first)
    let today = survey.calendar.today
    daysLeft = lot.first.expiryDay.map { $0.daysSinceEpoch - today.daysSinceEpoch }
  }

  var batch: Entity { lot.first }
  var isExpired: Bool { daysLeft.map { $0 < 0 } ?? false }

  /// The colour of the date: expired, or within three days.
  var style: Style? {
    guard let daysLeft else { return nil }
    return daysLeft < 0 ? .red : daysLeft <= 3 ? .yellow : nil
  }

  /// Returns the rows of all lots with something left, by item, in the order in which they are
  /// used.
  static func all(in survey: Survey) -> [LotRow] {
    let rows = Lot.grouped(survey.activeBatches).map { LotRow($0, in: survey) }
    return rows.enumerated().map { (key: (fold($0.element.title), $0.offset), row: $0.element) }
      .sorted { $0.key < $1.key }.map(\.row)
  }

  /// Returns the fields and states for filters and sorting.
  static func listing(_ calendar: HouseholdCalendar) -> Listing<LotRow> {
    Listing(
      entity: \.batch,
      words: { row in
        [row.title, row.item?.category, row.batch[.notes]?.string, row.batch.lotCode]
          .compactMap { $0 }
      },
      fields: fields,
      states: [
        .init(name: "expired") { $0.isExpired },
        .init(name: "open") { $0.batch.openedAt != nil },
      ], calendar: calendar)
  }

  private static var fields: [Listing<LotRow>.Field] {
    [
      .init("name", "item") { .text($0.title) },
      .init("category") { FilterValue($0.item?.category) },
      .init("quantity", "total", "stock") { .quantity($0.lot.quantity) },
      .init("unit") { .texts([$0.batch.unit.rawValue, $0.batch.unit.shortName]) },
      .init("location", "place", "storageLocationId") { FilterValue($0.place) },
      .init("expiry", "expiryInfo") { FilterValue($0.batch.expiryDay) },
      .init("opened", "openedInfo") { row in row.batch.openedAt.map { .instant($0) } ?? .none },
      .init("lotOrBatchCode", "lot") { FilterValue($0.batch.lotCode) },
      .init("product", "productRef") { .text($0.batch.productID) },
      .init("notes", "note") { FilterValue($0.batch[.notes]?.string) },
      .init("id") { .text($0.batch.id) },
      .init("createdAt", "created") { .instant($0.batch.createdAt) },
      .init("updatedAt", "updated") { .instant($0.batch.updatedAt) },
    ]
  }
}

extension LotRow: ListRow {
  var entities: [Entity] { lot.batches }

  /// Returns the batches as a table; `isOfOneItem` omits the item's name.
  static func table(_ rows: [LotRow], in survey: Survey, isOfOneItem: Bool = false) -> Table {
    var table = Table(
      columns: [
        .init("Item", minimumWidth: 12), .init("Batch", .right), .init("Keeps until"),
        .init("Place"), .init("Opened"), .init("Lot"), .init("File"),
      ],
      rows: rows.map { row in
        let path = survey.household.path(of: row.batch.key) ?? row.batch.id
        let others = row.lot.batches.count - 1
        return [
          .init(row.title), .init(row.lot.quantity.description),
          .init(row.batch.expiryDay?.description ?? "", row.style), .init(row.place ?? ""),
          .init(row.batch.openedAt.map { survey.calendar.day(of: $0).description } ?? ""),
          .init(row.batch.lotCode ?? ""),
          .init(others > 0 ? "\(path) (+\(others))" : path, .dim),
        ]
      })
    if isOfOneItem {
      table.columns.removeFirst()
      for index in table.rows.indices { table.rows[index].removeFirst() }
    }
    return table
  }

  /// Returns the record: name, quantity, unit, expiry day, location, lot code, opening day, id.
  func fields(in survey: Survey) -> [String] {
    [
      title, lot.quantity.value.description, lot.quantity.unit.rawValue,
      batch.expiryDay?.description ?? "", place ?? "", batch.lotCode ?? "",
      batch.openedAt.map { survey.calendar.day(of: $0).description } ?? "", batch.id,
    ]
  }

  /// Returns every batch of the lot with its item, its location's name and the days left.
  func json(in survey: Survey) -> [JSON] {
    lot.batches.map { batch in
      var computed = [JSONMember("name", .string(title))]
      if let item { computed.append(JSONMember("itemId", .string(item.id))) }
      if let place { computed.append(JSONMember("location", .string(place))) }
      if let daysLeft { computed.append(JSONMember("daysLeft", .number(String(daysLeft)))) }
      return survey.listed(batch, computed)
    }
  }
}
