import LarderKit

/// A thing, a location and an amount in the words of a line, in any order and without quotes.
struct MeantOrder {
  let thing: String
  /// The name of the location, and the words for it.
  let place: (title: String, typed: String)?
  let amount: [String]

  /// The words behind `move` or `open`.
  var words: [String] { [thing] + (place.map { [$0.title] } ?? []) + amount }

  /// The same with the location as it was typed.
  var typed: [String] { [thing] + (place.map { [$0.typed] } ?? []) + amount }

  /// Words that stand between the others and name nothing.
  private static let fillers: Set<String> = [
    "the", "some", "of", "my", "our", "to", "into", "in", "from", "onto", "on",
  ]

  /// The role of a part of the words.
  private enum Role { case thing, place, amount }

  /// The orders of the parts, the usual ones first.
  private static let orders: [[Role]] = [
    [.thing], [.thing, .amount], [.amount, .thing], [.thing, .place], [.place, .thing],
    [.thing, .place, .amount], [.thing, .amount, .place], [.amount, .thing, .place],
    [.place, .thing, .amount], [.place, .amount, .thing], [.amount, .place, .thing],
  ]

  /// Reads the words; nil if they don't name a thing, and a location if one is needed.
  ///
  /// A thing that the words name in full goes before one that they name in part.
  static func read(
    _ words: [String], _ kind: Kind = .stockItem, needsPlace: Bool, in survey: Survey
  ) -> MeantOrder? {
    guard words.count <= 20 else { return nil }
    let fitting = orders.filter { $0.contains(.place) == needsPlace }
    let readings = splits(words).flatMap { parts in
      fitting.filter { $0.count == parts.count }.compactMap {
        read(parts, as: $0, kind, in: survey)
      }
    }
    return readings.first(where: \.isInFull)?.order ?? readings.first?.order
  }

  /// Returns the ways to split words into up to three parts.
  private static func splits(_ words: [String]) -> [[[String]]] {
    let ends = words.indices.dropFirst()
    let pairs = ends.map { [Array(words[..<$0]), Array(words[$0...])] }
    let triples = ends.flatMap { first in
      ends.filter { $0 > first }.map { second in
        [Array(words[..<first]), Array(words[first..<second]), Array(words[second...])]
      }
    }
    return [[words]] + pairs + triples
  }

  private static func read(
    _ parts: [[String]], as roles: [Role], _ kind: Kind, in survey: Survey
  ) -> (order: MeantOrder, isInFull: Bool)? {
    var thing: (words: String, isInFull: Bool)?
    var place: (title: String, typed: String)?
    var amount: [String] = []
    for (part, role) in zip(parts, roles) {
      let name = part.drop { fillers.contains(fold($0)) }.joined(separator: " ")
      switch role {
      case .amount:
        guard (try? TypedAmount(part.joined(separator: " "))) != nil else { return nil }
        amount = part
      case .thing:
        guard let isInFull = Self.thing(name, kind, in: survey) else { return nil }
        thing = (name, isInFull)
      case .place:
        guard let found = try? survey.naming.find(name, .storageLocation) else { return nil }
        place = (found.title, name)
      }
    }
    guard let thing else { return nil }
    return (MeantOrder(thing: thing.words, place: place, amount: amount), thing.isInFull)
  }

  /// Whether words name a thing in full; nil if they name neither a thing of the kind nor a batch of
  /// an item.
  private static func thing(_ words: String, _ kind: Kind, in survey: Survey) -> Bool? {
    let isFound =
      kind == .stockItem
      ? (try? survey.itemOrLot(words)) != nil : (try? survey.naming.find(words, kind)) != nil
    return words.isEmpty || !isFound ? nil : survey.naming.named(words, kind) != nil
  }
}

extension Invocation {
  /// Whether an amount is all there is.
  func isAll(_ amount: Argument) -> Bool { fold(all(amount).joined(separator: " ")) == "all" }

  /// Runs `body`; if it can't read the words or find what they name, but they make sense in another
  /// order or with quotes, the error tells the command that is meant.
  func orTellingOrder(
    of words: [String], _ kind: Kind = .stockItem, needsPlace: Bool = false,
    _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch {
      guard [.usage, .notFound].contains(MessageWords().errorWords(for: error).kind),
        let meant = MeantOrder.read(words, kind, needsPlace: needsPlace, in: try await survey()),
        meant.typed != words
      else { throw error }
      let order = needsPlace ? "thing, location, amount" : "thing, amount"
      throw ErrorWords(
        .usage, "the order is \(order), with quotes for a name of several words",
        "did you mean '\((path + meant.words.map(shellWord)).joined(separator: " "))'?")
    }
  }
}
