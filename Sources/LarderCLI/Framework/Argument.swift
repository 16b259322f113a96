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

  init(
    _ name: String, _ arity: Arity = .required, values: Values = .anything, help: String
  ) {
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
    var notes: [String] = []
    if case .oneOf(let words) = values { notes.append("one of " + words.joined(separator: ", ")) }
    if case .optional(let standard?) = arity { notes.append("\(standard) if left out") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}
