public import LarderModel

/// The reason why words do not name exactly one entity.
public enum NamingError: Error, Equatable, Sendable {
  case ambiguous(String, Kind, [Candidate])
  case notFound(Missing)
  /// The match is in a file that belongs to another household.
  case otherHousehold(String, Kind, path: FilePath)
  /// The named file is broken or refused.
  case untaken(FileMistakes, path: FilePath)
  /// No batch of the item matches; the list has the item's lots.
  case noLot(String, of: Entity, [LotMarks])
}

/// Words without a match, and hints for the message.
public struct Missing: Equatable, Sendable {
  public var words: String
  public var kind: Kind
  /// Similar names.
  public var near: [String]
  /// The things that have the words in their names, which is too little to be meant.
  public var wholes: [Candidate] = []
  /// The command with the whole name in place of the words, if it is clear which one is meant.
  public var command: String?
  /// The name of a deleted entity that matches.
  public var deleted: String?
  /// The kind's broken and refused files; one of them may be the right one.
  public var untaken: [FilePath]
  /// The one of them that is named after the words.
  public var likely: UntakenFile?
  /// The product with this number, if it counts as no item.
  public var product: String?

  public init(
    words: String, kind: Kind, near: [String] = [], wholes: [Candidate] = [],
    deleted: String? = nil, untaken: [FilePath] = [], likely: UntakenFile? = nil,
    product: String? = nil
  ) {
    self.words = words
    self.kind = kind
    self.near = near
    self.wholes = wholes
    self.deleted = deleted
    self.untaken = untaken
    self.likely = likely
    self.product = product
  }

  /// The barcode, if the words are one and the kind has barcodes.
  public var barcode: Barcode? {
    kind == .stockItem || kind == .product ? Barcode(written: words) : nil
  }
}

/// A file that is broken or refused, and why.
public struct UntakenFile: Equatable, Sendable {
  public var path: FilePath
  public var mistakes: FileMistakes
}

/// One of several matches, and how to tell it from the others.
public struct Candidate: Equatable, Sendable {
  public var name: String
  public var detail: String?
  public var path: String
  /// A name that matches only this candidate; nil if only its path does.
  public var ownName: String?

  /// Words that name it and nothing else: its path, or else its name.
  public var reference: String { path.isEmpty ? name : path }

  public static func precedes(_ one: Candidate, _ other: Candidate) -> Bool {
    (fold(one.name), one.detail ?? "", one.path)
      < (fold(other.name), other.detail ?? "", other.path)
  }
}

extension Naming {
  /// Returns an entity's entry in the list of several matches.
  func candidate(_ entity: Entity) -> Candidate {
    Candidate(
      name: title(of: entity), detail: detail(of: entity),
      path: household.path(of: entity.key)?.text ?? entity.id)
  }

  /// Returns the error for words without a match.
  func failure(
    _ words: String, _ kind: Kind, _ entities: [Entity], _ scope: Scope
  ) -> NamingError {
    let folder = (kind.folder ?? "") + "/"
    let untaken = household.untaken.keys.filter { $0.hasPrefix(folder) }.sorted()
    if let path = untaken.first(where: { $0.text == words || $0.text.hasSuffix("/" + words) }),
      let mistakes = household.untaken[path]
    {
      return .untaken(mistakes, path: path)
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
        wholes: scope == .live ? candidates(withPart: words, kind, among: entities) : [],
        deleted: deleted.map { title(of: $0) }, untaken: untaken,
        likely: likely(named: wanted, among: untaken), product: product?.title))
  }

  /// Returns the file whose name is a thing's name, as Larder names files.
  private func likely(named wanted: String, among paths: [FilePath]) -> UntakenFile? {
    for path in paths {
      let stem = path.name.split(separator: ".").first ?? ""
      if fold(String(stem.replacing("-", with: " "))) == wanted,
        let mistakes = household.untaken[path]
      {
        return UntakenFile(path: path, mistakes: mistakes)
      }
    }
    return nil
  }

  private func near(_ words: String, _ entities: [Entity], _ scope: Scope) -> [String] {
    let offered = entities.filter { scope == .any || $0.isTombstone == (scope == .deleted) }
    let titles = Set(offered.map { title(of: $0) }).sorted()
    return titleSuggestions(for: words, among: titles)
  }
}

/// The names of each kind's entities, and what tells several of one name apart.
extension Naming {
  /// Returns the details that tell an entity from others of its kind; empty for most kinds.
  ///
  /// For a batch they are its lot code, day and location; for a receipt the shop with the day, and
  /// with the time.
  func marks(of entity: Entity) -> [String] {
    switch entity.kind {
    case .inventoryItem:
      let place = entity.locationID.flatMap { household[.storageLocation, $0]?.title }
      return [entity.lotCode, entity.expiryDay?.description, place].compactMap { $0 }
    case .receipt:
      let day = calendar.day(of: entity.timestamp)
      return ["\(entity.title) \(day)", "\(entity.title) \(calendar.text(of: entity.timestamp))"]
    case .household, .stockItem, .storageLocation, .product, .shoppingListEntry: return []
    }
  }

  /// Returns all names by which people can find an entity; an id is none, as parts of names count.
  public func names(of entity: Entity) -> [String] {
    switch entity.kind {
    case .receipt:
      let time = calendar.text(of: entity.timestamp)
      let day = time.prefix { $0 != " " }
      return ["\(entity.title) \(day)", "\(day) \(entity.title)", entity.title, String(day)]
        + ["\(entity.title) \(time)", "\(time) \(entity.title)", time]
    case .inventoryItem:
      let own = marks(of: entity)
      let titles = [title(of: entity), entity.snapshot?.title].compactMap(\.self)
        .filter { !Identifier.isUUID($0) }
      return own + titles.prefix(1).flatMap { title in own.map { "\(title) \($0)" } } + titles
    case .product:
      return [entity.title, entity[.brand]?.string.map { "\($0) \(entity.title)" }]
        .compactMap { $0 }
    case .stockItem: return [entity.title] + entity.aliases
    case .shoppingListEntry:
      return [title(of: entity)].filter { !Identifier.isUUID($0) }
        + (stock.item(meantBy: entity)?.aliases ?? [])
    case .household, .storageLocation: return [entity.title]
    }
  }

  /// Returns the detail of an entity in the list of several matches; nil if its name is all there is.
  func detail(of entity: Entity) -> String? {
    switch entity.kind {
    case .stockItem: Quantity(stock.total(of: entity), entity.unit).description
    case .shoppingListEntry: entity.desired.description
    case .receipt:
      [
        calendar.text(of: entity.timestamp),
        entity.number(.amount).map { TypedMoney($0, entity.currency).description },
      ].compactMap { $0 }.joined(separator: ", ")
    case .inventoryItem:
      [
        entity.batchDay.map { day in
          let word =
            [.bestBefore: "best before ", .useBy: "use by "][day.kind]
            ?? (day.kind.isOfOrigin ? "" : "until ")
          return "\(word)\(day)"
        },
        entity.quantity.description,
        entity.locationID.flatMap { household[.storageLocation, $0]?.title },
      ].compactMap { $0 }.joined(separator: ", ")
    case .product: entity[.brand]?.string
    case .household, .storageLocation: nil
    }
  }
}
