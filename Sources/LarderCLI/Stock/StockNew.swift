import LarderJSON
import LarderKit
import LarderModel

/// `larder stock new`.
enum StockNew {
  private static let name = Argument("NAME", help: "the item's name")
  private static let category = Option(
    "category", short: "c", value: "C", help: "the group it is listed under")
  private static let inStock = Option("in-stock", value: "N", help: "how much there is")
  private static let full = Option("full", value: "N", help: "how much there should be")
  private static let product = Option(
    "product", value: "ID", isRepeatable: true,
    help: "a product that counts as this item: its barcode, id or name")

  static let command = Command(
    "new", summary: "Add a new item",
    discussion: """
      The unit is the one typed with the quantities, otherwise piece. If there is already an item \
      with that name, nothing is created.
      """,
    examples: [
      Example("larder stock new Eggs --full 12 --in-stock 6"),
      Example("larder stock new 'Oat milk' --category Dairy --full 6l"),
      Example("larder stock new Rice --unit g --in-stock 1.5kg --product 4006381333931"),
    ],
    arguments: [name], options: [category, StockCommand.unit, inStock, full, product]
  ) { invocation in
    let inStock = try invocation[inStock].map { try invocation.typed($0, for: "--in-stock") }
    let full = try invocation[full].map { try invocation.typed($0, for: "--full") }
    let unit = try invocation.unit(StockCommand.unit) ?? full?.unit ?? inStock?.unit ?? .piece
    let name = try invocation.newName(name)
    var item = NewItem(name)
    item.category = invocation.text(category)
    item.unit = unit
    item.inStock = inStock.map { Quantity($0.value, $0.unit ?? unit) }
    item.full = full.map { Quantity($0.value, $0.unit ?? unit) }
    let change = try invocation.change { edit, writer, survey in
      var item = item
      item.products = try invocation.all(product).map { try survey.freeProduct($0, for: nil) }
      try edit.add(item, by: writer)
      return "new item \(name)"
    }
    invocation.reportNew(change)
  }
}

extension Invocation {
  /// Returns a new name: not empty, with single spaces and none at its ends.
  func newName(_ argument: Argument) throws -> String {
    try newName(self[argument], for: argument.name)
  }

  /// Returns a name as it is stored: not empty, with single spaces and none at its ends.
  func newName(_ text: String, for place: String) throws -> String {
    let name = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !name.isEmpty else { throw unreadable(text, for: place, "a name is needed") }
    return name
  }

  fileprivate func reportNew(_ change: Outcome) {
    let lines = change.own.compactMap { key -> String? in
      guard let item = change[key] else { return nil }
      let full = item.fullStock > .zero ? ", full at \(Quantity(item.fullStock, item.unit))" : ""
      let path = change.after.household.path(of: key) ?? ""
      return "new item \(item.title): \(change.after.total(of: item))\(full) (\(path))"
    }
    output.report(change, lines: lines)
    let archived = change.own.compactMap { change[$0] }.filter { item in
      change.before.household.all(.stockItem).contains { fold($0.title) == fold(item.title) }
    }
    for item in archived {
      output.note(
        "an archived \(item.title) is there too; 'larder stock show' and 'restore' find it by its file"
      )
    }
  }
}
