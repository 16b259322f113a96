import LarderModel

extension Barcode {
  /// The sentence about a wrong check digit, such as `its check digit would be 1, not 0`.
  var mistake: String { "its check digit would be \(checkDigit), not \(lastDigit)" }

  /// The hint for a wrong check digit.
  static let advice = "scan it again, or read it off the package"
}
