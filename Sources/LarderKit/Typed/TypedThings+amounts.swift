internal import LarderModel

extension TypedThings {
  func leadingAmount(_ words: [String]) -> Amount? {
    guard words.count > 1, names.fullName(at: 0, in: words) == 0 else { return nil }
    return amount(at: 0, in: words, of: [])
  }

  /// Returns the amount in a single word such as `milk 2l`; nil if there is none.
  ///
  /// An amount without a unit counts only after a known name.
  func amountInside(_ word: String) -> (name: String, amount: Amount)? {
    let words = word.split(separator: " ").map(String.init)
    guard words.count > 1, !names.hasFull(word) else { return nil }
    for index in 1..<words.count {
      let name = words[..<index].joined(separator: " ")
      guard let amount = amount(at: index, in: words, of: [name]),
        index + amount.count == words.count
      else { continue }
      guard case .success(.quantity(let quantity)) = amount.value, quantity.unit == nil else {
        return (name, amount)
      }
      return names.hasFull(name) ? (name, amount) : nil
    }
    return nil
  }

  /// Returns the amount that begins at a word; nil if none does.
  func amount(at index: Int, in words: [String], of run: [String]) -> Amount? {
    let word = words[index]
    guard !Self.isCode(word) else { return nil }
    let rest = words[index...].prefix(5)
    for count in stride(from: rest.count, through: 1, by: -1) {
      let written = rest.prefix(count).joined(separator: " ")
      guard let amount = try? TypedAmount(written), isUsual(amount, written, of: run) else {
        continue
      }
      if count > 1, !isUnitOrNumber(Array(rest.prefix(count)), of: run) { continue }
      if AmountScanner.numberWords[fold(word)] != nil, count == 1, !run.isEmpty,
        index < words.count - 1
      {
        return nil
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
      case .noNumber, .unknownUnit: return nil
      }
    }
    return nil
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
    if last.first.map({ !$0.isLetter }) ?? true || fold(last) == "x" { return true }
    if words.count == 2, ["half", "a"].contains(fold(words[0])), ["a", "half"].contains(fold(last))
    {
      return true
    }
    guard names.hasFull(last) else { return true }
    return names.unit(of: run.joined(separator: " ")).map { $0 == Unit(typed: last) } ?? false
  }
}
