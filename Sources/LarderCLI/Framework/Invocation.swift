/// A command being run: what was written, and where its output goes.
///
/// Values are asked with the constants that declare them. Asking for one that the command doesn't
/// declare gives the same as one that wasn't written.
struct Invocation: Sendable {
  let root: Command
  let parsed: ParsedCommandLine
  let output: Output
  let prompt: Prompt
  let environment: Environment

  /// The names of the command from the program's own: `["larder", "stock", "consume"]`.
  var path: [String] { parsed.node.path }

  /// The names of the command without the program's: `stock consume`.
  var title: String { path.dropFirst().joined(separator: " ") }

  /// The word for a required or optional argument, else what stands for it by its declaration.
  subscript(argument: Argument) -> String {
    given(argument)
      ?? {
        if case .optional(let standard?) = argument.arity { standard } else { "" }
      }()
  }

  /// The word for an argument, or nil where none was written.
  func given(_ argument: Argument) -> String? { parsed.arguments[argument.name]?.first }

  /// All the words for an argument that takes several.
  func all(_ argument: Argument) -> [String] { parsed.arguments[argument.name] ?? [] }

  /// The value of an option, or nil where it wasn't written.
  subscript(option: Option) -> String? { parsed.options[option.name]?.first }

  /// The values of a repeatable option, in the order written.
  func all(_ option: Option) -> [String] { parsed.options[option.name] ?? [] }

  /// Whether a flag was written.
  func has(_ flag: Option) -> Bool { parsed.has(flag) }

  /// How many an option asks for at most, 0 meaning all; nil where it wasn't written.
  func most(_ option: Option) throws -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw unreadable(text, for: option.spelling, "a whole number is needed")
    }
    return number == 0 ? .max : number
  }

  /// A usage error of this command, for a value that can't be read.
  func unreadable(_ value: String, for name: String, _ reason: String) -> UsageError {
    UsageError([.unreadable(value: value, name: name, reason: reason)], in: path)
  }
}
