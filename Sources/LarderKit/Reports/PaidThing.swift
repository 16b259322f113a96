public import LarderModel

/// The thing on a receipt's line: an item of the stock, otherwise a name.
public struct PaidThing: Hashable, Sendable {
  /// The key that is equal for lines about the same thing.
  public enum Key: Hashable, Sendable {
    /// The item with an id.
    case item(String)
    /// A folded name that is not the name of any item.
    case name(String)
  }

  public let key: Key
  /// The item's name, or the name on the line.
  public let name: String
  public let category: String?
  /// The unit of quantities that have none: the item's unit, or the piece.
  public let unit: Unit

  /// The item's id; nil if the thing is not an item.
  public var itemID: String? {
    if case .item(let id) = key { id } else { nil }
  }

  init(item: Entity) {
    key = .item(item.id)
    name = item.title
    category = item.category
    unit = item.unit
  }

  init(name: String) {
    key = .name(fold(name))
    self.name = name
    category = nil
    unit = .piece
  }
}

/// The things on receipt lines; each item is looked up once.
struct PaidThings {
  private let survey: Survey
  /// The items by their folded names and aliases; nil for a name that several items have.
  ///
  /// It is lazy, because most households need no item by name.
  private lazy var byName = Self.itemsByName(survey)
  private var known: [String: PaidThing] = [:]

  init(_ survey: Survey) { self.survey = survey }

  private static func itemsByName(_ survey: Survey) -> [String: Entity?] {
    var items: [String: Entity?] = [:]
    for item in survey.naming.all(.stockItem) where !item.isTombstone {
      for name in Set(item.ownNames.map { fold($0) }) {
        items[name] = items[name] == nil ? .some(item) : .some(nil)
      }
    }
    return items
  }

  /// Returns the thing with an item's id, or with a line's name.
  ///
  /// An archived item, as after a merge, counts as the live item with its name, if there is one.
  mutating func thing(itemID: String?, named name: String) -> PaidThing {
    if let itemID, let thing = known[itemID] { return thing }
    let item = itemID.flatMap { survey.household[.stockItem, $0] }
    guard let itemID, let item else {
      return (byName[fold(name)] ?? nil).map { PaidThing(item: $0) } ?? PaidThing(name: name)
    }
    let live = item.isTombstone ? byName[fold(item.title)] ?? nil : nil
    let thing = PaidThing(item: live ?? item)
    known[itemID] = thing
    return thing
  }
}
