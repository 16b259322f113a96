/// A run of a command: the parsed words, and the output.
///
/// Values are read with the constants that declare them. An undeclared one reads like a missing
/// one.
struct Invocation: Sendable {
  let root: Command
  let parsed: ParsedCommandLine
  let output: Output
  let prompt: Prompt
  let environment: Environment

  /// The names of the command with the program's, such as `["larder", "stock", "consume"]`.
  var path: [String] { parsed.node.path }

  /// The names of the command without the program's, such as `stock use`.
  var title: String { path.dropFirst().joined(separator: " ") }

  /// The word for a required or optional argument, otherwise its declared default.
  subscript(argument: Argument) -> String {
    given(argument)
      ?? {
        if case .optional(let standard?) = argument.arity { standard } else { "" }
      }()
  }

  /// Returns the word for an argument, or nil if there is none.
  func given(_ argument: Argument) -> String? { parsed.arguments[argument.name]?.first }

  /// Returns all words for an argument that takes several.
  func all(_ argument: Argument) -> [String] { parsed.arguments[argument.name] ?? [] }

  /// The value of an option, or nil if it is missing.
  subscript(option: Option) -> String? { parsed.options[option.name]?.first }

  /// Returns the values of a repeatable option, in their order.
  func all(_ option: Option) -> [String] { parsed.options[option.name] ?? [] }

  /// Whether a flag is set.
  func has(_ flag: Option) -> Bool { parsed.has(flag) }

  /// Returns the limit from an option, where 0 means no limit; nil if the option is missing.
  func most(_ option: Option) throws -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw unreadable(text, for: option.spelling, "a whole number from 0 on is needed")
    }
    return number == 0 ? .max : number
  }

  /// Returns this command's usage error for an invalid value.
  func unreadable(
    _ value: String, for name: String, _ reason: String, topic: HelpTopic? = nil
  ) -> UsageError {
    UsageError([.unreadable(value: value, name: name, reason: reason)], in: path, topic: topic)
  }
}
