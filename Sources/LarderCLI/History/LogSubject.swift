import LarderModel
internal import LarderText

/// The search for the entities whose history is requested.
struct LogSubject {
  private let household: Household
  private let stock: Stock
  private let names: NameBook

  init(_ household: Household) {
    self.household = household
    stock = Stock(household)
    names = NameBook([household])
  }

  /// Returns the entities with exactly this name, path or id; nil if there are none.
  func exactly(_ words: String) -> Set<EntityKey>? {
    let wanted = fold(words)
    let found = household.entities.filter { entity in
      entity.id == words || household.path(of: entity.key)?.text == words
        || fold(title(entity)) == wanted
    }
    return keys(found)
  }

  /// Returns the entity with this part of a name or beginning of an id; throws if several match.
  func like(_ words: String) throws(CommandError) -> Set<EntityKey> {
    let wanted = fold(words)
    let found = household.entities.filter { entity in
      entity.kind != .inventoryItem
        && (fold(title(entity)).contains(wanted)
          || (words.count >= 4 && entity.id.hasPrefix(words)))
    }
    let titles = Set(found.map(title)).sorted()
    if titles.count > 1 {
      throw CommandError(
        .ambiguous, "'\(words)' could be \(titles.count) things",
        problems: candidates(found), hints: ["write more of the name, or the file's path"])
    }
    if let keys = keys(found) { return keys }
    if words.allSatisfy(\.isHexDigit), words.contains(where: \.isNumber) {
      var error = MessageWords().unknownCommit(words)
      if Int(words) != nil {
        error.hints.insert("'larder log -n \(words)' shows the last ones", at: 0)
      }
      throw error
    }
    let near = near(words)
    throw CommandError(
      .notFound, "no thing and no commit is called '\(words)'",
      hints: near.isEmpty
        ? ["'larder log' without it shows everything"]
        : ["did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?"])
  }

  /// Returns titles that are similar to the words, or have a similar word.
  private func near(_ words: String) -> [String] {
    titleSuggestions(for: words, among: Set(household.entities.map(title)).sorted())
  }

  private func candidates(_ found: [Entity]) -> [Problem] {
    found.map { Problem(title($0), path: household.path(of: $0.key)?.text) }
      .sorted { ($0.path ?? "") < ($1.path ?? "") }.prefix(12).map { $0 }
  }

  /// Returns the keys of some entities, and of the batches of items among them.
  private func keys(_ found: [Entity]) -> Set<EntityKey>? {
    guard !found.isEmpty else { return nil }
    let batches = found.filter { $0.kind == .stockItem }.flatMap { stock.batches(of: $0) }
    return Set((found + batches).map(\.key))
  }

  private func title(_ entity: Entity) -> String { names.title(of: entity) }
}
