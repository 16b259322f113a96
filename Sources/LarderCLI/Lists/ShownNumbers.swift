import LarderKit

/// The numbers that lists show at a terminal, in the place of names.
///
/// A number names the row that was last shown with it in this clone, and never another one.
extension Invocation {
  /// Keeps a list that is shown to somebody, so that its numbers name its rows; returns whether it
  /// may have numbers.
  func keep(_ list: ShownList) async -> Bool {
    guard let larder = try? await open() else { return false }
    do {
      try await larder.keep(list)
      return true
    } catch {
      // Without a place to keep it, as in a folder that is only read, the list has no numbers.
      return false
    }
  }

  /// Returns the run with names in the place of the numbers that were typed.
  func withNames() async throws -> Invocation {
    var named = self
    for argument in parsed.node.command.arguments {
      guard let kind = argument.numberedKind(in: path) else { continue }
      let words = all(argument)
      if argument.takesAmounts {
        guard let typed = NumberedThing.read(words) else { continue }
        named.numbered = try await named.things(typed, of: argument, kind)
      } else if words.contains(where: { ShownList.number($0) != nil }) {
        named.parsed.replace(argument, by: try await names(for: words, of: argument, kind))
      }
    }
    return named
  }

  /// Returns the words of an argument with the paths of what was shown in the place of numbers.
  private func names(
    for words: [String], of argument: Argument, _ kind: Kind
  ) async throws -> [String] {
    let (list, survey) = try await shown()
    return try words.map { word in
      guard let number = ShownList.number(word), let list,
        let entity = try survey.entity(number, in: list, as: kind, orPartOfName: true)
      else { return word }
      let path = survey.household.path(of: entity.key)?.text ?? entity.id
      return entity.kind == kind || argument.name == "BATCH"
        ? path : survey.naming.title(of: entity)
    }
  }

  /// Returns the things that were shown with some numbers.
  private func things(
    _ typed: [NumberedThing], of argument: Argument, _ kind: Kind
  ) async throws -> [TypedThing]? {
    let (list, survey) = try await shown()
    let words = all(argument)
    let entities = try typed.map { typed in
      try list.flatMap { try survey.entity(typed.number, in: $0, as: kind) }
    }
    if let missing = entities.firstIndex(where: { $0 == nil }) {
      if survey.naming.named(words.joined(separator: " "), kind) != nil { return nil }
      throw noNumber(typed[missing].number, words, list, kind)
    }
    let takesBatches = ["use", "discard", "count"].contains(self.path.last)
    let things = zip(typed, entities.compactMap(\.self)).map { typed, entity in
      let title = survey.naming.title(of: entity)
      let file = survey.household.path(of: entity.key)?.text ?? entity.id
      let name =
        entity.kind == .inventoryItem
        ? takesBatches ? "\(title) \(file)" : nil : survey.hasTwin(entity) ? file : nil
      return name.map { TypedThing($0, written: typed.written, amount: typed.amount) }
        ?? TypedThing(whole: title, written: typed.written, amount: typed.amount)
    }
    // Two numbers without a sign between them may be a thing and its amount.
    let isClear =
      kind == .shoppingListEntry || typed.count < 2 || words.contains { $0.contains(",") }
    guard isClear else {
      let numbers = typed.map { String($0.number) }
      let names = things.map { "'\($0.name)'" }.joined(separator: ", ")
      throw ErrorWords(
        .usage,
        "'\(words.joined(separator: " "))' may be \(things.count) things, or one and its amount",
        "'\((path + [numbers.joined(separator: ", ")]).joined(separator: " "))' is about \(names)",
        "'\((path + [shellWord(things[0].name)] + numbers.dropFirst()).joined(separator: " "))' is "
          + "about one")
    }
    return things
  }

  private func noNumber(
    _ number: Int, _ words: [String], _ list: ShownList?, _ kind: Kind
  ) -> ErrorWords {
    let noun = kind.commandNoun ?? "stock"
    let reason =
      list == nil
      ? "no list was shown here yet" : "the list that was last shown has no \(noun) entry \(number)"
    return ErrorWords(
      .usage,
      "THING: the name of a thing is needed beside an amount, found '\(words.joined(separator: " "))'",
      "a number alone stands for a row of a list, and \(reason): 'larder \(noun)' at a terminal shows "
        + "one with numbers")
  }

  private func shown() async throws -> (ShownList?, Survey) {
    try await withLarder { larder in (try larder.shownList(), try larder.survey()) }
  }
}

/// A number in the place of a name, with the amount behind it.
struct NumberedThing: Equatable {
  let number: Int
  var written: String?
  var amount: TypedAmount?

  /// Reads words that are only numbers, such as `1 3`, `1,3`, `1-3` and `1 200g, 2`; nil for any
  /// other words.
  ///
  /// A number stands alone or before an amount with its unit; `1 1/2` and `2 l` are amounts.
  static func read(_ words: [String]) -> [NumberedThing]? {
    let isBlank = words.contains { $0.allSatisfy(\.isWhitespace) }
    guard !words.isEmpty, !isBlank, words.count <= 200 else { return nil }
    var things: [NumberedThing] = []
    for phrase in words.joined(separator: " ").split(separator: ",") {
      let parts = phrase.split(separator: " ").map(String.init)
      let numbers = parts.map(numbers)
      if let all = numbers as? [[Int]] {
        things += all.joined().map { NumberedThing(number: $0) }
        continue
      }
      let isAll = parts.count == 2 && fold(parts[1]) == "all"
      let isAmount =
        parts.count == 2 && parts[1].first?.isNumber ?? false
        && (try? TypedAmount(parts.joined(separator: " "))) == nil
      guard isAll || isAmount, let number = ShownList.number(parts[0]),
        let amount = try? TypedAmount(parts[1])
      else { return nil }
      things.append(NumberedThing(number: number, written: parts[1], amount: amount))
    }
    return things.isEmpty || things.count > 200 ? nil : things
  }

  /// Returns the numbers of a word such as `3` or `1-3`; nil for any other word.
  private static func numbers(_ word: String) -> [Int]? {
    if let number = ShownList.number(word) { return [number] }
    let ends = word.split(separator: "-", omittingEmptySubsequences: false)
      .map { ShownList.number(String($0)) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first < last else { return nil }
    return Array(first...last)
  }
}

extension Argument {
  /// Whether amounts stand behind the names.
  var takesAmounts: Bool { name.hasSuffix("[AMOUNT]") }

  /// Returns the kind of what a number may name in a command; nil if numbers mean something else.
  fileprivate func numberedKind(in path: [String]) -> Kind? {
    let names: Set = [
      "ITEM", "OTHER", "BATCH", "PRODUCT", "ENTRY", "RECEIPT", "THING [AMOUNT]", "ENTRY [AMOUNT]",
    ]
    // The place of a move is another list than the thing that is moved.
    guard names.contains(name) || name == "LOCATION" && path.contains("location") else {
      return nil
    }
    switch values {
    case .named(.all(let kind)), .named(.deleted(let kind)): return kind
    case .filters: return .stockItem
    default: return nil
    }
  }
}

extension Survey {
  /// Returns what was shown with a number, of a kind or standing for it; nil if a list has no such
  /// number, or is one of other things.
  ///
  /// Throws if it has changed since, or if the number is also the name of something else.
  fileprivate func entity(
    _ number: Int, in list: ShownList, as kind: Kind, orPartOfName isPart: Bool = false
  ) throws -> Entity? {
    let things: Set<Kind> = [.stockItem, .inventoryItem, .shoppingListEntry]
    guard let row = list[number], let shown = list.kind,
      shown == kind || things.contains(shown) && things.contains(kind)
    else { return nil }
    let way =
      "'larder \(shown.commandNoun ?? "stock list --batches")' at a terminal shows the list anew"
    guard let entity = household[shown, row.id], naming.title(of: entity) == row.title,
      entity.isTombstone == row.isDeleted
    else {
      throw ErrorWords(
        .failed, "number \(number) was \(row.title), which has changed since it was shown", way)
    }
    // Where amounts stand, a number names only what is called just so; `7` may be `7 Up` elsewhere.
    let other = naming.all(kind).first { other in
      let words = fold(naming.title(of: other)).split(separator: " ")
      return !other.isTombstone && other.key != entity.key
        && (isPart || words.count == 1) && words.contains { $0 == String(number) }
    }
    if let other, fold(naming.title(of: other)) != fold(row.title) {
      throw ErrorWords(
        .ambiguous,
        "'\(number)' is the number of \(row.title), and names \(naming.title(of: other)) too",
        "write more of the name")
    }
    return entity
  }

  /// Whether another thing of the kind has the same name.
  fileprivate func hasTwin(_ entity: Entity) -> Bool {
    let title = fold(naming.title(of: entity))
    return naming.all(entity.kind).contains { other in
      other.key != entity.key && !other.isTombstone && fold(naming.title(of: other)) == title
    }
  }
}
