internal import Foundation

/// All that a household holds at one moment: its entities, and where each one's file lies.
public struct Household: Sendable {
  private struct Place: Equatable {
    var entity: Entity
    /// Nil while another entity has its file.
    var path: String?
  }

  private var places: [EntityKey: Place] = [:]
  private var keyOfPath: [String: EntityKey] = [:]
  private(set) var products = ProductIndex()
  /// Files of ours that can't be read, with all their mistakes; they are left as they are.
  public var unreadable: [String: FileMistakes] = [:]

  public init() {}

  /// Makes room for a number of entities, which is quicker than growing.
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

  /// The entities of a kind, in no particular order.
  public func all(_ kind: Kind) -> [Entity] {
    entities.filter { $0.kind == kind }
  }

  /// The household itself.
  public var own: Entity? {
    keyOfPath[Kind.householdPath].flatMap { self[$0] }
  }

  /// Puts an entity at a path, in place of the version before and of its old path.
  public mutating func put(_ entity: Entity, at path: String) {
    let key = entity.key
    let old = places.updateValue(Place(entity: entity, path: path), forKey: key)
    products.replace(old?.entity, with: entity)
    if let left = old?.path, left != path, keyOfPath[left] == key { keyOfPath[left] = nil }
    if let holder = keyOfPath.updateValue(key, forKey: path), holder != key {
      places[holder]?.path = nil
    }
  }

  /// Adds a quantity event to an entity that is there, in its place: a version of its own for each of
  /// many would be copied whole.
  mutating func record(_ entry: LedgerEntry, in key: EntityKey) {
    places[key]?.entity.record(entry)
  }

  /// Forgets what lies at a path; deleting an entity is its tombstone's business.
  public mutating func forget(path: String) {
    unreadable[path] = nil
    guard let key = keyOfPath.removeValue(forKey: path), places[key]?.path == path else { return }
    products.replace(places.removeValue(forKey: key)?.entity, with: nil)
  }

  /// The entities that are not the same, or not at the same path, in another household, in order of
  /// kind and id; those that only the other has are not among them.
  package func keys(differingFrom other: Household) -> [EntityKey] {
    places.filter { $0.value != other.places[$0.key] }.map(\.key).sorted(by: EntityKey.precedes)
  }

  /// Every path that holds an entity or an unreadable file.
  public var paths: [String] { Array(keyOfPath.keys) + unreadable.keys }
}

extension Household {
  /// Where a new entity's file goes: a readable name, and as many digits of the id as make it unique.
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

  /// Letters and digits of a name without case and accents, joined by single hyphens.
  ///
  /// NFKD without combining marks, recomposed; at most 40 characters.
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
  /// Its title as it can be the name of a file or a folder; empty where nothing of it can.
  package var slug: String { Slug.of(title) }
}
