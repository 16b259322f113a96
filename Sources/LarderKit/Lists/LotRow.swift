public import LarderModel

/// A lot as a row of a list; batches that people can't tell apart are one row.
public struct LotRow: Sendable {
  public let lot: Lot
  public let title: String
  /// The item that it belongs to.
  public let item: Entity?
  /// The name of its location.
  public let place: String?
  /// The path of the first batch's file; its id if there is none.
  public let path: String
  /// The day on which it was opened, in the household's time zone.
  public let openedDay: Day?
  /// The number of days until it expires, below zero after that; nil without a date.
  public let daysLeft: Int?
  /// What it means that its last day has passed; nil if it has not, or if nothing is left.
  public let passed: PassedDay?
  /// The quantity that will be left after its last day, at the current pace.
  ///
  /// Nil if nothing will be left, and for rows that ``due(in:days:)`` did not return.
  public private(set) var leftOver: Quantity?

  public init(_ lot: Lot, in survey: Survey) {
    self.lot = lot
    title = survey.naming.title(of: lot.first)
    item = survey.stock.item(of: lot.first)
    place = survey.place(of: lot.first)
    path = survey.household.path(of: lot.first.key)?.text ?? lot.first.id
    openedDay = lot.first.openedAt.map { survey.calendar.day(of: $0) }
    let today = survey.calendar.today
    passed = lot.first.hasSomethingLeft ? lot.first.passedDay(on: today) : nil
    daysLeft = lot.first.lastDay.map { $0.daysSinceEpoch - today.daysSinceEpoch }
  }

  /// The oldest batch, which represents the lot.
  public var batch: Entity { lot.first }
  public var quantity: Quantity { lot.quantity }
  /// The last day, as far as it is known and counts.
  public var expiry: BatchDay? { batch.shownDay }
  public var notes: String? { batch[.notes]?.string }

  /// Returns the lots that expire from today to `days` days later, both included, the earliest
  /// first, each with what will be left over.
  ///
  /// The default is the household's `expiringWithinDays`, which is 14 if nobody has set it.
  public static func due(in survey: Survey, days: Int? = nil) -> [LotRow] {
    // No day that can be written is further away.
    let days = min(days ?? survey.household.own?.expiringWithinDays ?? 14, 4_000_000)
    var rows = rows(of: survey.stock.due(from: survey.calendar.today, days: days), survey)
    for (row, rest) in zip(rows.indices, survey.leftOvers(of: rows.map(\.lot))) {
      rows[row].leftOver = rest
    }
    return rows
  }

  /// Returns the lots with something left that have expired, the earliest first.
  public static func expired(in survey: Survey) -> [LotRow] {
    rows(of: survey.stock.expired(on: survey.calendar.today), survey)
  }

  /// Returns the lots with something left that are past their best but have not expired, the
  /// earliest first.
  public static func pastBest(in survey: Survey) -> [LotRow] {
    rows(of: survey.stock.pastBest(on: survey.calendar.today), survey)
  }

  private static func rows(of batches: [Entity], _ survey: Survey) -> [LotRow] {
    Lot.grouped(batches).map { LotRow($0, in: survey) }
  }
}

extension LotRow: ListRow {
  public var entities: [Entity] { lot.batches }
  public static var kind: Kind { .inventoryItem }

  /// Returns the rows of all lots that count, by item, in the order of use.
  ///
  /// With `isWhole`, it includes lots that were used up, thrown away or archived.
  public static func all(in survey: Survey, isWhole: Bool) -> [LotRow] {
    let gone = isWhole ? survey.stock.all(.inventoryItem).filter { !$0.makesDifference } : []
    return (Lot.grouped(survey.countingBatches) + Stock.inUseOrder(gone).map { Lot($0) })
      .map { LotRow($0, in: survey) }.sorted(byText: \.title)
  }

  public static let listing = Listing<LotRow>(
    [
      ListField("name", "item") { .text($0.title) },
      ListField("itemId") { ListValue($0.item?.id) },
      ListField("quantity", "total", "stock") { .quantity($0.quantity) },
      ListField("unit") { .texts([$0.batch.unit.rawValue, $0.batch.unit.shortName]) },
      ListField("category") { ListValue($0.item?.category) },
      ListField("expiry", "expiryInfo") { ListValue($0.batch.lastDay) },
      ListField("passed", remark: "expired or pastBest, once its day has passed") {
        ListValue($0.passed?.name)
      },
      ListField("daysLeft") { ListValue($0.daysLeft.map { Number($0) }) },
      ListField("location", "place", "storageLocationId") { ListValue($0.place) },
      ListField("opened", "openedInfo") { ListValue($0.batch.openedAt) },
      ListField("lotOrBatchCode", "lot") { ListValue($0.batch.lotCode) },
      ListField("product", "productRef") { .text($0.batch.productID) },
      ListField("notes", "note") { ListValue($0.notes) },
      ListField("status") { .text(Batch(entity: $0.batch).status.rawValue) },
    ],
    states: [
      .init("expired") { $0.passed == .expired },
      .init("past", remark: "past its best") { $0.passed == .pastBest },
      .init("open") { $0.batch.openedAt != nil },
    ],
    searching:
      "the names, the notes, the category, the lot code, and the product's title and barcodes"
  ) {
    [$0.title, $0.batch.snapshot?.title, $0.notes, $0.item?.category, $0.batch.lotCode]
      + ($0.item?.aliases ?? [])
      + $1.words(ofProducts: ($0.item?.productIDs ?? []) + [$0.batch.productID])
  }
}
