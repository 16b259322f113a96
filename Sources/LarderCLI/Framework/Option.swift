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
  /// The default value if none of the allowed words follows; nil if a value is required.
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
    return "\(spelling) \(placeholder)"
  }

  /// The help with the allowed words, and whether the option may be repeated.
  var fullHelp: String {
    var notes: [String] = []
    if case .oneOf(let words) = values { notes.append("one of " + words.joined(separator: ", ")) }
    if let implied { notes.append("\(implied) if left out") }
    if isRepeatable { notes.append("may be repeated") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}
