internal import LarderModel

/// The names of a household, by which written things are separated.
struct KnownNames: Sendable {
  private var folded: [String] = []
  /// The units by the folded names in the singular.
  private var units: [String: Unit] = [:]
  /// The names of the units of the household's own.
  private var ownUnits: Set<String> = []
  /// The number of bytes in the longest name.
  private var longestBytes = 0

  /// Creates an empty set of names.
  init() {}

  /// Collects the names of the live entities of a kind and, with `entries`, those of the shopping list.
  init(_ kind: Kind, in survey: Survey, entries: Bool = false) {
    let naming = survey.naming
    let free = entries ? naming.all(.shoppingListEntry).filter { $0.itemID == nil } : []
    typealias Name = (folded: String, singular: String, unit: Unit)
    let names = (free + naming.all(kind)).concurrentMap { entity -> [Name] in
      guard !entity.isTombstone else { return [] }
      let unit = entity.unit
      let others = kind == .stockItem ? entity.aliases : []
      return ([naming.title(of: entity)] + others).map { name in
        let name = fold(name)
        return (folded: name, singular: singular(name), unit: unit)
      }
    }
    folded.reserveCapacity(names.count)
    units.reserveCapacity(names.count)
    for name in names.joined() {
      folded.append(name.folded)
      units[name.singular] = name.unit
      if case .own(let unit) = name.unit { ownUnits.insert(unit) }
      longestBytes = max(longestBytes, name.folded.utf8.count)
    }
  }

  /// Whether the words are a full name, with or without a plural's `s`, a file or an id.
  func hasFull(_ words: String) -> Bool {
    unit(of: words) != nil || words.hasSuffix(".json") || Identifier.isUUID(words)
  }

  func unit(of words: String) -> Unit? { units[singular(fold(words))] }

  /// Whether a known thing has this unit of the household's own.
  func hasUnit(_ name: String) -> Bool { ownUnits.contains(name) }

  private func hasPart(_ words: String) -> Bool {
    let part = fold(words)
    guard part.utf8.count <= longestBytes else { return false }
    return folded.contains { $0.contains(part) }
  }

  /// Returns the number of words of a full name that begins at an index; 0 if none does.
  ///
  /// Only names that begin like an amount count, such as `7 Up` or `Half cream`.
  func fullName(at index: Int, in words: [String]) -> Int {
    let beginsLikeAmount =
      words[index].first.map { $0.isNumber } ?? false || (try? TypedAmount(words[index])) != nil
    guard beginsLikeAmount else { return 0 }
    let count = name(at: index, in: words)
    return count == 0 && words[index].contains(" ") && hasFull(words[index]) ? 1 : count
  }

  /// Returns the number of words of the longest full name of several words that begins at an index;
  /// 0 if none does.
  func name(at index: Int, in words: [String]) -> Int {
    let rest = words[index...]
    for count in stride(from: min(rest.count, Self.longest), through: 2, by: -1)
    where hasFull(rest.prefix(count).joined(separator: " ")) { return count }
    return 0
  }

  /// Whether a full name goes on behind the word at an index, as behind the `and` of
  /// `salt and pepper`.
  func hasName(over index: Int, in words: [String]) -> Bool {
    (max(0, index - Self.longest + 2)...index).contains { index < $0 + name(at: $0, in: words) - 1 }
  }

  /// The largest number of words in a name that is looked for.
  static let longest = 12

  /// Words that name one known thing, or that are not known.
  struct Segment {
    let words: [String]
    let isKnown: Bool
    let isLast: Bool
  }

  /// Splits words into known names, with as few unknown words as possible, then with as few names.
  func segments(of words: [String], byParts: Bool) -> [Segment] {
    let whole = words.joined(separator: " ")
    if hasFull(whole) || hasPart(whole) {
      return [Segment(words: words, isKnown: true, isLast: true)]
    }
    // For each number of words, the best way to split that many from the beginning.
    var best: [(unknown: Int, count: Int, start: Int, isKnown: Bool)] = [(0, 0, 0, true)]
    for end in 1...words.count {
      let options = (max(0, end - Self.longest)..<end).map { start in
        let part = words[start..<end].joined(separator: " ")
        let isKnown = hasFull(part) || (byParts && start == end - 1 && hasPart(part))
        return (
          unknown: best[start].unknown + (isKnown ? 0 : end - start),
          count: best[start].count + 1, start: start, isKnown: isKnown
        )
      }
      best.append(options.min { ($0.unknown, $0.count) < ($1.unknown, $1.count) } ?? best[0])
    }
    var segments: [Segment] = []
    var end = words.count
    while end > 0 {
      let way = best[end]
      segments.append(
        Segment(
          words: Array(words[way.start..<end]), isKnown: way.isKnown, isLast: end == words.count))
      end = way.start
    }
    return segments.reversed()
  }
}
