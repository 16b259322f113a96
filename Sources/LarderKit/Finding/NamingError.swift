internal import LarderJSON
public import LarderModel

/// Why words name no single thing.
public enum NamingError: Error, Equatable, Sendable {
  case ambiguous(String, Kind, [Candidate])
  case notFound(Missing)
  /// What has the name is in a file that says it belongs to another household.
  case otherHousehold(String, Kind, path: String)
  /// The file that was named can't be read.
  case unreadable(FileMistakes, path: String)
  /// No batch of an item, of which these lots are there, has the name.
  case noLot(String, of: Entity, [LotMarks])
}

/// Words that name nothing, and what is known besides.
public struct Missing: Equatable, Sendable {
  public var words: String
  public var kind: Kind
  /// Names that are near.
  public var near: [String]
  /// What was deleted and has the name.
  public var deleted: String?
  /// The kind's files that can't be read, one of which may be the one meant.
  public var unreadable: [String]
  /// The product that has the number, where it counts as no item.
  public var product: String?

  /// The number, where something that has barcodes was asked for by one.
  public var barcode: Barcode? {
    kind == .stockItem || kind == .product ? Barcode(words) : nil
  }
}

/// One of several things that were meant, and what to tell it by.
public struct Candidate: Equatable, Sendable {
  public var name: String
  public var detail: String?
  public var path: String
  /// A name that only this one has among them; nil where there is none but its path.
  public var ownName: String?

  public static func precedes(_ one: Candidate, _ other: Candidate) -> Bool {
    (fold(one.name), one.detail ?? "", one.path)
      < (fold(other.name), other.detail ?? "", other.path)
  }
}

extension Naming {
  /// What an entity is listed as where several are meant.
  func candidate(_ entity: Entity) -> Candidate {
    let detail: String? =
      switch entity.kind {
      case .stockItem: Quantity(stock.total(of: entity), entity.unit).description
      case .shoppingListEntry: entity.desired.description
      case .receipt: calendar.text(of: entity.timestamp)
      case .inventoryItem:
        [
          entity.expiryDay.map { "until \($0)" }, entity.quantity.description,
          entity.locationID.flatMap { household[.storageLocation, $0]?.title },
        ].compactMap { $0 }.joined(separator: ", ")
      case .product: entity[.brand]?.string
      case .household, .storageLocation: nil
      }
    return Candidate(
      name: title(of: entity), detail: detail, path: household.path(of: entity.key) ?? entity.id)
  }

  /// The error for words that name nothing.
  func failure(
    _ words: String, _ kind: Kind, _ entities: [Entity], _ scope: Scope
  ) -> NamingError {
    let folder = (kind.folder ?? "") + "/"
    let unreadable = household.unreadable.keys.filter { $0.hasPrefix(folder) }.sorted()
    if let path = unreadable.first(where: { $0 == words || $0.hasSuffix("/" + words) }),
      let mistakes = household.unreadable[path]
    {
      return .unreadable(mistakes, path: path)
    }
    let wanted = fold(words)
    if let foreign = household.all(kind).first(where: { entity in
      !stock.isOurs(entity) && fold(title(of: entity)) == wanted
    }) {
      return .otherHousehold(words, kind, path: household.path(of: foreign.key) ?? "")
    }
    let gone = entities.filter(\.isTombstone)
    let deleted =
      gone.first { fold(title(of: $0)) == wanted }
      ?? matches(ofBarcode: words, kind, among: gone).min { $0.id < $1.id }
    let product =
      kind == .product
      ? nil
      : matches(ofBarcode: words, .product, among: all(.product))
        .filter { !$0.isTombstone }.min { $0.id < $1.id }
    return .notFound(
      Missing(
        words: words, kind: kind, near: near(words, entities, scope),
        deleted: deleted.map { title(of: $0) }, unreadable: unreadable, product: product?.title))
  }

  private func near(_ words: String, _ entities: [Entity], _ scope: Scope) -> [String] {
    let offered = entities.filter { scope == .any || $0.isTombstone == (scope == .deleted) }
    let titles = Set(offered.map { title(of: $0) }).sorted()
    let whole = suggestions(for: words, among: titles)
    if !whole.isEmpty { return whole }
    let byWord = titles.filter { title in
      title.split(separator: " ").contains { !suggestions(for: words, among: [String($0)]).isEmpty }
    }
    return Array(byWord.prefix(3))
  }
}
