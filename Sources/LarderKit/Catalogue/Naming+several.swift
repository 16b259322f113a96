public import LarderModel

extension Naming {
  /// Returns the entities of a kind that words name; several words without quotes may be one name.
  ///
  /// The longest full names win. If some words belong to no full name, all words together are tried
  /// as one name. If that does not match, each word is a name or a part of one.
  public func findSeveral(
    _ words: [String], _ kind: Kind, _ scope: Scope = .live
  ) throws(NamingError) -> [Entity] {
    guard words.count > 1 else { return [try find(words.first ?? "", kind, scope)] }
    let groups = grouped(household.all(kind), scope)
    let names = names(in: words) { !findAll($0, kind, among: groups, by: Step.inFull).isEmpty }
    if !names.allSatisfy(\.isInFull),
      let one = try? find(words.joined(separator: " "), kind, scope)
    {
      return [one]
    }
    var found: [Entity] = []
    for (name, _) in names {
      let entity = try find(name, kind, scope)
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
}
