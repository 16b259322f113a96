import LarderModel

/// A positional argument of a command.
///
/// It is declared once as a constant. The constant is part of the command's declaration and also
/// the key for the words in an `Invocation`.
struct Argument: Sendable, Equatable {
  /// The number of words that the argument takes.
  enum Arity: Sendable, Equatable {
    case required
    /// At most one word; `standard` is the default, for the value and the help.
    case optional(standard: String?)
    case zeroOrMore
    case oneOrMore
    /// All remaining words unchanged, including options; a leading `--` is dropped.
    case rest
  }

  /// The placeholder in usage lines, in capitals, such as `ITEM`.
  var name: String
  var arity: Arity
  var values: Values
  var help: String
  /// The fields of the filters; some people type them as options.
  var fields: [String] = []
  /// The states of the filters; some people type them as options.
  var states: [String] = []

  init(_ name: String, _ arity: Arity = .required, values: Values = .anything, help: String) {
    self.name = name
    self.arity = arity
    self.values = values
    self.help = help
  }

  /// The smallest number of words that the argument accepts.
  var minimumCount: Int {
    switch arity {
    case .required, .oneOrMore: 1
    case .optional, .zeroOrMore, .rest: 0
    }
  }

  /// A copy for commands that restore things; completion offers deleted ones.
  var ofDeleted: Argument {
    guard case .named(.all(let kind)) = values else { return self }
    var copy = self
    copy.values = .named(.deleted(kind))
    return copy
  }

  /// Whether the argument is one name in the household, which may have several words.
  var isOneName: Bool {
    guard case .named = values else { return false }
    switch arity {
    case .required, .optional: return true
    case .zeroOrMore, .oneOrMore, .rest: return false
    }
  }

  /// The argument in a usage line, such as `ITEM`, `[N]` or `[ENTRY…]`.
  var usage: String {
    switch arity {
    case .required: name
    case .optional: "[\(name)]"
    case .zeroOrMore: "[\(name)…]"
    case .oneOrMore: "\(name)…"
    case .rest: "[--] [\(name)…]"
    }
  }

  /// The help with the default and the allowed words.
  var fullHelp: String {
    if case .optional(let standard?) = arity {
      return values.explained(help, ["\(standard) if left out"])
    }
    return values.explained(help)
  }
}

/// An option of a command: a flag, or one with a value.
///
/// It is declared once as a constant. The constant is part of the command's declaration and also
/// the key for the values in an `Invocation`.
struct Option: Sendable, Equatable {
  /// The long name without its dashes.
  var name: String
  var short: Character?
  /// The value's name in help, in capitals; nil for a flag.
  var placeholder: String?
  var values: Values
  /// Whether it may be given several times, with different values.
  var isRepeatable: Bool
  /// The default value if none of the allowed words follows, empty for no value; nil if a value is
  /// required.
  var implied: String?
  /// Whether an empty value is allowed; its help says what that means.
  var takesEmpty: Bool
  /// Whether the next word is the value even if it begins with a hyphen, as in `--sort -expiry`.
  var takesHyphen: Bool
  /// Whether `-5` is this option with the value 5, as in git.
  var isBareNumber: Bool
  var help: String

  /// Declares an option with a value, or a flag if there is no placeholder.
  init(
    _ name: String, short: Character? = nil, value placeholder: String? = nil,
    values: Values = .anything, implied: String? = nil, isRepeatable: Bool = false,
    takesEmpty: Bool = false, takesHyphen: Bool = false, isBareNumber: Bool = false, help: String
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.values = values
    self.implied = implied
    self.isRepeatable = isRepeatable
    self.takesEmpty = takesEmpty
    self.takesHyphen = takesHyphen
    self.isBareNumber = isBareNumber
    self.help = help
  }

  var isFlag: Bool { placeholder == nil }

  /// The long form, such as `--unit`.
  var spelling: String { "--\(name)" }

  /// The long form with the value's placeholder, such as `--unit U`.
  var usage: String {
    guard let placeholder else { return spelling }
    return implied == "" ? "\(spelling) [\(placeholder)]" : "\(spelling) \(placeholder)"
  }

  /// The help with the allowed words, and whether the option may be repeated.
  var fullHelp: String {
    let standard = implied.flatMap { $0.isEmpty ? nil : "\($0) if left out" }
    let notes = [standard, isRepeatable ? "may be repeated" : nil]
    return values.explained(help, notes.compactMap(\.self))
  }
}

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

  /// Returns a help with the allowed words and other notes behind it.
  fileprivate func explained(_ help: String, _ notes: [String] = []) -> String {
    var notes = notes
    if case .oneOf(let words) = self {
      notes.insert("one of " + words.joined(separator: ", "), at: 0)
    }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}

/// The names of a household that completion offers.
enum LiveNames: Sendable, Equatable {
  /// The entities of a kind, or those of them that are archived, void or bought.
  case all(Kind), deleted(Kind)
  case shop, category, revision

  static let item = LiveNames.all(.stockItem)
  static let batch = LiveNames.all(.inventoryItem)
}

/// The options that every command understands, before or after its name.
enum GlobalOption {
  static let directory = Option(
    "directory", short: "C", value: "DIR", values: .directory,
    help: "work in the household at DIR instead of the current folder")
  static let json = Option("json", help: "print one JSON object")
  static let plain = Option("plain", help: "print tab-separated records, see 'larder help plain'")
  static let noColor = Option("no-color", help: "print without colours")
  static let noPager = Option(
    "no-pager", short: "P", help: "print long output without the pager, which is git's")
  static let noInput = Option("no-input", help: "never ask; fail if an answer is needed")
  static let yes = Option("yes", short: "y", help: "answer every question with yes")
  static let verbose = Option(
    "verbose",
    help: "say on standard error what each layer does; LARDER_LOG=git,http chooses layers")
  static let help = Option("help", short: "h", help: "show help for the command")
  static let version = Option("version", short: "V", help: "show the version")

  /// Returns the folder of `-C` in words that are not parsed yet.
  static func folder(in words: [String]) -> String? {
    let place = words.firstIndex { ["-C", directory.spelling].contains($0) }
    return place.flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
  }

  /// All global options, in the order of the help.
  static let all = [
    directory, json, plain, noColor, noPager, noInput, yes, verbose, help, version,
  ]
}
