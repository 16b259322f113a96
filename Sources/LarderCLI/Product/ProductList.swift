import LarderKit

/// `larder product list`.
enum ProductList {
  private static let all = Option("all", short: "a", help: "show archived products too")

  static let list = Command.list(
    "product list", of: ProductRow.self, all: all,
    first: "no products yet: 'larder product new BARCODE --title T --item ITEM' adds one")
}

/// A product as a row of the list.
struct ProductRow {
  let product: Entity
  /// The item that it counts as.
  let item: Entity?

  init(_ product: Entity, in survey: Survey) {
    self.product = product
    item = survey.stock.item(ofProduct: product.id)
  }

  var brand: String? { product[.brand]?.string }

  /// The quantity in one pack.
  var pack: Quantity? { product.number(.packSize).map { Quantity($0, product.unit) } }

  /// The numbers of its barcodes, otherwise the number in its id.
  var barcodes: [String] {
    let listed = product.numbers.dropFirst()
    return listed.isEmpty ? Barcode(product.id).map { [$0.description] } ?? [] : Array(listed)
  }

  /// Returns the rows of products by title.
  static func all(in survey: Survey, isWhole: Bool) -> [ProductRow] {
    survey.household.all(.product)
      .filter { isWhole || !$0.isTombstone }
      .map { ProductRow($0, in: survey) }
      .map { (key: (fold($0.product.title), fold($0.brand ?? ""), $0.product.id), row: $0) }
      .sorted { $0.key < $1.key }
      .map(\.row)
  }
}

extension ProductRow: ListRow {
  var entities: [Entity] { [product] }
  static var kind: Kind { .product }

  static var listing: Listing<ProductRow> {
    Listing(
      columns: columns,
      searched: (
        "the title, the brand, the note and the barcodes",
        { row, _ in [row.product.title, row.brand, row.product.note] + row.product.numbers }
      ),
      states: [.init("archived", holds: \.product.isTombstone)])
  }

  private static var columns: [Column<ProductRow>] {
    [
      Column("title", "name") { .text($0.product.title) }
        .inTable("Product", minimumWidth: 12) { .archivable($0.product, $0.product.title) }
        .inRecord(1).inShow(),
      Column("brand") { FilterValue($0.brand) }.inTable("Brand", need: .little).inRecord(2)
        .inShow(),
      Column("packSize", "pack") { FilterValue($0.pack) }
        .inTable("Pack", .right).inRecord(3).inShow(as: "pack"),
      Column("unit") { FilterValue($0.product[.unit]?.string) }
        .inRecord(4) { $0.pack?.unit.rawValue ?? "" },
      Column("item") { FilterValue($0.item?.title) }
        .inTable("Item").inRecord(5).inJSON(1, json: \.item?.asMember).inShow(),
      Column("bestAfterOpeningDays") { FilterValue($0.product.number(.bestAfterOpeningDays)) }
        .inShow(),
      Column("barcodes", "barcode") { .texts($0.everyBarcode) }
        .inTable("Barcode", isWhole: true) { .init($0.barcodes.first ?? "", .dim) }
        .inRecord(6, as: "barcode") { $0.barcodes.first ?? "" }
        .inShow { $0.barcodes.isEmpty ? nil : $0.barcodes.joined(separator: ", ") },
      Column("imageURL", "image") { FilterValue($0.product[.imageURL]?.string) }.inShow(),
      Column("note") { FilterValue($0.product.note) },
    ] + Column.identity(record: 7)
  }

  /// The barcodes as written and in their shortest form.
  private var everyBarcode: [String] {
    barcodes.flatMap { [$0, Barcode($0)?.description].compactMap { $0 } }
  }
}

extension Entity {
  /// The item as a value in another entity's JSON.
  fileprivate var asMember: JSON { ["id": .string(id), "name": .string(title)] }
}

/// `larder product show`.
enum ProductShow {
  static let command = Command(
    "product show", arguments: [ProductCommand.product], records: [Record.named.form()],
    isPaged: true
  ) { invocation in
    let survey = try invocation.survey()
    let product = try survey.naming.find(invocation[ProductCommand.product], .product, .any)
    let row = ProductRow(product, in: survey)
    let batches = Stock.firstExpiredFirst(survey.stock.batches(ofProduct: product.id))
    invocation.output.details(
      "product",
      survey.whole(
        product, row.shownComputed + ["batches": .array(batches.map { survey.listed($0) })]),
      row.details(in: survey))
    if invocation.output.mode == .human {
      invocation.output.batches(Lot.grouped(batches), in: survey)
    }
  }
}
