public import LarderModel

/// A reader of several things that people write one after the other.
///
/// The amount of a thing stands after its name, or before it if the words begin with an amount or
/// `of` follows the amount. A thing's name ends at an amount, a comma, or a word such as `and`. If
/// none of these stands between two things, the longest known names separate them. A full name that
/// is known is never taken apart.
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
  private let areTexts: Bool
  /// Whether commas or words separate the things, so unknown words between two of them are one name.
  private var isSeparated = false
  /// The number of things on earlier lines.
  private var lineStart = 0

  /// Reads the words of a command line; a word with white space in it was in quotes.
  public init(_ words: [String], kind: Kind, in survey: Survey, splitting: Splitting) {
    self.init(lines: [words], kind: kind, in: survey, splitting: splitting, areTexts: false)
  }

  /// Reads the words of several lines.
  ///
  /// If they are the lines of a text, each is one thing, unless commas, amounts or known names
  /// separate several.
  public init(
    lines: [[String]], kind: Kind, in survey: Survey, splitting: Splitting, areTexts: Bool
  ) {
    self.splitting = splitting
    self.areTexts = areTexts
    if lines.count == 1, let thing = Self.single(lines[0], kind, in: survey) {
      names = KnownNames()
      things = [thing]
      return
    }
    names = KnownNames(kind, in: survey, entries: splitting == .byFullNamesOrWords)
    for words in lines { read(line: words) }
  }

  private mutating func read(line words: [String]) {
    lineStart = things.count
    let phrases = Self.phrases(words, names).map { phrase in
      let words = phrase.count > 1 ? glued(phrase) : phrase
      return (words: words, parts: parts(of: words))
    }
    isSeparated = phrases.count > 1 || phrases.contains { $0.parts.count > 1 }
    for (words, parts) in phrases { read(parts, of: words.joined(separator: " ")) }
  }

  /// Reads one plain word, with or without an amount; nil for any other words.
  ///
  /// It needs few names, so not all have to be collected.
  private static func single(_ words: [String], _ kind: Kind, in survey: Survey) -> TypedThing? {
    guard let name = words.first, name.first?.isLetter ?? false, !name.contains(","),
      (try? TypedAmount(name)) == nil, NumberWords.vague([name]) == nil
    else { return nil }
    if words.count == 1 { return name.contains(" ") ? nil : TypedThing(name) }
    guard words.count == 2, words[1].first?.isNumber ?? false, !isCode(words[1]),
      let amount = try? TypedAmount(words[1]),
      survey.naming.named(words.joined(separator: " "), kind) == nil
    else { return nil }
    if case .quantity(let quantity) = amount {
      if case .own? = quantity.unit { return nil }
      guard quantity.thousands == nil else { return nil }
    }
    return TypedThing(name, written: words[1], amount: amount)
  }

  /// Splits the words at commas that are not part of a known name.
  private static func phrases(_ words: [String], _ names: KnownNames) -> [[String]] {
    var phrases: [[String]] = [[]]
    for (index, word) in words.enumerated() {
      let isName =
        word.contains(",") && (names.hasFull(word) || names.hasName(over: index, in: words))
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

  /// Splits a phrase at words such as `and`; in quotes and in texts, only if each part has an amount
  /// or is a known name.
  private func parts(of words: [String]) -> [[String]] {
    guard words.count == 1 || areTexts else { return separated(words) }
    let isQuoted = words.count == 1
    let inside = isQuoted ? words[0].split(separator: " ").map(String.init) : words
    let parts = separated(inside)
    guard parts.count > 1 else { return [words] }
    let counts = parts.map { counted($0) }
    let areClear = zip(parts, counts).allSatisfy { part, count in
      count != nil || names.hasFull(part.joined(separator: " "))
    }
    guard areClear, !counts.allSatisfy({ $0?.isUnsure ?? false }) else { return [words] }
    return isQuoted ? parts.map { [$0.joined(separator: " ")] } : parts
  }

  /// Reads the parts of a phrase, and notes free words that `and` separated.
  private mutating func read(_ parts: [[String]], of phrase: String) {
    for (index, part) in parts.enumerated() {
      let before = things.last
      let count = things.count
      read(part)
      guard index > 0, count < things.count, let before, isFree(before), isFree(things[count])
      else { continue }
      things[count].remark = .separated(
        [before.name, things[count].name],
        whole: parts.count == 2 ? phrase : "\(before.name) and \(things[count].name)", amount: nil)
    }
  }

  /// Whether the things are for a shopping list, on which anything may be a thing.
  private var isForList: Bool { splitting == .byFullNamesOrWords }

  private func isFree(_ thing: TypedThing) -> Bool {
    thing.amount == nil && !names.hasFull(thing.name)
  }

  private mutating func read(_ words: [String]) {
    if words.count > 1, names.name(at: 0, in: words) == 0, let vague = NumberWords.vague(words),
      !names.hasFull(words.joined(separator: " "))
    {
      let written = vague.joined(separator: " ")
      let name = words.dropFirst(vague.count + ofLength(words, at: vague.count))
      return mistakes.append(.badAmount(written, of: name.joined(separator: " "), .vague(written)))
    }
    if words.count == 1, !Self.isCode(words[0]), !names.hasFull(words[0]),
      let amount = try? TypedAmount(words[0]), !words[0].contains(" ") || amount.hasKnownUnit
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
      if named == 0, run.isEmpty, index > 0, let next = amount(at: index, in: words, of: []) {
        // In `flour 200g 3 eggs`, an amount follows another one, and belongs to what comes.
        return readAmountsFirst(Array(words[index...]), from: next)
      }
      if named == 0, !run.isEmpty, let amount = amount(at: index, in: words, of: run) {
        let end = index + amount.count
        if names.hasFull((run + words[index..<end]).joined(separator: " ")) {
          // The number is a part of a known name, as in `Cola 2`.
          run += words[index..<end]
        } else if ofLength(words, at: end) > 0 {
          if !run.isEmpty { add(run, nil) }
          return readAmountsFirst(Array(words[index...]), from: amount)
        } else {
          add(run, amount)
          run = []
        }
        index = end
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
    index += ofLength(words, at: index)
    while index < words.count {
      let named = names.fullName(at: index, in: words)
      if named == 0, let next = self.amount(at: index, in: words, of: run) {
        addFirst(run, amount)
        (amount, run) = (next, [])
        index += next.count
        index += ofLength(words, at: index)
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
    if amount == nil, run.count == 1, run[0].contains(" "),
      let counted = counted(run[0].split(separator: " ").map(String.init))
    {
      return append(counted, in: run[0])
    }
    var names = names(in: run, isCounted: amount != nil)
    guard let last = names.popLast() else { return }
    let first = things.count
    for name in names { append(name, nil) }
    append(last, amount)
    noteSeparated(from: first)
  }

  /// Adds the things of a run; the amount belongs to the first one.
  private mutating func addFirst(_ run: [String], _ amount: Amount) {
    guard !run.isEmpty else { return add(alone: amount.written) }
    let names = names(in: run, isCounted: true)
    let first = things.count
    append(names[0], amount)
    for name in names.dropFirst() { append(name, nil) }
    noteSeparated(from: first)
  }

  /// Notes words that became things of their own only because nobody knows all of them together.
  private mutating func noteSeparated(from first: Int) {
    let made = things[first...]
    guard made.count > 1, !isSeparated, !areTexts, made.contains(where: { !names.hasFull($0.name) })
    else { return }
    things[first].remark = .separated(
      made.map(\.name), whole: made.map(\.name).joined(separator: " "),
      amount: made.compactMap(\.written).first)
  }

  /// Adds an amount without a thing, which is a mistake.
  ///
  /// On a shopping list, `8 rolls` is 8 of rolls; but nobody buys litres of nothing.
  private mutating func add(alone written: String) {
    let words = written.split(separator: " ")
    let number = words.dropLast().joined(separator: " ")
    guard isForList, let name = words.last.map(String.init), name.first?.isLetter ?? false,
      TypedUnit(name)?.unit.isMeasured != true, let amount = try? TypedAmount(number)
    else { return mistakes.append(.amountAlone(written)) }
    // In `crisps, 2 bags`, the bags are how much it is.
    if things.count > lineStart, let before = things.last, before.amount == nil,
      TypedUnit.isKnown(name), !names.hasFull(name), let all = try? TypedAmount(written)
    {
      things[things.count - 1].amount = all
      things[things.count - 1].written = written
      things[things.count - 1].remark = .behindComma(written)
      return
    }
    things.append(TypedThing(name, written: number, amount: amount))
  }

  /// Adds the thing of quoted words that contain their amount.
  ///
  /// A mere number before a name that nobody knows belongs to it if it begins with a capital, as in
  /// `7 Up`, or if it may be the amount of the thing before it.
  private mutating func append(_ counted: Counted, in words: String) {
    guard !counted.name.isEmpty else { return append(words, nil) }
    let mayBeUnit = !isForList && things[lineStart...].last.map { $0.amount == nil } ?? false
    let isName =
      counted.isUnsure && counted.isLeading
      && (mayBeUnit || !(counted.name.first?.isLowercase ?? false)
        || counted.amount.written.first?.isLetter ?? false)
    let count = things.count
    if isName { append(words, nil) } else { append(counted.name, counted.amount) }
    guard counted.isUnsure, count < things.count, !isSeparated,
      !words.split(separator: " ").contains(where: { Self.isSeparator(String($0)) })
    else { return }
    things[count].remark = .numberInName(words, isTaken: !isName)
  }

  private mutating func append(_ name: String, _ amount: Amount?) {
    switch amount?.value {
    case nil where isStrayAmount(name): mistakes.append(.amountAlone(name))
    case nil: things.append(TypedThing(name))
    case .success(.quantity(let quantity)) where isUnclear(quantity, of: name):
      mistakes.append(.badAmount(amount?.written ?? "", of: name, quantity.thousands ?? .noNumber))
    case .success(let value):
      things.append(TypedThing(name, written: amount?.written, amount: value))
    case .failure(let mistake):
      mistakes.append(.badAmount(amount?.written ?? "", of: name, mistake))
    }
  }

  /// Whether a number with a point before three digits may be a thousand times as much: no unit says
  /// that it is not, neither its own nor that of the thing.
  private func isUnclear(_ quantity: TypedQuantity, of name: String) -> Bool {
    guard quantity.thousands != nil else { return false }
    return quantity.unit != nil || names.unit(of: name)?.isLarge != true
  }

  /// Whether a name is only an amount, such as the `2` in `milk 1l 2`, or a word that says none.
  ///
  /// On a shopping list, a number with an unknown unit may be a thing, such as `7 Up`.
  private func isStrayAmount(_ name: String) -> Bool {
    if !names.hasFull(name), !name.contains(" "),
      NumberWords.reading([name]) != nil || NumberWords.vague([name]) != nil
    {
      return true
    }
    guard name.first?.isNumber ?? false, !Self.isCode(name), !names.hasFull(name),
      case .quantity(let quantity)? = try? TypedAmount(name)
    else { return false }
    if isForList, case .own? = quantity.unit { return false }
    return true
  }

  /// Returns the names in a run of words.
  private func names(in run: [String], isCounted: Bool) -> [String] {
    guard run.count > 1 else { return run }
    return names.segments(of: run, byParts: splitting == .byParts).flatMap { segment in
      let isOne =
        segment.isKnown || (isCounted && segment.isLast) || isSeparated
        || splitting == .byFullNames || areTexts
      return isOne ? [segment.words.joined(separator: " ")] : segment.words
    }
  }
}
