/// Words that people try and that are no commands, with the commands that they mean.
enum TriedWords {
  /// Returns the words of the command that is meant; nil if nothing is known of the word.
  ///
  /// `rest` has the words behind the tried one.
  static func meaning(of word: String, under noun: String?, _ rest: [String]) -> [String]? {
    if let command = renamed(word, noun, rest) ?? frozen(word, rest) { return command }
    return table[noun ?? ""]?[word].map { $0.split(separator: " ").map(String.init) + rest }
  }

  private static func renamed(_ word: String, _ noun: String?, _ rest: [String]) -> [String]? {
    guard word == "rename", rest.count == 2 else { return nil }
    return [noun ?? "stock", "edit", rest[0], "--name", rest[1]]
  }

  private static func frozen(_ word: String, _ rest: [String]) -> [String]? {
    guard ["freeze", "froze"].contains(word), !rest.isEmpty else { return nil }
    return ["stock", "move", rest.joined(separator: " "), "freezer"]
  }

  private static let table: [String: [String: String]] = [
    "": stock.merging(alone) { $1 },
    "stock": stock,
    "shop": [
      "buy": "buy", "want": "buy", "new": "buy", "put": "buy", "need": "buy", "got": "got",
      "check": "got", "tick": "got", "bought": "got", "uncheck": "shop undone", "rm": "shop remove",
      "delete": "shop remove", "clear": "got --all", "ls": "shop list", "show": "shop list",
    ],
    "receipt": [
      "add": "receipt save", "new": "receipt save", "rm": "receipt void", "delete": "receipt void",
      "remove": "receipt void", "ls": "receipt list",
    ],
    "location": [
      "add": "location new", "rm": "location archive", "delete": "location archive",
      "remove": "location archive", "ls": "location list",
    ],
    "product": [
      "add": "product new", "rm": "product archive", "delete": "product archive",
      "remove": "product archive", "ls": "product list",
    ],
  ]

  private static let stock = [
    "use": "use", "eat": "use", "drink": "use", "spend": "use", "take": "use", "finish": "use",
    "put": "put", "buy": "buy", "want": "buy", "got": "got", "rm": "stock archive",
    "delete": "stock archive", "remove": "stock archive", "throw": "stock spoil",
    "waste": "stock spoil", "bin": "stock spoil", "toss": "stock spoil", "discard": "stock spoil",
    "ls": "stock list", "find": "stock list", "search": "stock list", "set": "count",
    "check": "count", "stocktake": "stocktake",
  ]

  private static let alone = [
    "consume": "use", "add": "put", "need": "buy", "bought": "got", "done": "got", "tick": "got",
    "list": "stock list", "new": "stock new", "open": "stock open", "move": "stock move",
    "spoil": "stock spoil", "edit": "stock edit", "archive": "stock archive",
    "restore": "stock restore", "expired": "stock expired", "fill": "shop fill",
    "clear": "got --all", "save": "receipt save", "history": "log",
  ]
}
