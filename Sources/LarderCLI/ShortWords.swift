/// The one-word forms of everyday commands.
enum ShortWords {
  /// Each word with its noun and verb, in the order of the help.
  private static let table: [(word: String, path: [String])] = [
    ("use", ["stock", "use"]), ("put", ["stock", "put"]), ("count", ["stock", "count"]),
    ("buy", ["shop", "buy"]), ("got", ["shop", "got"]), ("due", ["stock", "due"]),
    ("low", ["stock", "low"]), ("show", ["stock", "show"]), ("move", ["stock", "move"]),
    ("open", ["stock", "open"]), ("discard", ["stock", "discard"]),
  ]

  /// Returns the short commands for some nouns.
  static func commands(of nouns: [Command]) -> [Command] {
    table.compactMap { word, path in
      nouns.first { $0.name == path[0] }?.subcommand(path[1]).map { long in
        long.shortened(to: word, from: "larder " + path.joined(separator: " "))
      }
    }
  }
}

extension Command {
  /// Returns the command as one word, with examples that begin with this word.
  fileprivate func shortened(to word: String, from title: String) -> Command {
    let about = "The same as '\(title)'."
    var short = discussed { $0.isEmpty ? about : "\(about)\n\n\($0)" }
    short.name = word
    short.formerName = nil
    short.group = "Every day"
    short.examples = examples.filter { $0.command.hasPrefix(title) }.map { example in
      Example("larder \(word)" + example.command.dropFirst(title.count), example.explanation)
    }
    return short
  }
}
