import LarderJSON
import LarderKit
import LarderModel

/// A product as the list shows it.
struct ProductRow {
  let product: Entity
  /// The item that it counts as.
  let item: Entity?

  init(_ product: Entity, in survey: Survey) {
    self.product = product
    item = survey.stock.item(ofProduct: product.id)
  }

  var brand: String? { product[.brand]?.string }

  /// What one pack holds.
  var pack: Quantity? { product.number(.packSize).map { Quantity($0, product.unit) } }

  /// The numbers under its barcodes, else the one that its id is made of.
  var barcodes: [String] {
    let listed = product.numbers.dropFirst()
    return listed.isEmpty ? Barcode(product.id).map { [$0.description] } ?? [] : Array(listed)
  }

  /// The rows of products by title; archived ones only where asked for.
  static func all(in survey: Survey, withArchived: Bool) -> [ProductRow] {
    survey.household.all(.product)
      .filter { withArchived || !$0.isTombstone }
      .map { ProductRow($0, in: survey) }
      .map { (key: (fold($0.product.title), fold($0.brand ?? ""), $0.product.id), row: $0) }
      .sorted { $0.key < $1.key }
      .map(\.row)
  }

  /// What filters and sorting know of products.
  static func listing(_ calendar: HouseholdCalendar) -> Listing<ProductRow> {
    Listing(
      entity: \.product,
      words: { [$0.product.title, $0.brand, $0.product.note].compactMap { $0 } },
      fields: [
        .init("title", "name") { .text($0.product.title) },
        .init("brand") { FilterValue($0.brand) },
        .init("packSize", "pack") { $0.pack.map { .quantity($0) } ?? .none },
        .init("unit") { FilterValue($0.product[.unit]?.string) },
        .init("bestAfterOpeningDays") { FilterValue($0.product.number(.bestAfterOpeningDays)) },
        .init("barcodes", "barcode") { .texts($0.everyBarcode) },
        .init("item") { FilterValue($0.item?.title) },
        .init("imageURL", "image") { FilterValue($0.product[.imageURL]?.string) },
        .init("note") { FilterValue($0.product.note) },
        .init("id") { .text($0.product.id) },
        .init("createdAt", "created") { .instant($0.product.createdAt) },
        .init("updatedAt", "updated") { .instant($0.product.updatedAt) },
      ],
      states: [.init(name: "archived") { $0.product.isTombstone }], calendar: calendar)
  }

  /// The barcodes as they are written and in their shortest form.
  private var everyBarcode: [String] {
    barcodes.flatMap { [$0, Barcode($0)?.description].compactMap { $0 } }
  }
}
