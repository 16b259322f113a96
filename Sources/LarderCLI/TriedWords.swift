import LarderKit
import Libc

/// Words that people try although they are not commands, with the commands that are meant.
struct TriedWords: Sendable {
  let environment: Environment
  /// The folder of `-C`.
  var folder: String?

  /// Returns the meant command; nil if the word is not known.
  @Sendable func meaning(of unknown: UnknownWord) -> MeantCommand? {
    let (word, noun) = (unknown.word.lowercased(), unknown.noun)
    let rest = Phrase.withoutArticle(unknown.rest)
    var here = self
    here.folder = GlobalOption.folder(in: unknown.before + rest)
    if let meant = here.frozen(word, rest) ?? here.cleared(word, noun, rest) { return meant }
    let words =
      Self.renamed(word, noun, rest) ?? Self.noun(word, noun, rest) ?? Phrase(word, rest).command
      ?? here.takenOff(word, noun, rest)
      ?? Self.table[noun ?? ""]?[word].map { $0.split(separator: " ").map(String.init) + rest }
    return words.map { MeantCommand(words: $0) }
      ?? here.survey.flatMap { NamedThings(survey: $0, unknown: unknown).command }
  }

  /// Returns the command that takes things off the list, or those that are ticked out of the basket.
  private func takenOff(_ word: String, _ noun: String?, _ rest: [String]) -> [String]? {
    guard ["unbuy", "unlist", "unwant", "unneed"].contains(word), noun == nil || noun == "shop"
    else { return nil }
    let names = rest.prefix { !OptionReading.looksLikeOption($0) }
    let entries = try? survey?.naming.findSeveral(Array(names), .shoppingListEntry)
    let areTicked = entries.map { !$0.isEmpty && $0.allSatisfy(\.isCompleted) } ?? false
    return ["shop", areTicked ? "undone" : "remove"] + (rest.isEmpty ? ["ENTRY"] : rest)
  }

  /// Returns the command that takes everything off the list.
  ///
  /// To clear a list may also mean to tick everything off, which is what the reason is about.
  private func cleared(_ word: String, _ noun: String?, _ rest: [String]) -> MeantCommand? {
    guard word == "clear", rest.isEmpty, noun == nil || noun == "shop" else { return nil }
    let names = survey.map { survey in survey.shoppingList.map { survey.title(of: $0) } } ?? []
    return MeantCommand(
      words: ["shop", "remove"] + (names.isEmpty ? ["ENTRY"] : names),
      reason:
        "'larder got --all' ticks everything off, and 'larder shop remove' takes it off the list")
  }

  private static func renamed(_ word: String, _ noun: String?, _ rest: [String]) -> [String]? {
    switch (noun, word) {
    case (_, "rename") where rest.count == 2:
      [noun ?? "stock", "edit", rest[0], nameOption[noun ?? ""] ?? "--name", rest[1]]
    case (nil, "spend") where rest.isEmpty: ["spending"]
    case ("location", "show") where !rest.isEmpty:
      ["stock", "list", "location:\(rest.joined(separator: " "))"]
    default: nil
    }
  }

  /// The option for the name, where a noun has another word for it.
  private static let nameOption = ["product": "--title", "receipt": "--shop"]

  /// Returns the words with Larder's noun in place of another noun.
  private static func noun(_ word: String, _ noun: String?, _ rest: [String]) -> [String]? {
    let nouns = [
      "inventory": StockCommand.command, "items": StockCommand.command,
      "item": StockCommand.command, "shopping": ShopCommand.command,
    ]
    guard noun == nil, let command = nouns[word] else { return nil }
    guard let verb = rest.first else { return [command.name] }
    return [command.name] + (command.subcommand(verb) == nil ? ["list"] : []) + rest
  }

  /// Returns the move to the freezer, or out of it.
  private func frozen(_ word: String, _ rest: [String]) -> MeantCommand? {
    let (freezing, thawing) = (["freeze", "froze"], ["thaw", "thawed", "defrost", "unfreeze"])
    guard (freezing + thawing).contains(word), !rest.isEmpty else { return nil }
    let place = freezing.contains(word) ? survey?.freezer : survey?.fridge
    guard let place = place?.title else {
      let name = freezing.contains(word) ? "Freezer" : "Fridge"
      return MeantCommand(
        words: ["location", "new", name, "--cold"],
        reason: name == "Freezer" ? "no location is a freezer yet" : "no location is called so yet")
    }
    let meant = survey.flatMap { MeantOrder.read(rest + [place], needsPlace: true, in: $0) }
    return MeantCommand(
      words: ["stock", "move"] + (meant?.words ?? [rest.joined(separator: " "), place]))
  }

  /// The household of the line; nil if there is none that can be read.
  private var survey: Survey? {
    CallingThread.run { thread in
      var context = LarderContext(environment: environment.forHouseholds)
      context.executor = thread
      return try? await Larder.household(of: folder, context).survey()
    }
  }

  static let table: [String: [String: String]] = [
    "": stock.merging(alone) { $1 },
    "stock": stock,
    "shop": [
      "want": "buy", "new": "buy", "put": "buy", "need": "buy", "order": "buy",
      "check": "got", "tick": "got", "bought": "got", "uncheck": "shop undone",
      "untick": "shop undone", "unget": "shop undone", "ungot": "shop undone",
      "rm": "shop remove", "delete": "shop remove", "ls": "shop list", "show": "shop list",
    ],
    "receipt": [
      "add": "receipt save", "new": "receipt save", "rm": "receipt void", "delete": "receipt void",
      "remove": "receipt void", "ls": "receipt list", "import": "receipt read",
      "scan": "receipt read", "open": "receipt show",
    ],
    "location": [
      "add": "location new", "rm": "location archive", "delete": "location archive",
      "remove": "location archive", "ls": "location list", "show": "location list",
    ],
    "product": [
      "add": "product new", "rm": "product archive", "delete": "product archive",
      "remove": "product archive", "ls": "product list",
    ],
    "cloud": [
      "leave": "cloud disconnect --leave", "quit": "cloud disconnect --leave",
      "signup": "cloud login --sign-up", "sign-up": "cloud login --sign-up",
      "register": "cloud login --sign-up", "signin": "cloud login", "sign-in": "cloud login",
      "signout": "cloud logout", "sign-out": "cloud logout", "forgot": "cloud reset",
      "share": "cloud invite", "accept": "cloud join --invite", "kick": "cloud remove",
      "sync": "sync", "delete": "cloud delete-account",
    ],
  ]

  private static let stock = [
    "eat": "use", "drink": "use", "spend": "use", "take": "use", "finish": "use", "ate": "use",
    "drank": "use", "used": "use", "finished": "use", "took": "use", "cook": "use",
    "buy": "buy", "want": "buy", "got": "got", "rm": "stock archive",
    "delete": "stock archive", "remove": "stock archive", "throw": "discard", "threw": "discard",
    "bin": "discard", "toss": "discard", "tossed": "discard", "chuck": "discard",
    "dump": "discard", "trash": "discard", "discarded": "discard", "spilled": "discard",
    "spilt": "discard", "lost": "discard", "waste": "discard",
    "restock": "put", "refill": "put", "opened": "open", "moved": "move", "counted": "count",
    "combine": "stock merge", "unarchive": "stock restore", "undelete": "stock restore",
    "unmerge": "stock restore",
    "ls": "stock list", "find": "stock list", "search": "stock list", "set": "count",
    "check": "count", "stocktake": "stocktake", "mv": "stock move", "scan": "put",
  ]

  private static let alone = [
    "consume": "use", "add": "put", "need": "buy", "bought": "got", "done": "got", "tick": "got",
    "order": "buy", "undone": "shop undone", "untick": "shop undone", "uncheck": "shop undone",
    "unget": "shop undone", "ungot": "shop undone",
    "list": "stock list", "batch": "stock list --batches", "batches": "stock list --batches",
    "new": "stock new", "spoil": "discard", "edit": "stock edit",
    "archive": "stock archive",
    "restore": "stock restore", "expired": "stock expired", "fill": "shop fill",
    "save": "receipt save", "history": "log", "pull": "sync", "push": "sync",
    "fetch": "sync", "clone": "join", "cost": "prices", "costs": "spending", "spent": "spending",
    "expenses": "spending", "budget": "spending", "backup": "export json", "price": "prices",
    "wasted": "waste", "statistics": "report",
  ]
}

/// Words where a verb should be, which name things of the household, as in `larder stock milk`.
struct NamedThings {
  let survey: Survey
  let unknown: UnknownWord

  /// The command that shows the things, or lists them if they are several; nil if there are none.
  ///
  /// Behind a noun it is done, as it only shows. Words that look like a mistyped command have to be
  /// a whole name.
  var command: MeantCommand? {
    let all = [unknown.word] + unknown.rest
    let words = Array(all.prefix { !OptionReading.looksLikeOption($0) })
    guard let line = line(words) else { return nil }
    return MeantCommand(words: line + all.dropFirst(words.count), isDone: unknown.noun != nil)
  }

  private func line(_ words: [String]) -> [String]? {
    let name = words.joined(separator: " ")
    let isTypingError = !suggestions(for: unknown.word, among: verbs).isEmpty
    switch unknown.noun {
    case nil:
      guard !isTypingError, let count = found(name, .stockItem, inFull: false) else { return nil }
      return count == .one ? ["show", name] : ["stock", "list"] + words
    case "stock": return filtered(words) ?? stock(words, name, inFull: isTypingError)
    case "shop": return filtered(words) ?? list("shop", words, .shoppingListEntry, isTypingError)
    case "receipt": return filtered(words) ?? show("receipt", words, .receipt, isTypingError)
    case "product": return filtered(words) ?? show("product", words, .product, isTypingError)
    case "location":
      return filtered(words) ?? list("location", words, .storageLocation, isTypingError)
    default: return nil
    }
  }

  /// The names of the commands that may be meant.
  private var verbs: [String] {
    let noun = unknown.noun.flatMap { Root.command.subcommand($0) }
    return (noun ?? Root.command).visibleSubcommands.map(\.name)
  }

  /// Returns the list of words that are filters, such as `category:dairy`.
  private func filtered(_ words: [String]) -> [String]? {
    guard let noun = unknown.noun, words.contains(where: Filter.isFilter) else { return nil }
    return [noun, "list"] + words
  }

  /// Returns the item, or what lies in a location or belongs to a category; whole names come first.
  private func stock(_ words: [String], _ name: String, inFull: Bool) -> [String]? {
    if found(name, .stockItem, inFull: true) == .one { return ["stock", "show", name] }
    if let place = try? survey.naming.exactly(name, .storageLocation) {
      return ["stock", "list", "location:\(place.title)"]
    }
    let categories = survey.items.lazy.compactMap(\.category)
    if let category = categories.first(where: { fold($0) == fold(name) }) {
      return ["stock", "list", "category:\(category)"]
    }
    return show("stock", words, .stockItem, inFull)
  }

  private func show(_ noun: String, _ words: [String], _ kind: Kind, _ inFull: Bool) -> [String]? {
    let name = words.joined(separator: " ")
    return found(name, kind, inFull: inFull) == .one
      ? [noun, "show", name] : list(noun, words, kind, inFull)
  }

  /// Returns the list of all that the words name together, or else each of them.
  private func list(_ noun: String, _ words: [String], _ kind: Kind, _ inFull: Bool) -> [String]? {
    let isNamed =
      found(words.joined(separator: " "), kind, inFull: inFull) != nil
      || words.allSatisfy { found($0, kind, inFull: inFull) != nil }
    return isNamed ? [noun, "list"] + words : nil
  }

  private enum Count { case one, several }

  private func found(_ name: String, _ kind: Kind, inFull: Bool) -> Count? {
    do throws(NamingError) {
      if inFull { return try survey.naming.exactly(name, kind).map { _ in .one } }
      _ = try survey.naming.find(name, kind)
      return .one
    } catch {
      if case .ambiguous = error { return .several }
      return nil
    }
  }
}
