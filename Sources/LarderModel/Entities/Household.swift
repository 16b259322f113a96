import Foundation

/// The content of a household at one moment: its entities, and the path of each one's file.
public struct Household: Sendable {
  private struct Place: Equatable {
    var entity: Entity
    /// Nil while another entity has its path.
    var path: String?
  }

  private var places: [EntityKey: Place] = [:]
  private var keyOfPath: [String: EntityKey] = [:]
  private(set) var products = ProductIndex()
  /// The household's files that can't be read, with all their mistakes; they are not changed.
  public var unreadable: [String: FileMistakes] = [:]

  public init() {}

  /// Reserves space for a number of entities.
  public mutating func reserve(_ count: Int) {
    places.reserveCapacity(count)
    keyOfPath.reserveCapacity(count)
  }

  /// All entities, in no particular order.
  public var entities: some Collection<Entity> { places.values.lazy.map(\.entity) }

  public var keys: some Collection<EntityKey> { places.keys }

  public subscript(key: EntityKey) -> Entity? { places[key]?.entity }

  public subscript(kind: Kind, id: String) -> Entity? { self[EntityKey(kind, id)] }

  public func path(of key: EntityKey) -> String? { places[key]?.path }

  public func key(at path: String) -> EntityKey? { keyOfPath[path] }

  /// Returns the entities of a kind, in no particular order.
  public func all(_ kind: Kind) -> [Entity] {
    entities.filter { $0.kind == kind }
  }

  /// The entity of the household itself.
  public var own: Entity? {
    keyOfPath[Kind.householdPath].flatMap { self[$0] }
  }

  /// Puts an entity at a path; it replaces the earlier version and its path.
  public mutating func put(_ entity: Entity, at path: String) {
    let key = entity.key
    let old = places.updateValue(Place(entity: entity, path: path), forKey: key)
    products.replace(old?.entity, with: entity)
    if let left = old?.path, left != path, keyOfPath[left] == key { keyOfPath[left] = nil }
    if let holder = keyOfPath.updateValue(key, forKey: path), holder != key {
      places[holder]?.path = nil
    }
  }

  /// Adds a ledger entry to an existing entity, in place.
  ///
  /// With `put`, each of many entries would copy the whole entity.
  mutating func record(_ entry: LedgerEntry, in key: EntityKey) {
    places[key]?.entity.record(entry)
  }

  /// Removes the entity or the unreadable file at a path; to delete an entity, write its tombstone.
  public mutating func forget(path: String) {
    unreadable[path] = nil
    guard let key = keyOfPath.removeValue(forKey: path), places[key]?.path == path else { return }
    products.replace(places.removeValue(forKey: key)?.entity, with: nil)
  }

  /// Returns the keys of entities that differ from another household in content or path, ordered by
  /// kind and id.
  ///
  /// Entities that only the other has are left out.
  package func keys(differingFrom other: Household) -> [EntityKey] {
    places.filter { $0.value != other.places[$0.key] }.map(\.key).sorted(by: EntityKey.precedes)
  }

  /// All paths of entities and of unreadable files.
  public var paths: [String] { Array(keyOfPath.keys) + unreadable.keys }
}

extension Household {
  /// Returns the path for a new entity's file: a readable name, and enough digits of the id to make
  /// it unique.
  public func defaultPath(for entity: Entity) -> String {
    guard let folder = entity.kind.folder else { return Kind.householdPath }
    let stem = Slug.stem(of: entity, in: self)
    let digits = entity.id.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let beginning = "\(folder)/\(stem.isEmpty ? "" : stem + "-")"
    for count in min(6, digits.count)...digits.count {
      let path = beginning + digits.suffix(count) + ".json"
      if isFree(path, for: entity.key) { return path }
    }
    var number = 2
    while !isFree("\(beginning)\(digits)-\(number).json", for: entity.key) { number += 1 }
    return "\(beginning)\(digits)-\(number).json"
  }

  private func isFree(_ path: String, for key: EntityKey) -> Bool {
    unreadable[path] == nil && (keyOfPath[path] ?? key) == key
  }
}

/// Readable file names.
enum Slug {
  static func stem(of entity: Entity, in household: Household) -> String {
    switch entity.kind {
    case .receipt:
      let day = Day(entity.timestamp, in: household.own?.timeZone ?? "UTC")
      return "\(day)-\(of(entity.title))"
    case .shoppingListEntry:
      let item = entity.itemID.flatMap { household[.stockItem, $0] }
      return of(item?.title ?? entity.title)
    case .inventoryItem:
      let stock = Stock(household)
      return of(stock.item(of: entity)?.title ?? entity.title)
    default: return of(entity.title)
    }
  }

  /// Returns the letters and digits of a name, without case and accents, joined by single hyphens.
  ///
  /// It is NFKD without combining marks, recomposed, with at most 40 characters.
  static func of(_ name: String) -> String {
    let plain = String(
      String.UnicodeScalarView(
        name.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars
          .filter { $0.properties.canonicalCombiningClass == .notReordered }))
    var words = ""
    for scalar in plain.precomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        words.unicodeScalars.append(scalar)
      } else if !words.isEmpty, words.unicodeScalars.last != "-" {
        words.append("-")
      }
      if words.unicodeScalars.count >= 40 || words.utf8.count >= 120 { break }
    }
    while words.unicodeScalars.last == "-" { words.unicodeScalars.removeLast() }
    return words
  }
}

extension Entity {
  /// The title as part of a file or folder name; empty if nothing of it can be used.
  package var slug: String { Slug.of(title) }
}

/// An index of the items that claim a product and of a product's batches, updated with the
/// household.
struct ProductIndex: Sendable {
  // Product ids may be any text, and two that look the same may differ: keys compare bytes.
  private var items: [EntityKey: Set<String>] = [:]
  private var batches: [EntityKey: Set<String>] = [:]

  /// Replaces an entity's version by a new one.
  mutating func replace(_ old: Entity?, with new: Entity?) {
    if let old { note(old) { ids, id in ids.remove(id) } }
    if let new { note(new) { ids, id in ids.insert(id) } }
  }

  /// Returns the ids of the items that claim a product.
  func items(claiming product: String) -> Set<String> {
    items[EntityKey(.product, product)] ?? []
  }

  /// Returns the ids of a product's batches.
  func batches(of product: String) -> Set<String> {
    batches[EntityKey(.product, product)] ?? []
  }

  /// The products that several items claim, with the items' ids.
  var contested: [String: [String]] {
    var contested: [String: [String]] = [:]
    for (product, claims) in items where claims.count > 1 {
      contested[product.id] = claims.sorted()
    }
    return contested
  }

  private mutating func note(_ entity: Entity, _ change: (inout Set<String>, String) -> Void) {
    switch entity.kind {
    case .stockItem:
      for product in entity.productIDs {
        change(&items[EntityKey(.product, product), default: []], entity.id)
      }
    case .inventoryItem:
      change(&batches[EntityKey(.product, entity.productID), default: []], entity.id)
    case .household, .storageLocation, .product, .shoppingListEntry, .receipt: break
    }
  }
}
