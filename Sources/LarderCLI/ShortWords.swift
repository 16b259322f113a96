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
