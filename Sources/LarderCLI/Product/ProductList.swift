import LarderJSON
import LarderKit
import LarderModel

/// `larder product list`.
enum ProductList {
  private static let all = Option("all", short: "a", help: "show archived products too")

  static let list = Command(
    "list", summary: "List products with the items they count as",
    discussion: ListOptions.discussion(words: "the title, the brand and the note") + """


      Fields: title or name, brand, packSize or pack, unit, bestAfterOpeningDays, barcodes or barcode, \
      item, imageURL, note, createdAt, updatedAt, and any other field of your files.
      States: is:archived.
      """,
    examples: [
      Example("larder product"), Example("larder product list brand:hafermoor --sort pack"),
      Example("larder product list item:", "products that count as no item"),
    ],
    arguments: [ListOptions.filters],
    options: [ListOptions.sort, ListOptions.limit, ListOptions.sync, all]
  ) { invocation in
    let survey = try invocation.survey()
    let all = ProductRow.all(in: survey, withArchived: invocation.wantsDeleted(all))
    let rows = try invocation.choose(all, with: ProductRow.listing(survey.calendar))
    let hasProducts = !survey.household.all(.product).isEmpty
    let none =
      hasProducts
      ? "nothing to show"
      : "no products yet: 'larder product new BARCODE --title T --item ITEM' adds one"
    invocation.output.list(rows, in: survey, none: none, ProductRow.table)
  }
}

extension ProductRow: ListRow {
  var entities: [Entity] { [product] }

  fileprivate static func table(_ rows: [ProductRow]) -> Table {
    Table(
      columns: [
        .init("Product", minimumWidth: 12), .init("Brand"), .init("Pack", .right), .init("Item"),
        .init("Barcode", minimumWidth: 14),
      ],
      rows: rows.map { row in
        let isArchived = row.product.isTombstone
        return [
          .init(row.product.title + (isArchived ? " (archived)" : ""), isArchived ? .dim : nil),
          .init(row.brand ?? ""), .init(row.pack?.description ?? ""),
          .init(row.item?.title ?? ""), .init(row.barcodes.first ?? "", .dim),
        ]
      })
  }

  /// Returns the record: title, brand, pack size, unit, item, first barcode, id.
  func fields(in survey: Survey) -> [String] {
    [
      product.title, brand ?? "", pack?.value.description ?? "", pack?.unit.rawValue ?? "",
      item?.title ?? "", barcodes.first ?? "", product.id,
    ]
  }

  func json(in survey: Survey) -> [JSON] {
    [survey.listed(product, item.map { [$0.asMember] } ?? [])]
  }
}

extension Entity {
  /// The item as a member of another entity's JSON.
  var asMember: JSONMember {
    JSONMember(
      "item", .object([JSONMember("id", .string(id)), JSONMember("name", .string(title))]))
  }
}
