internal import LarderModel

extension TypedThings {
  func leadingAmount(_ words: [String]) -> Amount? {
    guard words.count > 1, names.fullName(at: 0, in: words) == 0 else { return nil }
    return amount(at: 0, in: words, of: [])
  }

  /// A name with an amount before or behind it, in the words of one thing.
  struct Counted {
    let name: String
    let amount: Amount
    let isLeading: Bool
    /// Whether the amount is a mere number, and nobody knows the name; then it may belong to it.
    let isUnsure: Bool
  }

  /// Returns the name and the amount in the words of one thing, such as `milk 2l`, `3 eggs` or
  /// `3 cans of beans`; nil if they have no amount.
  func counted(_ words: [String]) -> Counted? {
    guard words.count > 1, !names.hasFull(words.joined(separator: " ")) else { return nil }
    if let leading = leadingCount(words) { return leading }
    for index in 1..<words.count {
      let name = words[..<index].joined(separator: " ")
      guard let amount = amount(at: index, in: words, of: [name]),
        index + amount.count == words.count
      else { continue }
      // `Free for all` is a name.
      if case .success(.all) = amount.value, !names.hasFull(name) { return nil }
      return Counted(
        name: name, amount: amount, isLeading: false,
        isUnsure: amount.isBare && !names.hasFull(name))
    }
    return nil
  }

  private func leadingCount(_ words: [String]) -> Counted? {
    guard names.fullName(at: 0, in: words) == 0, var amount = amount(at: 0, in: words, of: [])
    else { return nil }
    if amount.count == words.count, case .success(.quantity(let quantity)) = amount.value,
      case .own? = quantity.unit
    {
      // `8 rolls` is 8 of rolls.
      amount = self.amount(at: 0, in: words.dropLast(), of: []) ?? amount
    }
    if case .success(.all) = amount.value { return nil }
    let of = ofLength(words, at: amount.count)
    let name = words.dropFirst(amount.count + of).joined(separator: " ")
    return Counted(
      name: name, amount: amount, isLeading: true,
      isUnsure: amount.isBare && of == 0 && !names.hasFull(name))
  }

  /// Returns the number of words such as `of` or `of the` at an index, between an amount and a name.
  func ofLength(_ words: [String], at index: Int) -> Int {
    guard index < words.count - 1, ["of", "de", "von", "vom"].contains(fold(words[index])) else {
      return 0
    }
    return index + 1 < words.count - 1 && Self.articles.contains(fold(words[index + 1])) ? 2 : 1
  }

  private static let articles: Set<String> = [
    "a", "an", "the", "my", "our", "der", "dem", "den", "einem", "einer",
  ]

  /// Returns the amount that begins at a word; nil if none does.
  func amount(at index: Int, in words: [String], of run: [String]) -> Amount? {
    let word = words[index]
    guard !Self.isCode(word), Self.inOneLength(at: index, in: words) == 0 else { return nil }
    if let sum = Self.sum(at: index, in: words) {
      return Amount(written: sum, count: sum.contains(" ") ? 2 : 1, value: .failure(.price(sum)))
    }
    let rest = words[index...].prefix(5)
    for count in stride(from: rest.count, through: 1, by: -1) {
      let written = rest.prefix(count).joined(separator: " ")
      guard let amount = try? TypedAmount(written), isUsual(amount, written, of: run) else {
        continue
      }
      if count > 1,
        !isUnitOrNumber(Array(rest.prefix(count)), of: run)
          || names.name(at: index + count - 1, in: words) > 0
      {
        continue
      }
      let isLast = index + count == words.count
      // A word for a number between two names may belong to either.
      if count == 1, NumberWords.isWhole(word), !run.isEmpty, !isLast { return nil }
      // A `third floor lamp` is not a third of one.
      if NumberWords.isBarePart(rest[index + count - 1]), count == 1 || !isLast,
        ofLength(words, at: index + count) == 0
      {
        continue
      }
      return Amount(written: written, count: count, value: .success(amount))
    }
    // A word that begins with a number is meant as an amount, even if it can't be read.
    guard word.first.map({ $0.isNumber }) ?? false, !run.isEmpty || index == 0 else { return nil }
    do throws(TypedQuantity.Mistake) {
      _ = try TypedAmount(word)
    } catch {
      switch error {
      case .comma, .tooManyDigits: return Amount(written: word, count: 1, value: .failure(error))
      case .unknownUnit where word.contains(" ") && !run.isEmpty:
        return Amount(written: word, count: 1, value: .failure(error))
      case .noNumber, .unknownUnit, .vague, .price: return nil
      }
    }
    return nil
  }

  /// Returns the number of words of `3 in 1`, which is no amount but the beginning of a name, around
  /// or at an index; 0 for other words.
  static func inOneLength(at index: Int, in words: [String]) -> Int {
    func isNumber(_ index: Int) -> Bool {
      words.indices.contains(index)
        && (words[index].allSatisfy { $0.isASCII && $0.isNumber }
          || NumberWords.reading([words[index]]) != nil)
    }
    for start in [index, index - 2]
    where isNumber(start) && isNumber(start + 2) && fold(words[start + 1]) == "in" { return 3 }
    return 0
  }

  /// Whether a word is a share such as `3.5%`, which is a part of a name.
  static func isShare(_ word: String) -> Bool {
    word.last == "%" && word.dropLast().first?.isNumber ?? false
      && word.dropLast().allSatisfy { $0.isASCII && $0.isNumber || ".,".contains($0) }
  }

  /// Returns the sum of money at an index, such as `2.29€` or `2.29 €`; nil if there is none.
  private static func sum(at index: Int, in words: [String]) -> String? {
    let two = words[index...].prefix(2)
    for sum in [words[index], two.joined(separator: " ")]
    where sum.contains(where: \.isCurrencySymbol) && sum.contains(where: \.isNumber)
      && two.first?.contains(where: \.isLetter) == false && (try? TypedMoney(sum)) != nil
    {
      return sum
    }
    return nil
  }

  /// Returns the words with those of `3.5% milk` and `3 in 1 oil` as one, as they are no amounts.
  ///
  /// A share is a part of the name behind it, or of the one before it if none is behind.
  func glued(_ words: [String]) -> [String] {
    var glued: [String] = []
    var index = 0
    while index < words.count {
      let isShare = Self.isShare(words[index])
      let length =
        isShare ? 1 : words[index].contains(" ") ? 0 : Self.inOneLength(at: index, in: words)
      guard length > 0, index + length <= words.count, names.name(at: index, in: words) == 0 else {
        glued.append(words[index])
        index += 1
        continue
      }
      var end = index + length
      if end < words.count, words[end].first?.isLetter ?? false,
        amount(at: end, in: words, of: []) == nil
      {
        end += max(1, names.name(at: end, in: words))
      } else if isShare {
        let before = (1...max(1, glued.count)).reversed().first { count in
          names.hasFull(glued.suffix(count).joined(separator: " "))
        }
        let name = glued.suffix(before ?? 1).joined(separator: " ")
        glued.removeLast(min(glued.count, before ?? 1))
        glued.append((name.isEmpty ? "" : name + " ") + words[index])
        index = end
        continue
      }
      glued.append(words[index..<end].joined(separator: " "))
      index = end
    }
    return glued
  }

  /// Splits words at each word such as `and` that is not part of a known name or of an amount.
  func separated(_ words: [String]) -> [[String]] {
    guard words.contains(where: Self.isSeparator), !names.hasFull(words.joined(separator: " "))
    else { return [words] }
    var parts: [[String]] = [[]]
    for (index, word) in words.enumerated() {
      if Self.isSeparator(word), !names.hasName(over: index, in: words),
        !isInAmount(index, of: words)
      {
        parts.append([])
      } else {
        parts[parts.count - 1].append(word)
      }
    }
    parts.removeAll(where: \.isEmpty)
    let isName = parts.allSatisfy { part in
      guard part[0].first?.isLetter ?? false,
        case .quantity(let quantity)? = try? TypedAmount(part.joined(separator: " "))
      else { return false }
      return quantity.unit == nil
    }
    // `half and half` is not two halves of nothing.
    return isName ? [[words.joined(separator: " ")]] : parts
  }

  /// Words and signs between two things.
  private static let separators: Set<String> = ["and", "und", "et", "y", "&", "+"]

  static func isSeparator(_ word: String) -> Bool {
    word.utf8.count <= 3 && separators.contains(fold(word))
  }

  /// Whether the word at an index joins the parts of a number, as in `2 and a half`.
  private func isInAmount(_ index: Int, of words: [String]) -> Bool {
    guard index > 0, index + 1 < words.count else { return false }
    let number = words[(index - 1)..<min(index + 3, words.count)].joined(separator: " ")
    return (try? TypedAmount(words[index - 1])) != nil && (try? TypedAmount(number)) != nil
  }

  /// Whether a word is a code such as a barcode, which looks like a number.
  static func isCode(_ word: String) -> Bool {
    (8...14).contains(word.utf8.count) && word.utf8.allSatisfy { (48...57).contains($0) }
  }

  /// Whether an amount has a usual unit: a common one, or one of the household's own.
  ///
  /// A word with another unit is part of a name, such as `60W`. After a full name, a single word
  /// may have any unit.
  private func isUsual(_ amount: TypedAmount, _ written: String, of run: [String]) -> Bool {
    guard case .quantity(let quantity) = amount, case .own(let name)? = quantity.unit else {
      return true
    }
    return TypedUnit.isKnown(name) || names.hasUnit(name)
      || names.hasFull(run.joined(separator: " "))
        && !written.contains(" ")
  }

  /// Whether the words after an amount's first word belong to it.
  ///
  /// They belong if they are more of the number, or a unit that is not the name of a thing.
  private func isUnitOrNumber(_ words: [String], of run: [String]) -> Bool {
    guard let last = words.last else { return true }
    if let reading = NumberWords.reading(words), reading.count == words.count { return true }
    if last.first.map({ !$0.isLetter }) ?? true || fold(last) == "x" { return true }
    guard names.hasFull(last) else { return true }
    return names.unit(of: run.joined(separator: " ")).map { $0 == Unit(typed: last) } ?? false
  }
}

extension TypedAmount {
  /// Whether it has no unit, or a common one.
  var hasKnownUnit: Bool {
    guard case .quantity(let quantity) = self, case .own(let name)? = quantity.unit else {
      return true
    }
    return TypedUnit.isKnown(name)
  }
}

extension TypedThings.Amount {
  /// Whether it is a mere number, without a unit, an `x` or an article.
  fileprivate var isBare: Bool {
    guard case .success(.quantity(let quantity)) = value, quantity.unit == nil else { return false }
    let word = fold(written)
    return !["a", "an"].contains(word) && !word.hasPrefix("x") && !word.hasSuffix("x")
      && !word.contains("×")
  }
}
