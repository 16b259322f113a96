import LarderModel

/// Why words name no single thing.
enum NamingError: Error, Equatable {
  case ambiguous(String, Kind, [Candidate])
  /// Nothing has the name; names that are near, a deleted entity that has it, and the kind's files
  /// that can't be read, one of which may be the one meant.
  case notFound(String, Kind, near: [String], deleted: String?, unreadable: [String])
  /// The file that was named can't be read.
  case unreadable([Problem], path: String)
}

/// One of several things that were meant, and what to tell it by.
struct Candidate: Equatable {
  var name: String
  var detail: String?
  var path: String

  static func precedes(_ one: Candidate, _ other: Candidate) -> Bool {
    (fold(one.name), one.path) < (fold(other.name), other.path)
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
          entity.quantity.description, entity.expiryDay.map { "until \($0)" },
          entity.locationID.flatMap { household[.storageLocation, $0]?.title },
        ].compactMap { $0 }.joined(separator: ", ")
      default: nil
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
      return .unreadable(
        Prose(root: root).problems(mistakes, path: path, severity: .error), path: path)
    }
    let wanted = fold(words)
    let deleted = entities.first { $0.isTombstone && fold(title(of: $0)) == wanted }
    return .notFound(
      words, kind, near: near(words, entities, scope), deleted: deleted.map { title(of: $0) },
      unreadable: unreadable)
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

extension Kind {
  /// What people call one of the kind.
  var noun: String {
    switch self {
    case .household: "household"
    case .stockItem: "item"
    case .inventoryItem: "batch"
    case .storageLocation: "location"
    case .product: "product"
    case .shoppingListEntry: "entry on the shopping list"
    case .receipt: "receipt"
    }
  }

  /// The first word of the kind's commands; batches and the household have none.
  var commandNoun: String? {
    switch self {
    case .household, .inventoryItem: nil
    case .stockItem: "stock"
    case .storageLocation: "location"
    case .product: "product"
    case .shoppingListEntry: "shop"
    case .receipt: "receipt"
    }
  }
}
