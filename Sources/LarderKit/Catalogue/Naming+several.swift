public import LarderModel

extension Naming {
  /// Returns the entities of a kind that words name; several words without quotes may be one name.
  ///
  /// If not each of several is a name in full, all the words are one name, or part of one. Only on the
  /// shopping list, each may be a part of a name then.
  public func findSeveral(
    _ words: [String], _ kind: Kind, _ scope: Scope = .live
  ) throws(NamingError) -> [Entity] {
    guard words.count > 1 else { return [try find(words.first ?? "", kind, scope)] }
    let groups = grouped(household.all(kind), scope)
    let names = names(in: words) { !findAll($0, kind, among: groups, by: Step.inFull).isEmpty }
    if names.count > 1, !names.allSatisfy(\.isInFull),
      let one = try? find(words.joined(separator: " "), kind, scope)
    {
      return [one]
    }
    var found: [Entity] = []
    for (name, isInFull) in names {
      guard isInFull || kind == .shoppingListEntry else { throw unquoted(name, kind, scope) }
      let entity = try find(name, kind, scope)
      if !found.contains(where: { $0.key == entity.key }) { found.append(entity) }
    }
    return found
  }

  /// Takes words apart into names; where several words are the full name of one thing, they are.
  private func names(
    in words: [String], isInFull: (String) -> Bool
  ) -> [(name: String, isInFull: Bool)] {
    var names: [(String, Bool)] = []
    var rest = words[...]
    while !rest.isEmpty {
      let count = (1...rest.count).reversed().first { count in
        isInFull(rest.prefix(count).joined(separator: " "))
      }
      names.append((rest.prefix(count ?? 1).joined(separator: " "), count != nil))
      rest = rest.dropFirst(count ?? 1)
    }
    return names
  }

  /// Returns the error for one of several names that is not in full.
  private func unquoted(
    _ name: String, _ kind: Kind, _ scope: Scope
  ) -> NamingError {
    do throws(NamingError) {
      return .onlyAPart(name, kind, of: title(of: try find(name, kind, scope)))
    } catch {
      return error
    }
  }
}
