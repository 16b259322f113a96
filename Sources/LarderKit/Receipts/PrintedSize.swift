internal import LarderModel

/// The size of a package in a printed name: `1L`, `500 g`, `6x1,5L`.
struct PrintedSize {
  let quantity: Quantity
  /// The number of things in the package: 6 in `6x1,5L`, otherwise 1.
  let pieces: Number
  /// The name without the size, and without shares such as `3,5%`.
  let rest: String

  /// Finds the last size in a name; nil if there is none.
  init?(in name: String) {
    var words = name.split(separator: " ").map(String.init)
    let sizes = words.indices.compactMap { Self.size(at: $0, in: words) }
    let last = sizes.max {
      ($0.words.upperBound, $0.words.count) < ($1.words.upperBound, $1.words.count)
    }
    guard let last else { return nil }
    words.removeSubrange(last.words)
    (quantity, pieces) = last.size
    rest = Self.withoutShares(words.joined(separator: " "))
  }

  /// Returns a name without the words that are a share, such as `3,5%`.
  static func withoutShares(_ name: String) -> String {
    name.split(separator: " ").filter { !$0.hasSuffix("%") }.joined(separator: " ")
  }

  private typealias Size = (quantity: Quantity, pieces: Number)

  /// Returns the size that begins at a word, and its words: `500g`, `500` and `g`, or `4x` and `150g`.
  private static func size(at place: Int, in words: [String]) -> (size: Size, words: Range<Int>)? {
    for end in (place + 1)...(place + 4) where end <= words.count {
      let some = words[place..<end]
      guard some.dropLast().allSatisfy(isOpen), let size = measured(some.joined()) else { continue }
      return (size, place..<end)
    }
    return nil
  }

  /// Whether a size may go on in the next word: after a number, or a sign of multiplication.
  private static func isOpen(_ word: String) -> Bool {
    guard let last = word.lowercased().last else { return false }
    return last.isASCIIDigit || signs.contains(last)
  }

  private static let signs: Set<Character> = ["x", "×", "*"]

  /// Reads a number with a unit of weight or volume behind it, and a number of packages before it.
  private static func measured(_ word: String) -> Size? {
    let letters = String(word.reversed().prefix { $0.isLetter }.reversed())
    guard !letters.isEmpty, letters.count < 3,
      case .unit(let unit, let factor)? = Measure(letters)
    else { return nil }
    let factors = word.dropLast(letters.count).lowercased()
      .split(omittingEmptySubsequences: false, whereSeparator: signs.contains)
    guard (1...2).contains(factors.count) else { return nil }
    var value = factor
    var numbers: [Number] = []
    for part in factors {
      let plain = part.replacing(",", with: ".")
      guard part.first?.isASCIIDigit ?? false, let number = Number(String(plain)), number > .zero,
        let product = value.multiplied(by: number)
      else { return nil }
      value = product
      numbers.append(number)
    }
    let pieces = numbers.count == 2 && numbers[0].isWhole ? numbers[0] : Number(1)
    return Number(value.rounded.description).map { (Quantity($0, unit), pieces) }
  }
}
