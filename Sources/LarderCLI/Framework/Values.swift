/// What an argument or an option's value may be, for the parser and for shell completion.
enum Values: Sendable, Equatable {
  /// Any text; nothing to complete.
  case anything
  /// One of these words; the parser refuses others and suggests the nearest.
  case oneOf([String])
  /// A path of a file.
  case file
  /// A path of a folder.
  case directory
  /// A name of something in the household, such as `stock`, to be asked from it at completion.
  case named(String)
  /// Search words and filters such as `category:dairy`, so that `-category:dairy` is no option.
  case filters
}
