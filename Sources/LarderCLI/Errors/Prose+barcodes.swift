import LarderModel

extension Barcode {
  /// What is wrong with a number whose check digit is: `its check digit would be 1, not 0`.
  var mistake: String { "its check digit would be \(checkDigit), not \(lastDigit)" }

  /// What to do about a number whose check digit is wrong.
  static let advice = "scan it again, or read it off the package"
}
