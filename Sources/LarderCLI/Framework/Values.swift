/// The allowed values of an argument or option, for the parser and for shell completion.
enum Values: Sendable, Equatable {
  /// Any text, without completion.
  case anything
  /// One of these words; the parser refuses others and suggests similar ones.
  case oneOf([String])
  /// Any text; completion offers these words.
  case suggested([String])
  /// The path of a file.
  case file
  /// The path of a folder.
  case directory
  /// The name of something in the household; completion reads the names from there.
  case named(LiveNames)
  /// The words of a command; completion offers these topics too.
  case commands([HelpTopic])
  /// Search words and filters such as `category:dairy`; `-category:dairy` is then not an option.
  case filters
}

/// The names of a household that completion offers.
enum LiveNames: Sendable, Equatable {
  case item, entry, location, batch, receipt, product, shop, category, revision
  /// The archived, voided or bought things of another case.
  indirect case deleted(LiveNames)
}
