public import LarderModel

/// An entry as a row of the shopping list.
public struct ShopRow: Sendable {
  /// Where an entry is on its way.
  public enum State: String, Sendable {
    case open
    /// In the basket.
    case done
    /// Off the list.
    case off
  }

  public let entry: Entity
  public let title: String
  /// The item that it is for, if it is for one.
  public let item: Entity?

  public init(_ entry: Entity, in survey: Survey) {
    self.entry = entry
    title = survey.naming.title(of: entry)
    item = entry.itemID.flatMap { survey.household[.stockItem, $0] }
  }

  /// The item's category, otherwise its own.
  public var category: String? { item?.category ?? entry.category }

  public var state: State { entry.isTombstone ? .off : entry.isCompleted ? .done : .open }
}

extension ShopRow: ListRow {
  public var entities: [Entity] { [entry] }
  public static var kind: Kind { .shoppingListEntry }

  /// Returns the rows of entries: open ones first, then the basket, each by category and name.
  public static func all(in survey: Survey, isWhole: Bool) -> [ShopRow] {
    let rows = survey.household.all(.shoppingListEntry)
      .filter { isWhole || !$0.isTombstone }
      .map { ShopRow($0, in: survey) }
    let keyed = rows.map { row in
      let place = (row.entry.isTombstone ? 2 : 0) + (row.entry.isCompleted ? 1 : 0)
      return (key: (place, fold(row.category ?? "\u{10FFFF}"), fold(row.title), row.entry.id), row)
    }
    return keyed.sorted { $0.key < $1.key }.map(\.1)
  }

  public static let listing = Listing<ShopRow>(
    [
      ListField("desiredQuantity", "quantity") { .quantity($0.entry.desired) },
      ListField("unit") { .texts([$0.entry.unit.rawValue, $0.entry.unit.shortName]) },
      ListField("name") { .text($0.title) },
      ListField("category", remark: "the item's") { ListValue($0.category) },
      ListField("note") { ListValue($0.entry.note) },
      ListField("itemId", "item") { ListValue($0.entry.itemID) },
    ],
    states: [
      .init("open") { $0.state == .open },
      .init("done", remark: "in the basket") { $0.state == .done },
      .init("archived", remark: "off the list") { $0.state == .off },
    ],
    searching: "the names, the note, the category, and the products' titles and barcodes"
  ) {
    [$0.title, $0.entry.note, $0.category] + ($0.item?.aliases ?? [])
      + $1.words(ofProducts: $0.item?.productIDs ?? [])
  }
}
