import LarderModel

extension Barcode {
  /// What is wrong with a number whose check digit is: `its check digit would be 1, not 0`.
  var mistake: String { "its check digit would be \(checkDigit), not \(lastDigit)" }

  /// The error for a number that is to be written down and can't be a barcode.
  func refusal(of typed: String) -> CommandError {
    CommandError(
      .usage, "\(typed) is no barcode: \(mistake)",
      hints: ["it may be mistyped; \(Self.advice)"])
  }

  /// What to do about a number whose check digit is wrong.
  static let advice = "scan it again, or read it off the package"
}
