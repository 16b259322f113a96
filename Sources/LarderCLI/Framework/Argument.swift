/// A positional argument of a command.
///
/// Declared once as a constant, which is both part of the command's declaration and the key by which
/// its `Invocation` gives the words.
struct Argument: Sendable, Equatable {
  /// How many words the argument takes.
  enum Arity: Sendable, Equatable {
    case required
    /// At most one word; `standard` is what stands when there is none, for the help and the value.
    case optional(standard: String?)
    case zeroOrMore
    case oneOrMore
    /// Every word from here on as it is, options included; a leading `--` is dropped.
    case rest
  }

  /// The placeholder in usage lines, in capitals: `ITEM`.
  var name: String
  var arity: Arity
  var values: Values
  var help: String

  init(
    _ name: String, _ arity: Arity = .required, values: Values = .anything, help: String
  ) {
    self.name = name
    self.arity = arity
    self.values = values
    self.help = help
  }

  /// The least number of words that satisfies the argument.
  var minimumCount: Int {
    switch arity {
    case .required, .oneOrMore: 1
    case .optional, .zeroOrMore, .rest: 0
    }
  }

  /// The argument in a usage line: `ITEM`, `[N]`, `[ENTRY…]`.
  var usage: String {
    switch arity {
    case .required: name
    case .optional: "[\(name)]"
    case .zeroOrMore: "[\(name)…]"
    case .oneOrMore: "\(name)…"
    case .rest: "[--] [\(name)…]"
    }
  }

  /// The help with what stands for a missing word and the words allowed.
  var fullHelp: String {
    var notes: [String] = []
    if case .oneOf(let words) = values { notes.append("one of " + words.joined(separator: ", ")) }
    if case .optional(let standard?) = arity { notes.append("\(standard) if left out") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}
