import LarderKit

/// `larder product`: the products behind barcodes.
enum ProductCommand {
  static let product = Argument(
    "PRODUCT", values: .named(.all(.product)),
    help: "a product's title, with or without its brand, a part of it, a barcode, its file or id")
  static let products = Argument(
    "PRODUCT", .oneOrMore, values: .named(.all(.product)),
    help: "products' titles, with or without brands, parts of them, barcodes, files or ids")

  static let command = Command(
    "product", group: "Household",
    parts: [
      .init("list") { ProductList.list },
      .init("show") { ProductShow.command },
      .init("new") { ProductNew.command.withDryRun },
      .init("edit") { ProductEdit.command.withDryRun },
      .init("archive") { ProductArchive.archive.withDryRun },
      .init("restore") { ProductArchive.restore.withDryRun },
    ], defaultSubcommand: "list")
}

/// The options for the fields of a product.
enum ProductOptions {
  static let title = Option("title", value: "T", help: "the product's title")
  static let brand = Option(
    "brand", value: "B", takesEmpty: true, help: "its brand; empty for none")
  static let packSize = Option(
    "pack-size", value: "N", takesEmpty: true,
    help: "the quantity in one pack, such as 1l or 500g; empty for unknown")
  static let opened = Option(
    "best-after-opening", value: "DAYS", takesEmpty: true,
    help: "how long it keeps after opening: 5, 5d, 2w; empty for unknown")
  static let image = Option(
    "image", value: "URL", takesEmpty: true, help: "a picture of it; empty for none")
  static let barcode = Option(
    "barcode", value: "X", isRepeatable: true, help: "the number below another barcode of it")
  static let item = Option(
    "item", value: "ITEM", values: .named(.item), help: "the item that it counts as from now on")

  static let all = [title, brand, packSize, opened, image, barcode, item]
}

/// The changes to a product that the options ask for.
struct ProductChanges {
  let title: String?
  let barcodes: [String]
  /// The item that it should count as, as typed.
  let item: String?
  private let texts: [FieldValue]
  /// The size of a pack; `.some(nil)` removes it.
  private let pack: TypedQuantity??
  private let assignments: [Assignment]

  init(_ invocation: Invocation) throws {
    title = try invocation[ProductOptions.title].map { try invocation.newName($0, for: "--title") }
    barcodes = try invocation.all(ProductOptions.barcode)
      .map { try invocation.newName($0, for: "--barcode") }
    item = invocation[ProductOptions.item]
    assignments = try invocation.assignments(.product)
    pack = try invocation[ProductOptions.packSize].map { text in
      text.isEmpty ? nil : try invocation.packSize(text)
    }
    var texts: [FieldValue] = []
    if let title { texts.append((.title, .string(title))) }
    for (option, name) in [
      (ProductOptions.brand, FieldName.brand), (ProductOptions.image, .imageURL),
    ] {
      if let text = invocation[option] {
        texts.append((name, text.isEmpty ? nil : .string(text)))
      }
    }
    if let text = invocation[ProductOptions.opened] {
      texts.append(
        (
          .bestAfterOpeningDays,
          text.isEmpty ? nil : try invocation.days(text, for: ProductOptions.opened).json
        ))
    }
    self.texts = texts
  }

  var isEmpty: Bool {
    texts.isEmpty && pack == nil && barcodes.isEmpty && item == nil && assignments.isEmpty
  }

  /// Whether the options set something that only one product can have.
  var isOfOne: Bool {
    title != nil || !barcodes.isEmpty
      || assignments.contains { $0.key == .title || ($0.key == .barcodes && !$0.text.isEmpty) }
  }

  /// Returns the fields to write, with the format's names.
  func fields(for product: Entity, _ survey: Survey) throws -> [FieldValue] {
    var fields = texts
    if let pack {
      let unit = pack.map { $0.unit ?? survey.unitOfPack(product) }
      fields += [(.packSize, pack?.value.json), (.unit, unit.map { .string($0.rawValue) })]
    }
    if !barcodes.isEmpty {
      let known = Array(product.numbers.dropFirst())
      let new = barcodes.filter { new in !known.contains { isSameNumber($0, new) } }
      let all = known + new.map { Barcode.digits(of: $0) }
      fields.append((.barcodes, .array(all.map { .string($0) })))
    }
    fields += try assignments.fields(in: product)
    for case (.barcodes, let numbers?) in fields {
      let texts = numbers.array?.compactMap(\.string) ?? []
      for text in texts where !product.numbers.contains(text) {
        try survey.refuseTaken(text, except: product)
      }
    }
    return fields
  }
}

extension Survey {
  /// Returns the unit of a pack size that is typed without one.
  ///
  /// It is the known one, unless that is a box or a pack of what its item counts otherwise: then
  /// nobody knew the size.
  fileprivate func unitOfPack(_ product: Entity) -> Unit {
    guard let item = stock.item(ofProduct: product.id), isUnknown(product.packSize, of: item) else {
      return product.unit
    }
    return item.unit
  }
}

/// Whether two texts are the same barcode, with any number of leading zeros.
private func isSameNumber(_ one: String, _ other: String) -> Bool {
  one == other || (Barcode(written: one).map { $0 == Barcode(written: other) } ?? false)
}

extension Invocation {
  fileprivate func packSize(_ text: String) throws -> TypedQuantity {
    let size = try typed(text, for: ProductOptions.packSize.spelling)
    guard size.value > .zero else {
      throw unreadable(text, for: ProductOptions.packSize.spelling, "it has to be above zero")
    }
    return size
  }
}

/// `larder product new`.
enum ProductNew {
  private static let number = Argument(
    "BARCODE-or-ID", help: "the number below its barcode, or its id in a catalogue")

  static let command = Command("product new", arguments: [number], options: ProductOptions.all) {
    invocation in
    let number = try invocation.newName(number)
    let changes = try ProductChanges(invocation)
    guard let title = changes.title else {
      throw invocation.usage(.missingArgument(ProductOptions.title.usage))
    }
    let change = try await invocation.change { edit, writer, survey in
      let draft = try survey.newProduct(number, at: writer.now)
      let printed = draft[.barcodes].map { [(name: FieldName.barcodes, value: Optional($0))] } ?? []
      let fields = try changes.fields(for: draft, survey)
      let product = edit.new(.product, id: draft.id, fields + printed, by: writer)
      edit.put(product)
      if let item = changes.item { try survey.claim(product, for: item, in: &edit, by: writer) }
      return "new product \(title)"
    }
    let lines = change.entities.filter { $0.kind == .product }
      .map { change.announcement(of: $0) }
    invocation.output.report(change, lines: lines)
  }
}

extension Outcome {
  /// Returns a line such as `new product Whole Milk: 2 l, counts as Milk
  /// (products/whole-milk-400110.json)`.
  fileprivate func announcement(of product: Entity) -> String {
    let row = ProductRow(product, in: after)
    let facts = [row.pack?.description, row.item.map { "counts as \($0.title)" }]
      .compactMap { $0 }.joined(separator: ", ")
    let path = after.household.path(of: product.key) ?? ""
    return "new product \(product.title)\(facts.isEmpty ? "" : ": \(facts)") (\(path))"
  }
}

/// `larder product edit`.
enum ProductEdit {
  static let command = Command(
    "product edit", arguments: [ProductCommand.products],
    options: ProductOptions.all + [Assignment.option]
  ) { invocation in
    let changes = try ProductChanges(invocation)
    guard !changes.isEmpty else {
      throw ErrorWords.nothingAsked(
        "give --title, --brand, --pack-size, --item or others; see 'larder product edit --help'")
    }
    let survey = try await invocation.survey()
    let products = try Self.products(invocation, survey)
    if products.count > 1, changes.isOfOne {
      throw ErrorWords(
        .usage, "\(products.count) products can't have one title or barcode", "name one product")
    }
    try invocation.confirm(products, "product", in: survey) { try changes.fields(for: $0, survey) }
    let change = try await invocation.change { edit, writer, survey in
      let products = try Self.products(invocation, survey)
      for product in products {
        edit.write(try changes.fields(for: product, survey), to: product.key, now: writer.now)
        if let item = changes.item { try survey.claim(product, for: item, in: &edit, by: writer) }
      }
      return "edit the product \(survey.list(products))"
    }
    invocation.reportEdited(change)
  }

  private static func products(_ invocation: Invocation, _ survey: Survey) throws -> [Entity] {
    try survey.naming.findSeveral(invocation.all(ProductCommand.products), .product)
  }

}

/// `larder product archive` and `larder product restore`.
enum ProductArchive {
  static let archive = Command("product archive", arguments: [ProductCommand.products]) {
    invocation in
    let change = try await invocation.mark(
      ProductCommand.products, .product, .live, .isArchived, true, subject: "archive the product")
    invocation.output.report(change, lines: change.titles.map { "archived \($0)" })
  }

  static let restore = Command("product restore", arguments: [ProductCommand.products.ofDeleted]) {
    invocation in
    let change = try await invocation.mark(
      ProductCommand.products, .product, .deleted, .isArchived, false,
      subject: "restore the product"
    ) { product, survey in
      for number in product.numbers { try survey.refuseTwin(number, except: product) }
    }
    invocation.reportRestored(change)
  }
}

/// `larder product list`.
enum ProductList {
  private static let all = Option("all", short: "a", help: "show archived products too")

  static let list = Command.list(
    "product list", of: ProductRow.self, all: all,
    first: "no products yet: 'larder product new BARCODE --title T --item ITEM' adds one")
}

extension ProductRow: ListedRow {
  static let columns: [Column<ProductRow>] = [
    Column("title")
      .inTable("Product", minimumWidth: 12) { .archivable($0.product, $0.product.title) }
      .inRecord(1).inShow(),
    Column("brand").inTable("Brand", need: .little).inRecord(2).inShow(),
    Column("packSize").inTable("Pack", .right).inRecord(3).inShow(as: "pack"),
    Column("unit").inRecord(4) { $0.pack?.unit.rawValue ?? "" },
    Column("item").inTable("Item").inRecord(5).inJSON(1, json: \.item?.asMember).inShow(),
    Column("bestAfterOpeningDays").inShow(),
    Column("barcodes")
      .inTable("Barcode", isWhole: true) { .init($0.barcodes.first ?? "", .dim) }
      .inRecord(6, as: "barcode") { $0.barcodes.first ?? "" }
      .inShow { $0.barcodes.isEmpty ? nil : $0.barcodes.joined(separator: ", ") },
    Column("imageURL").inShow(),
    Column("id").inRecord(7),
  ]
}

extension Entity {
  /// The item as a value in another entity's JSON.
  fileprivate var asMember: JSON { ["id": .string(id), "name": .string(title)] }
}

/// `larder product show`.
enum ProductShow {
  static let command = Command(
    "product show", arguments: [ProductCommand.product], records: [Column.named.form()],
    isPaged: true
  ) { invocation in
    let survey = try await invocation.survey()
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
