internal import LarderModel

/// The size of a package in a printed name: `1L`, `500 g`, `6x1,5L`.
struct PrintedSize {
  let quantity: Quantity
  /// The name without the size, and without shares such as `3,5%`.
  let rest: String

  /// Finds the last size in a name; nil if there is none.
  init?(in name: String) {
    var words = name.split(separator: " ").map(String.init)
    guard let place = words.indices.last(where: { Self.size(at: $0, in: words) != nil }),
      let (quantity, count) = Self.size(at: place, in: words)
    else { return nil }
    words.removeSubrange(place..<(place + count))
    self.quantity = quantity
    rest = Self.withoutShares(words.joined(separator: " "))
  }

  /// Returns a name without the words that are a share, such as `3,5%`.
  static func withoutShares(_ name: String) -> String {
    name.split(separator: " ").filter { !$0.hasSuffix("%") }.joined(separator: " ")
  }

  /// Returns the size that some words are, and their number: `500g`, or `500` and `g`.
  private static func size(at place: Int, in words: [String]) -> (Quantity, Int)? {
    if let quantity = measured(words[place]) { return (quantity, 1) }
    guard place + 1 < words.count, words[place].last?.isASCIIDigit ?? false,
      let quantity = measured(words[place] + words[place + 1])
    else { return nil }
    return (quantity, 2)
  }

  /// Reads a number with a unit of weight or volume behind it, and a number of packages before it.
  private static func measured(_ word: String) -> Quantity? {
    let letters = word.reversed().prefix { $0.isLetter }.reversed()
    guard !letters.isEmpty, letters.count < 3,
      case .unit(let unit, let factor)? = Measure(String(letters))
    else { return nil }
    let factors = word.dropLast(letters.count).lowercased().split(
      omittingEmptySubsequences: false
    ) { $0 == "x" || $0 == "×" || $0 == "*" }
    guard (1...2).contains(factors.count) else { return nil }
    var value = factor
    for part in factors {
      let plain = part.replacing(",", with: ".")
      guard part.first?.isASCIIDigit ?? false, let number = Number(String(plain)), number > .zero,
        let product = value.multiplied(by: number)
      else { return nil }
      value = product
    }
    return Number(value.rounded.description).map { Quantity($0, unit) }
  }
}
