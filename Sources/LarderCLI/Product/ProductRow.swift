import LarderJSON
import LarderKit
import LarderModel

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
  static func all(in survey: Survey, withArchived: Bool) -> [ProductRow] {
    survey.household.all(.product)
      .filter { withArchived || !$0.isTombstone }
      .map { ProductRow($0, in: survey) }
      .map { (key: (fold($0.product.title), fold($0.brand ?? ""), $0.product.id), row: $0) }
      .sorted { $0.key < $1.key }
      .map(\.row)
  }

  /// Returns the fields and states for filters and sorting.
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

  /// The barcodes as written and in their shortest form.
  private var everyBarcode: [String] {
    barcodes.flatMap { [$0, Barcode($0)?.description].compactMap { $0 } }
  }
}
