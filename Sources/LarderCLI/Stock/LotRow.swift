import LarderKit

/// A lot as a row of a list; batches that people can't tell apart are one row.
struct LotRow {
  let lot: Lot
  let title: String
  let item: Entity?
  let place: String?
  /// The path of the first batch.
  private let path: String
  /// The day on which it was opened, in the household's time zone.
  private let openedDay: Day?
  /// The number of days until it expires, below zero after that; nil without a date.
  let daysLeft: Int?
  /// What it means that its last day has passed, and that in words; nil if it has not.
  let passed: PassedDay?
  private let passedWords: String
  /// The quantity that will be left after its last day, at the current pace.
  ///
  /// Nil if nothing will be left, or if it was not computed.
  var leftOver: Quantity?

  init(_ lot: Lot, in survey: Survey) {
    self.lot = lot
    title = survey.naming.title(of: lot.first)
    item = survey.stock.item(of: lot.first)
    place = survey.place(of: lot.first)
    path = survey.household.path(of: lot.first.key)?.text ?? lot.first.id
    openedDay = lot.first.openedAt.map { survey.calendar.day(of: $0) }
    let today = survey.calendar.today
    passed = lot.first.hasSomethingLeft ? lot.first.passedDay(on: today) : nil
    passedWords = passed == nil ? "" : survey.passedWords(for: lot.first) ?? ""
    daysLeft = lot.first.lastDay.map { $0.daysSinceEpoch - today.daysSinceEpoch }
  }

  var batch: Entity { lot.first }

  /// The colour of the date: expired, past its best, or within three days.
  var style: Style? {
    if let passed { return passed.style }
    return daysLeft.map { $0 <= 3 } ?? false ? .yellow : nil
  }

  /// Returns the rows of all lots that count, by item, in the order of use.
  ///
  /// With `isWhole`, it includes lots that were used up, thrown away or archived.
  static func all(in survey: Survey, isWhole: Bool) -> [LotRow] {
    let gone = isWhole ? survey.stock.all(.inventoryItem).filter { !$0.makesDifference } : []
    return (Lot.grouped(survey.countingBatches) + Stock.inUseOrder(gone).map { Lot($0) })
      .map { LotRow($0, in: survey) }.sorted(byText: \.title)
  }

  /// The way in which the batch ended, such as used up; nil for one that is still there.
  private var end: String? {
    switch Batch(entity: batch).status {
    case .active: nil
    case .consumed: batch.quantity.value == .zero ? "used up" : nil
    case .discarded: "thrown away"
    case .archived: "archived"
    }
  }
}

extension LotRow: ListRow {
  var entities: [Entity] { lot.batches }
  static var kind: Kind { .inventoryItem }

  static var listing: Listing<LotRow> {
    Listing(
      columns: columns,
      searched: (
        "the names, the notes, the category, the lot code, and the product's title and barcodes",
        {
          [$0.title, $0.batch.snapshot?.title, $0.notes, $0.item?.category, $0.batch.lotCode]
            + ($0.item?.aliases ?? [])
            + $1.words(ofProducts: ($0.item?.productIDs ?? []) + [$0.batch.productID])
        }
      ),
      states: [
        .init("expired") { $0.passed == .expired },
        .init("past", remark: "past its best") { $0.passed == .pastBest },
        .init("open") { $0.batch.openedAt != nil },
      ])
  }

  /// The columns for the batches of one item, without its name.
  static var columnsOfOneItem: [Column<LotRow>] {
    columns.dropFirst() + [
      Column(.init("Date", need: .little)) { .init($0.dateWords) },
      Column(.init("Notes")) { .init($0.notes ?? "") },
    ]
  }

  /// The column for the quantity that will not be used in time, for `due`.
  static var leftOverColumn: Column<LotRow> {
    Column("leftOver") { FilterValue($0.leftOver) }
      .inTable("Left over", .right) { row in
        .init(row.leftOver.map { "about \($0)" } ?? "", .red)
      }
      .inRecord(9).inJSON(5)
  }

  private static var columns: [Column<LotRow>] {
    [
      Column("name", "item") { .text($0.title) }
        .inTable("Item", minimumWidth: 12).inRecord(1).inJSON(1),
      Column("itemId") { FilterValue($0.item?.id) }.inJSON(2),
      Column("quantity", "total", "stock") { .quantity($0.lot.quantity) }
        .inTable("Batch", .right, need: .most) {
          .init($0.lot.quantity.description, $0.lot.quantity.value < .zero ? .boldRed : nil)
        }.inRecord(2),
      Column("unit") { .texts([$0.batch.unit.rawValue, $0.batch.unit.shortName]) }
        .inRecord(3, text: \.batch.unit.rawValue),
      Column("category") { FilterValue($0.item?.category) },
      Column("expiry", "expiryInfo") { FilterValue($0.batch.lastDay) }
        .inTable("Keeps until", need: .most) {
          .init($0.batch.batchDay?.description ?? "", $0.style)
        }
        .inRecord(4),
      Column("passed", remark: "expired or pastBest, once its day has passed") {
        FilterValue($0.passed?.name)
      }
      .inTable("Passed", need: .little) { .init($0.passedWords, $0.style) }
      .inRecord(11).inJSON(6),
      Column("daysLeft") { FilterValue($0.daysLeft.map { Number($0) }) }.inJSON(4),
      Column("location", "place", "storageLocationId") { FilterValue($0.place) }
        .inTable("Place").inRecord(5).inJSON(3),
      Column("opened", "openedInfo") { FilterValue($0.batch.openedAt) }
        .inTable("Opened", need: .little) { .init($0.openedText) }.inRecord(7, text: \.openedText),
      Column("lotOrBatchCode", "lot") { FilterValue($0.batch.lotCode) }
        .inTable("Lot code", need: .little).inRecord(6),
      Column("product", "productRef") { .text($0.batch.productID) },
      Column("notes", "note") { FilterValue($0.notes) },
      Column("status") { FilterValue(Batch(entity: $0.batch).status.rawValue) }.inRecord(10),
      Column(.init("Now")) { .init($0.end ?? "", .dim) },
      Column(.init("File", isWhole: true, need: .least)) { .init($0.file, .dim) },
    ] + Column.identity(record: 8)
  }

  private var notes: String? { batch[.notes]?.string }

  /// What people said of the date besides the day: its kind, and the text on the package.
  private var dateWords: String {
    guard let date = batch.expiry else { return "" }
    let kind: String? = [.bestBefore: "best before", .useBy: "use by"][date.kind]
    return [kind, date.rawText.map { "\"\($0)\"" }].compactMap(\.self).joined(separator: " ")
  }

  private var openedText: String { openedDay?.description ?? "" }

  /// The path of the first batch, and the number of the others.
  private var file: String {
    lot.batches.count > 1 ? "\(path) (+\(lot.batches.count - 1))" : path
  }
}
