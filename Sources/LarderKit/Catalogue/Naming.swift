public import LarderModel

/// The search for entities by the names that people use.
///
/// A name matches without case and accents; a barcode and a file's path match too, and where nothing
/// else does, the last six digits of an id or its first eight. A part of a name matches where it can
/// do no harm; ``findInFull(_:_:among:)`` never takes it.
public struct Naming: Sendable {
  public let household: Household
  public let stock: Stock
  let calendar: HouseholdCalendar

  /// Whether live or deleted entities match.
  public enum Scope: Sendable {
    /// Only live entities.
    case live
    /// Live entities, or deleted ones if no live one matches.
    case any
    /// Deleted entities, or live ones if no deleted one matches; a command then says that there is
    /// nothing to do.
    case deleted
  }

  init(_ household: Household, calendar: HouseholdCalendar) {
    self.household = household
    self.calendar = calendar
    stock = Stock(household)
  }

  /// Returns the entities of a kind, except those of another household.
  public func all(_ kind: Kind) -> [Entity] {
    kind == .inventoryItem ? stock.all(kind) : household.all(kind).filter(stock.isOurs)
  }

  /// Returns the one entity of a kind that matches the words.
  public func find(_ words: String, _ kind: Kind, _ scope: Scope = .live) throws(NamingError)
    -> Entity
  {
    try find(words, kind, among: household.all(kind), scope)
  }

  /// Returns the one entity of a list that matches the words.
  public func find(
    _ words: String, _ kind: Kind, among entities: [Entity], _ scope: Scope = .live
  ) throws(NamingError) -> Entity {
    let found = try findAll(words, kind, among: entities, scope)
    guard found.count == 1 else { throw ambiguous(words, kind, found) }
    return found[0]
  }

  /// Returns the one entity of a kind, or of a list, that the words name in full; a part of a name is
  /// never enough.
  ///
  /// A plural's `s`, case and accents do not matter. The error has what the words are a part of.
  public func findInFull(
    _ words: String, _ kind: Kind, among entities: [Entity]? = nil
  ) throws(NamingError) -> Entity {
    let entities = entities ?? household.all(kind)
    let found = findAll(
      words, kind, inAnyForm: grouped(entities, .live), by: Step.groupsInFull.flatMap(\.self))
    guard found.count <= 1 else { throw ambiguous(words, kind, found) }
    guard let one = found.first else { throw failure(words, kind, entities, .live) }
    return one
  }

  /// Returns the one lot of some batches that matches the words; a file or an id matches one batch
  /// only.
  ///
  /// It also finds batches that are used up, discarded or archived.
  public func lot(_ words: String, among batches: [Entity]) throws(NamingError) -> Lot {
    for steps in Step.groups {
      if let lot = try lot(words, among: batches, by: steps) { return lot }
    }
    throw failure(words, .inventoryItem, batches, .any)
  }

  /// Returns the one lot of some batches that matches by some steps; nil if none does.
  func lot(
    _ words: String, among batches: [Entity], by steps: [Step]
  ) throws(NamingError) -> Lot? {
    let found = findAll(words, .inventoryItem, inAnyForm: grouped(batches, .any), by: steps)
    let lots = Lot.grouped(found)
    guard lots.count <= 1 else { throw ambiguous(words, .inventoryItem, found) }
    return lots.first
  }

  /// Returns all matches of the first step that has any; throws if there is none.
  private func findAll(
    _ words: String, _ kind: Kind, among entities: [Entity], _ scope: Scope = .live
  ) throws(NamingError) -> [Entity] {
    let groups = grouped(entities, scope)
    for steps in [Step.inFull + Step.byPart, [.partOfID]] {
      let found = findAll(words, kind, inAnyForm: groups, by: steps)
      if !found.isEmpty { return found }
    }
    throw failure(words, kind, entities, scope)
  }

  /// Returns all matches of the words, or of a day that is written in them in the form of names.
  private func findAll(
    _ words: String, _ kind: Kind, inAnyForm groups: [[Entity]], by steps: [Step]
  ) -> [Entity] {
    for words in [words] + withWrittenDay(words, kind) {
      let found = findAll(words, kind, among: groups, by: steps)
      if !found.isEmpty { return found }
    }
    return []
  }

  func findAll(
    _ words: String, _ kind: Kind, among groups: [[Entity]], by steps: [Step]
  ) -> [Entity] {
    for step in steps {
      // If the words are the full name of an item, they are not a part of another entry's name.
      if step == .word, kind == .shoppingListEntry, named(words, .stockItem) != nil { break }
      for group in groups {
        let found = matches(of: words, kind, among: group, step)
        if !found.isEmpty { return found }
      }
    }
    return []
  }

  private func ambiguous(_ words: String, _ kind: Kind, _ found: [Entity]) -> NamingError {
    var holders: [String: Int] = [:]
    for entity in found {
      for mark in Set(marks(of: entity).map { fold($0) }) { holders[mark, default: 0] += 1 }
    }
    let candidates = found.map { entity in
      var candidate = candidate(entity)
      let own = marks(of: entity).first { holders[fold($0)] == 1 }
      candidate.ownName = own.map { kind == .receipt ? $0 : "\(words) \($0)" }
      return candidate
    }
    return .ambiguous(words, kind, candidates.sorted(by: Candidate.precedes))
  }

  /// Returns the item that matches the words, or nil if none does.
  ///
  /// Throws if several match. Also throws for a barcode without a match, because people could not
  /// read it on a list.
  public func item(_ words: String) throws(NamingError) -> Entity? {
    do throws(NamingError) {
      return try find(words, .stockItem)
    } catch {
      if case .notFound(let missing) = error, missing.barcode == nil { return nil }
      throw error
    }
  }

  /// Returns the item that is meant on a shopping list: the one with this full name; nil if there is
  /// none.
  ///
  /// Throws if several match, and for a barcode without a match.
  public func itemToBuy(_ words: String) throws(NamingError) -> Entity? {
    if let item = try itemInFull(words) { return item }
    return Barcode(written: words) == nil ? nil : try item(words)
  }

  /// Returns the item with this full name, barcode, file or id; nil if there is none.
  ///
  /// A plural's `s` does not matter. Throws if several match.
  public func itemInFull(_ words: String) throws(NamingError) -> Entity? {
    let found = findAll(
      words, .stockItem, among: grouped(all(.stockItem), .live), by: Step.inFull)
    guard found.count <= 1 else { throw ambiguous(words, .stockItem, found) }
    return found.first
  }

  /// Returns what has the words in its name, of some live entities; whole words come before letters
  /// within one.
  public func candidates(withPart words: String, _ kind: Kind, among entities: [Entity]? = nil)
    -> [Candidate]
  {
    let groups = grouped(entities ?? all(kind), .live)
    return findAll(words, kind, among: groups, by: Step.byPart).map { candidate($0) }
      .sorted(by: Candidate.precedes)
  }

  /// Returns the entity that matches the words in full, not by a part of its name or id; nil if
  /// there is none.
  public func exactly(_ words: String, _ kind: Kind) throws(NamingError) -> Entity? {
    let found = findAll(
      words, kind, among: grouped(all(kind), .any), by: [.path, .id, .name, .barcode])
    guard found.count <= 1 else { throw ambiguous(words, kind, found) }
    return found.first
  }

  /// Returns the live entity with exactly this name or other name, without case and accents.
  public func named(_ name: String, _ kind: Kind) -> Entity? {
    let wanted = fold(name)
    return all(kind)
      .filter { entity in !entity.isTombstone && hasName(entity) { fold($0) == wanted } }
      .min { $0.id < $1.id }
  }

  func grouped(_ entities: [Entity], _ scope: Scope) -> [[Entity]] {
    // Entities of another household match only if none of this household does.
    let ours = entities.filter(stock.isOurs)
    let others = ours.count == entities.count ? [] : entities.filter { !stock.isOurs($0) }
    return grouped(ours, by: scope) + grouped(others, by: scope)
  }

  private func grouped(_ entities: [Entity], by scope: Scope) -> [[Entity]] {
    let live = entities.filter { !$0.isTombstone }
    switch scope {
    case .live: return [live]
    case .any: return [live, entities.filter(\.isTombstone)]
    case .deleted: return [entities.filter(\.isTombstone), live]
    }
  }
}

extension Naming {
  /// Returns the name for people; an entry or a batch of an item has the item's name.
  public func title(of entity: Entity) -> String { stock.title(of: entity) }

  func hasName(_ entity: Entity, where isMeant: (String) -> Bool) -> Bool {
    entity.kind == .stockItem
      ? isMeant(entity.title) || entity.aliases.contains(where: isMeant)
      : names(of: entity).contains(where: isMeant)
  }

  /// Returns the entities of a kind that words name; several words without quotes may be one name.
  ///
  /// The longest full names win. If some words belong to no full name, all words together are tried
  /// as one name. If that does not match, each word is a name or, without `inFull`, a part of one.
  public func findSeveral(
    _ words: [String], _ kind: Kind, _ scope: Scope = .live, inFull: Bool = false
  ) throws(NamingError) -> [Entity] {
    let named = { (words: String) throws(NamingError) in
      try inFull ? findInFull(words, kind) : find(words, kind, scope)
    }
    guard words.count > 1 else { return [try named(words.first ?? "")] }
    let groups = grouped(household.all(kind), scope)
    let names = names(in: words) { !findAll($0, kind, among: groups, by: Step.inFull).isEmpty }
    if !names.allSatisfy(\.isInFull),
      let one = try? named(words.joined(separator: " "))
    {
      return [one]
    }
    var found: [Entity] = []
    for (name, _) in names {
      let entity = try named(name)
      if !found.contains(where: { $0.key == entity.key }) { found.append(entity) }
    }
    return found
  }

  /// Splits words into names; words that together are the full name of one thing stay together.
  private func names(
    in words: [String], isInFull: (String) -> Bool
  ) -> [(name: String, isInFull: Bool)] {
    var names: [(String, Bool)] = []
    var rest = words[...]
    while !rest.isEmpty {
      let count = (1...min(rest.count, KnownNames.longest)).reversed().first { count in
        isInFull(rest.prefix(count).joined(separator: " "))
      }
      names.append((rest.prefix(count ?? 1).joined(separator: " "), count != nil))
      rest = rest.dropFirst(count ?? 1)
    }
    return names
  }

  /// Returns the words with their day in the form of names: `milk 2026-12-24` for `milk 24 dec`.
  ///
  /// A day without a year gives two results, with the next such day and with the last one. Only
  /// batches and receipts have days in their names.
  func withWrittenDay(_ text: String, _ kind: Kind) -> [String] {
    guard kind == .inventoryItem || kind == .receipt else { return [] }
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let directions: [HouseholdCalendar.Direction] =
      kind == .receipt ? [.back, .ahead] : [.ahead, .back]
    // The longest text is tried first: in 'dec 24 2025', 'dec 24' is a day too.
    for count in stride(from: min(words.count, 4), through: 1, by: -1) {
      let found = (0...words.count - count).flatMap { start in
        let written = words[start..<start + count].joined(separator: " ")
        return directions.compactMap { direction in
          calendar.day(typed: written, direction).map { day in
            (words[..<start] + [day.description] + words[(start + count)...])
              .joined(separator: " ")
          }
        }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Returns the entities that a barcode names: a product by its own barcodes, anything of an item
  /// by the item's products.
  public func matches(ofBarcode words: String, _ kind: Kind, among entities: [Entity]) -> [Entity] {
    guard kind != .product else { return entities.filter { isNamed($0, by: words) } }
    let items = Set(productIDs(of: words).compactMap { stock.item(ofProduct: $0)?.id })
    guard !items.isEmpty else { return [] }
    return entities.filter { items.contains($0.kind == .stockItem ? $0.id : $0.itemID ?? "") }
  }

  /// Returns the ids of the products that a barcode or a product's id names.
  ///
  /// An id may be missing in the catalogue, and may be written with fewer or more leading zeros.
  private func productIDs(of words: String) -> Set<String> {
    let listed = household.all(.product).filter { isNamed($0, by: words) }.map(\.id)
    return Set(
      [words, "ean_" + words] + listed + Barcode.readings(of: words).flatMap { usedIDs(of: $0) })
  }

  /// Returns the ids for a barcode that items and batches already use.
  public func usedIDs(of barcode: Barcode) -> [String] {
    let claimed = household.all(.stockItem).flatMap(\.productIDs)
    let batches = household.all(.inventoryItem).map(\.productID)
    return (claimed + batches).filter(barcode.isMeant)
  }

  func isNamed(_ product: Entity, by words: String) -> Bool {
    product.numbers.contains(words) || Barcode.readings(of: words).contains { product.has($0) }
  }
}

/// Words to look for in names, as whole words; a plural's `s` does not matter.
struct WholeWords {
  private let words: [String]
  /// Letters that every match contains, in the singular and the plural; they rule out most names
  /// quickly.
  private let stem: String

  init(_ text: String) {
    words = Self.words(of: fold(text))
    stem = words.first.map { $0.count > 1 ? String($0.dropLast()) : $0 } ?? ""
  }

  /// Whether a name contains the words, one after the other.
  func areIn(_ name: String) -> Bool {
    let folded = fold(name)
    guard !words.isEmpty, folded.contains(stem) else { return false }
    let others = Self.words(of: folded)
    guard words.count <= others.count else { return false }
    return (0...others.count - words.count).contains { start in
      others[start...].prefix(words.count).elementsEqual(words)
    }
  }

  private static func words(of folded: String) -> [String] {
    folded.split { !$0.isLetter && !$0.isNumber }.map { singular(String($0)) }
  }
}
