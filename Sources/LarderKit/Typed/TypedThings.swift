public import LarderModel

/// A reader of several things that people write one after the other.
///
/// The amount of a thing stands after its name, or before it if the words begin with an amount. A
/// thing's name ends at an amount or a comma. If neither stands between two things, the longest
/// known names separate them.
public struct TypedThings {
  /// The rule that splits words without an amount or a comma between them.
  public enum Splitting: Sendable {
    /// Splits only between full names; a part of a name is not enough.
    case byFullNames
    /// Like `byFullNames`, but every other word is a name by itself.
    case byFullNamesOrWords
    /// Like `byFullNamesOrWords`, and each word may be a part of a name.
    case byParts
  }

  public private(set) var things: [TypedThing] = []
  public private(set) var mistakes: [TypedThing.Mistake] = []

  let names: KnownNames
  private let splitting: Splitting
  /// Whether commas separate the things, so unknown words between two commas are one name.
  private var hasCommas = false

  /// Reads the words of a command line; a word with white space in it is a thing of its own.
  public init(_ words: [String], kind: Kind, in survey: Survey, splitting: Splitting) {
    self.splitting = splitting
    if let thing = Self.single(words) {
      names = KnownNames()
      things = [thing]
      return
    }
    names = KnownNames(kind, in: survey)
    let phrases = Self.phrases(words, names)
    hasCommas = phrases.count > 1
    for phrase in phrases { read(phrase) }
  }

  /// Reads one plain word, with or without an amount; nil for any other words.
  ///
  /// It needs no names, so nothing has to be collected.
  private static func single(_ words: [String]) -> TypedThing? {
    guard let name = words.first, name.first?.isLetter ?? false, !name.contains(","),
      (try? TypedAmount(name)) == nil
    else { return nil }
    if words.count == 1 { return name.contains(" ") ? nil : TypedThing(name) }
    guard words.count == 2, words[1].first?.isNumber ?? false, !isCode(words[1]),
      let amount = try? TypedAmount(words[1])
    else { return nil }
    if case .quantity(let quantity) = amount, case .own? = quantity.unit { return nil }
    return TypedThing(name, written: words[1], amount: amount)
  }

  /// Splits the words at commas that are not part of a known name.
  private static func phrases(_ words: [String], _ names: KnownNames) -> [[String]] {
    var phrases: [[String]] = [[]]
    for word in words {
      let isName = word.contains(",") && names.hasFull(word)
      let parts = isName ? [word[...]] : separated(word)
      for (index, part) in parts.enumerated() {
        if index > 0 { phrases.append([]) }
        let trimmed = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if !trimmed.isEmpty { phrases[phrases.count - 1].append(trimmed) }
      }
    }
    return phrases.filter { !$0.isEmpty }
  }

  /// Splits a word at its commas, except those between digits.
  private static func separated(_ word: String) -> [Substring] {
    var parts: [Substring] = []
    var start = word.startIndex
    for index in word.indices where word[index] == "," {
      let next = word.index(after: index)
      let isDecimal = next < word.endIndex && word[next].isNumber
      if isDecimal { continue }
      parts.append(word[start..<index])
      start = next
    }
    return parts + [word[start...]]
  }

  private mutating func read(_ words: [String]) {
    if words.count == 1, !Self.isCode(words[0]), !names.hasFull(words[0]),
      (try? TypedAmount(words[0])) != nil
    {
      add(alone: words[0])
    } else if let amount = leadingAmount(words) {
      readAmountsFirst(words, from: amount)
    } else {
      readNamesFirst(words)
    }
  }
}

extension TypedThings {
  /// The words of an amount, and their value.
  struct Amount {
    let written: String
    let count: Int
    let value: Result<TypedAmount, TypedQuantity.Mistake>
  }

  private mutating func readNamesFirst(_ words: [String]) {
    var run: [String] = []
    var index = 0
    while index < words.count {
      let named = names.fullName(at: index, in: words)
      if named == 0, !run.isEmpty, let amount = amount(at: index, in: words, of: run) {
        add(run, amount)
        run = []
        index += amount.count
      } else {
        if Self.isApart(words[index], from: run) {
          add(run, nil)
          run = []
        }
        let count = max(1, named)
        run += words[index..<(index + count)]
        index += count
      }
    }
    if !run.isEmpty { add(run, nil) }
  }

  /// Whether a word is separate from a run of words, because one of both was in quotes.
  private static func isApart(_ word: String, from run: [String]) -> Bool {
    run.last.map { $0.contains(" ") || word.contains(" ") } ?? false
  }

  private mutating func readAmountsFirst(_ words: [String], from first: Amount) {
    var amount = first
    var run: [String] = []
    var index = first.count
    while index < words.count {
      let named = names.fullName(at: index, in: words)
      if named == 0, let next = self.amount(at: index, in: words, of: run) {
        addFirst(run, amount)
        (amount, run) = (next, [])
        index += next.count
      } else if Self.isApart(words[index], from: run) {
        addFirst(run, amount)
        readNamesFirst(Array(words[index...]))
        return
      } else {
        let count = max(1, named)
        run += words[index..<(index + count)]
        index += count
      }
    }
    addFirst(run, amount)
  }

  /// Adds the things of a run; the amount belongs to the last one.
  private mutating func add(_ run: [String], _ amount: Amount?) {
    var names = names(in: run, isCounted: amount != nil)
    guard let last = names.popLast() else { return }
    things += names.map { TypedThing($0) }
    // A single quoted word may contain its amount.
    if amount == nil, run.count == 1, let (name, inside) = amountInside(last) {
      append(name, inside)
    } else {
      append(last, amount)
    }
  }

  /// Adds the things of a run; the amount belongs to the first one.
  private mutating func addFirst(_ run: [String], _ amount: Amount) {
    guard !run.isEmpty else { return add(alone: amount.written) }
    let names = names(in: run, isCounted: true)
    append(names[0], amount)
    things += names.dropFirst().map { TypedThing($0) }
  }

  /// Adds an amount without a thing, which is a mistake.
  ///
  /// On a shopping list, `8 rolls` is 8 of rolls.
  private mutating func add(alone written: String) {
    let words = written.split(separator: " ")
    let number = words.dropLast().joined(separator: " ")
    guard splitting == .byFullNamesOrWords, let name = words.last, name.first?.isLetter ?? false,
      let amount = try? TypedAmount(number)
    else { return mistakes.append(.amountAlone(written)) }
    things.append(TypedThing(String(name), written: number, amount: amount))
  }

  private mutating func append(_ name: String, _ amount: Amount?) {
    switch amount?.value {
    case nil where isStrayAmount(name): mistakes.append(.amountAlone(name))
    case nil: things.append(TypedThing(name))
    case .success(let value):
      things.append(TypedThing(name, written: amount?.written, amount: value))
    case .failure(let mistake):
      mistakes.append(.badAmount(amount?.written ?? "", of: name, mistake))
    }
  }

  /// Whether a name is only an amount, such as the `2` in `milk 1l 2`.
  ///
  /// On a shopping list, a number with an unknown unit may be a thing, such as `7 Up`.
  private func isStrayAmount(_ name: String) -> Bool {
    guard name.first?.isNumber ?? false, !Self.isCode(name), !names.hasFull(name),
      case .quantity(let quantity)? = try? TypedAmount(name)
    else { return false }
    if splitting == .byFullNamesOrWords, case .own? = quantity.unit { return false }
    return true
  }

  /// Returns the names in a run of words.
  private func names(in run: [String], isCounted: Bool) -> [String] {
    guard run.count > 1 else { return run }
    return names.segments(of: run, byParts: splitting == .byParts).flatMap { segment in
      let isOne =
        segment.isKnown || (isCounted && segment.isLast) || splitting == .byFullNames || hasCommas
      return isOne ? [segment.words.joined(separator: " ")] : segment.words
    }
  }
}
