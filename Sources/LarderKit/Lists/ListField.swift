import LarderModel

/// A field of a list: what filters and sort keys call it, and its value in each row.
public struct ListField<Row>: Sendable {
  /// The format's name, then other names; case and accents make no difference.
  public let names: [String]
  /// A remark for who has not met the field yet.
  public let remark: String?
  public let value: @Sendable (Row) -> ListValue

  init(_ names: String..., remark: String? = nil, value: @escaping @Sendable (Row) -> ListValue) {
    self.names = names
    self.remark = remark
    self.value = value
  }

  /// Returns whether the field has a name.
  public func has(_ name: String) -> Bool {
    let wanted = fold(name)
    return names.contains { fold($0) == wanted }
  }

  /// Returns the test for a filter such as `field:>operand`.
  func test(
    _ comparison: Filter.Comparison, _ operand: String, _ rows: [Row], _ survey: Survey,
    typed: String
  ) throws(ListMistake) -> (Row) -> Bool {
    if operand.isEmpty, comparison == .equal { return { value($0).isNone } }
    let values = rows.map(value)
    guard let sample = values.first(where: { !$0.isNone }) else { return { _ in false } }
    let comparing = Comparing(comparison, operand, survey)
    if let reason = comparing.mistake(with: sample) {
      throw ListMistake(word: typed, value: operand, reason: reason)
    }
    // As with names, a full match takes precedence over a part.
    let exact = values.contains { comparing.isExactly($0) }
    return { row in
      let value = value(row)
      return exact ? comparing.isExactly(value) : comparing.holds(value)
    }
  }
}

/// The comparison of a field's values with the typed operand.
private struct Comparing {
  let comparison: Filter.Comparison
  let household: Household
  let calendar: HouseholdCalendar
  /// The operand as each kind of value has it.
  private let text: String
  private let quantity: Result<TypedQuantity, TypedQuantity.Mistake>
  private let coming: Result<Day, DayMistake>
  private let past: Result<Day, DayMistake>
  private let truth: Bool?

  init(_ comparison: Filter.Comparison, _ operand: String, _ survey: Survey) {
    self.comparison = comparison
    household = survey.household
    let calendar = survey.calendar
    self.calendar = calendar
    text = fold(operand)
    quantity = Result { () throws(TypedQuantity.Mistake) in try TypedQuantity(operand) }
    // Days are looked for ahead for batches, and back for past events.
    coming = Result { () throws(DayMistake) in try calendar.day(reading: operand, .ahead) }
    past = Result { () throws(DayMistake) in try calendar.day(reading: operand, .back) }
    truth = ["yes": true, "true": true, "1": true, "no": false, "false": false, "0": false][text]
  }

  /// Returns the reason why the operand can't be compared with such values, or nil.
  func mistake(with value: ListValue) -> ListMistake.Reason? {
    switch value {
    case .none: nil
    case .text, .texts: comparison == .equal ? nil : .textsDiffer(comparison)
    case .number, .quantity: quantity.mistake.map { .badQuantity($0) }
    case .day: coming.mistake.map { .badDay($0) }
    case .instant: past.mistake.map { .badDay($0) }
    case .flag: truth == nil ? .notYesOrNo : nil
    }
  }

  /// Whether a text equals the operand, instead of only containing it.
  func isExactly(_ value: ListValue) -> Bool {
    guard comparison == .equal else { return false }
    switch value {
    case .text(let other): return fold(other) == text
    case .texts(let others): return others.contains { fold($0) == text }
    default: return false
    }
  }

  func holds(_ value: ListValue) -> Bool {
    switch value {
    case .none: false
    case .text(let other): fold(other).contains(text)
    case .texts(let others): others.contains { fold($0).contains(text) }
    case .number(let number): compare(number, quantity.value?.value)
    case .quantity(let other): compare(other.value, number(in: other.unit))
    case .day(let day): compare(day, coming.value)
    case .instant(let instant): compare(calendar.day(of: instant), past.value)
    case .flag(let flag): flag == truth
    }
  }

  /// Returns the number of the operand in a unit, which it has if it names none.
  private func number(in unit: Unit) -> Number? {
    quantity.value.flatMap { typed in
      household.counted(Quantity(typed.value, typed.unit ?? unit), in: unit).converted(to: unit)
    }
  }

  private func compare<Value: Comparable>(_ one: Value, _ other: Value?) -> Bool {
    guard let other else { return false }
    return switch comparison {
    case .atLeast: one >= other
    case .atMost: one <= other
    case .above: one > other
    case .below: one < other
    case .equal: one == other
    }
  }
}

extension Result {
  fileprivate var value: Success? { if case .success(let value) = self { value } else { nil } }
  fileprivate var mistake: Failure? { if case .failure(let error) = self { error } else { nil } }
}
