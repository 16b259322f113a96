import LarderKit

/// The one-word forms of everyday commands.
enum ShortWords {
  /// The words in the order of the help; each is a verb of the stock or of the shopping list.
  private static let words = [
    "use", "put", "count", "buy", "got", "due", "low", "show", "move", "open", "discard",
  ]

  /// The short commands.
  static var parts: [Command.Part] {
    words.map { word in
      Command.Part(word) {
        let noun = ["buy", "got"].contains(word) ? ShopCommand.command : StockCommand.command
        let long = noun.subcommand(word) ?? noun
        return long.shortened(to: word, from: "larder \(noun.name) \(word)")
      }
    }
  }
}

extension Command {
  /// Returns the command as one word, with examples that begin with this word.
  fileprivate func shortened(to word: String, from title: String) -> Command {
    let about = "The same as '\(title)'."
    var short = explained { help in
      help.discussion = help.discussion.isEmpty ? about : "\(about)\n\n\(help.discussion)"
      help.examples = help.examples.filter { $0.command.hasPrefix(title) }.map { example in
        Example("larder \(word)" + example.command.dropFirst(title.count), example.explanation)
      }
    }
    short.name = word
    short.formerName = nil
    short.group = "Every day"
    return short
  }
}

/// The user's own words for commands, as in git.
enum Aliases {
  /// Returns a line with its alias replaced by the alias's words; a command is never replaced.
  static func expanded(_ words: [String], _ root: Command, _ environment: Environment) -> [String] {
    guard let first = words.first, !first.hasPrefix("-"), root.subcommand(first) == nil else {
      return words
    }
    // A file that can't be read has no aliases; 'larder config' reports the error.
    guard let text = try? UserSettings(environment: environment.forHouseholds)?.alias(first),
      let meant = split(text)
    else { return words }
    return meant + words.dropFirst()
  }

  /// Splits a text at its spaces, except in quotes; nil if a quote is not closed.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      switch character {
      case quote: quote = nil
      case "'", "\"":
        if quote == nil { quote = character } else { word = (word ?? "") + String(character) }
        word = word ?? ""
      case _ where character.isWhitespace && quote == nil:
        words += word.map { [$0] } ?? []
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return quote == nil ? words + (word.map { [$0] } ?? []) : nil
  }
}
