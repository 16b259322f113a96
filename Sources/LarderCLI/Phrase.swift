import LarderModel

/// A verb of two or more words that people type, such as `throw away 1 yoghurt`.
struct Phrase {
  private let verb: String
  /// The words behind the verb, and the options behind these.
  private let words: [String]
  private let options: [String]

  init(_ verb: String, _ rest: [String]) {
    self.verb = verb
    words = Array(rest.prefix { !OptionReading.looksLikeOption($0) })
    options = Array(rest.dropFirst(words.count))
  }

  /// The command that is meant; nil for any other words.
  var command: [String]? {
    if let names = words(before: ["to", "on", "onto"], Self.lists), Self.adding.contains(verb) {
      return ["buy"] + names + options
    }
    if let names = words(before: ["from", "off"], Self.lists) {
      if Self.ticking.contains(verb) { return ["got"] + names + options }
      if Self.taking.contains(verb) { return ["shop", "remove"] + names + options }
    }
    if Self.throwing.contains(verb), let names = words(before: ["in", "into"], Self.bins) {
      return ["discard"] + Self.withoutArticle(names) + options
    }
    let isRunOut = ["run", "ran"].contains(verb) && words.starts(with: ["out", "of"])
    if isRunOut || verb == "out" && words.first == "of" {
      let names = words.dropFirst(isRunOut ? 2 : 1)
      return names.isEmpty
        ? nil : ["count"] + Self.withoutArticle(Array(names)) + ["0"] + options
    }
    for (meant, verbs, particles) in Self.forms where verbs.contains(verb) && words.count > 1 {
      let isFirst = particles.contains(words[0].lowercased())
      guard isFirst || particles.contains(words[words.count - 1].lowercased()) else { continue }
      let names = isFirst ? words.dropFirst() : words.dropLast()
      return [meant] + Self.withoutArticle(Array(names)) + options
    }
    return nil
  }

  /// Returns the words without an article at their beginning.
  static func withoutArticle(_ words: [String]) -> [String] {
    let isArticle = words.count > 1 && ["the", "my", "our", "some"].contains(fold(words[0]))
    return isArticle ? Array(words.dropFirst()) : words
  }

  private static let throwing: Set<String> = [
    "throw", "threw", "toss", "tossed", "chuck", "dump", "put",
  ]
  private static let ticking: Set<String> = ["tick", "check", "cross", "strike"]
  private static let adding: Set<String> = ["add", "write", "note"]
  private static let taking: Set<String> = ["remove", "rm", "delete", "take", "drop"]
  private static let lists = ["list", "shopping list"]
  private static let bins = ["bin", "trash", "rubbish", "garbage"]

  /// The commands with the verbs that mean them together with a particle, before or behind the names.
  private static let forms: [(meant: String, verbs: Set<String>, particles: Set<String>)] = [
    ("discard", throwing, ["away", "out"]),
    ("use", ["eat", "ate", "drink", "drank", "finish", "finished", "used"], ["up", "off"]),
    ("got", ticking, ["off"]),
  ]

  /// Returns the words before a preposition and one of some names, with or without an article; nil
  /// if the words don't end so.
  private func words(before prepositions: Set<String>, _ names: [String]) -> [String]? {
    let text = words.map(fold)
    for name in names {
      let end = name.split(separator: " ").map(String.init)
      guard text.count > end.count, Array(text.suffix(end.count)) == end else { continue }
      var rest = text.dropLast(end.count)
      if ["the", "my", "our"].contains(rest.last) { rest.removeLast() }
      guard rest.count > 1, prepositions.contains(rest.last ?? "") else { continue }
      return Array(words.prefix(rest.count - 1))
    }
    return nil
  }
}
