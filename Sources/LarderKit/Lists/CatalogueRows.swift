public import LarderModel

/// A location as a row of the list of locations.
public struct LocationRow: Sendable {
  public let location: Entity
  /// The batches there with something left, the first to expire first.
  public let batches: [Entity]
  /// Whether one of them has expired.
  public let isExpired: Bool
  /// What it means that the first expiry day there has passed.
  public let passed: PassedDay?

  private init(_ location: Entity, _ batches: [Entity], today: Day) {
    self.location = location
    self.batches = batches
    isExpired = batches.contains { $0.isExpired(on: today) }
    passed = batches.first?.passedDay(on: today)
  }

  /// Whether it is a fridge or a freezer.
  public var isCold: Bool { location.flag(.isColdStorage) }

  /// The first expiry day of the batches there.
  public var expiry: BatchDay? { batches.firstDay }
}

extension LocationRow: ListRow {
  public var entities: [Entity] { [location] }
  public static var kind: Kind { .storageLocation }

  /// Returns the rows of the household's locations by name.
  public static func all(in survey: Survey, isWhole: Bool) -> [LocationRow] {
    let batches = Dictionary(grouping: survey.activeBatches) { $0.locationID ?? "" }
    return survey.naming.all(.storageLocation).filter { isWhole || !$0.isTombstone }
      .sorted(byText: \.title, thenID: \.id)
      .map { LocationRow($0, batches[$0.id] ?? [], today: survey.calendar.today) }
  }

  public static let listing = Listing<LocationRow>(
    [
      ListField("name") { .text($0.location.title) },
      ListField("isColdStorage", "cold", remark: "yes or no") { .flag($0.isCold) },
      ListField("batchCount", "batches", remark: "those with something left") {
        .number(Number($0.batches.count))
      },
      ListField("expiry", remark: "the first expiry day there") { ListValue($0.expiry?.day) },
      ListField("note") { ListValue($0.location.note) },
    ],
    states: [
      .init("cold") { $0.isCold }, .init("archived") { $0.location.isTombstone },
      .init("expired") { $0.isExpired },
    ],
    searching: "the name and the note"
  ) { row, _ in [row.location.title, row.location.note] }
}

/// A product as a row of the catalogue.
public struct ProductRow: Sendable {
  public let product: Entity
  /// The item that it counts as.
  public let item: Entity?

  public init(_ product: Entity, in survey: Survey) {
    self.product = product
    item = survey.stock.item(ofProduct: product.id)
  }

  public var brand: String? { product[.brand]?.string }

  /// The quantity in one pack.
  public var pack: Quantity? { product.number(.packSize).map { Quantity($0, product.unit) } }

  /// The numbers of its barcodes, otherwise the number in its id.
  public var barcodes: [String] {
    let listed = product.numbers.dropFirst()
    return listed.isEmpty ? Barcode(product.id).map { [$0.description] } ?? [] : Array(listed)
  }
}

extension ProductRow: ListRow {
  public var entities: [Entity] { [product] }
  public static var kind: Kind { .product }

  /// Returns the rows of products by title and brand.
  public static func all(in survey: Survey, isWhole: Bool) -> [ProductRow] {
    survey.household.all(.product)
      .filter { isWhole || !$0.isTombstone }
      .map { ProductRow($0, in: survey) }
      .map { (key: (fold($0.product.title), fold($0.brand ?? ""), $0.product.id), row: $0) }
      .sorted { $0.key < $1.key }
      .map(\.row)
  }

  public static let listing = Listing<ProductRow>(
    [
      ListField("title", "name") { .text($0.product.title) },
      ListField("brand") { ListValue($0.brand) },
      ListField("packSize", "pack") { ListValue($0.pack) },
      ListField("unit") { ListValue($0.product[.unit]?.string) },
      ListField("item") { ListValue($0.item?.title) },
      ListField("bestAfterOpeningDays") { ListValue($0.product.number(.bestAfterOpeningDays)) },
      // As written and in their shortest form.
      ListField("barcodes", "barcode") { row in
        .texts(row.barcodes.flatMap { [$0, Barcode($0)?.description].compactMap(\.self) })
      },
      ListField("imageURL", "image") { ListValue($0.product[.imageURL]?.string) },
      ListField("note") { ListValue($0.product.note) },
    ],
    states: [.init("archived") { $0.product.isTombstone }],
    searching: "the title, the brand, the note and the barcodes"
  ) { row, _ in [row.product.title, row.brand, row.product.note] + row.product.numbers }
}
