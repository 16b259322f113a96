import LarderKit
import LarderModel

extension Listing {
  /// Returns the rows that match all filters; if no row has all of several plain words, those that
  /// have one of them.
  ///
  /// Throws a usage error with every invalid word.
  func choose(
    _ words: [String], from rows: [Row], in survey: Survey, for path: [String]
  ) throws(UsageError) -> [Row] {
    guard !words.isEmpty else { return rows }
    var problems: [UsageProblem] = []
    var tests: [(Row) -> Bool] = []
    var wordTests: [(Row) -> Bool] = []
    for filter in words.map(Filter.init) {
      switch test(filter, rows, survey) {
      case .success(let test):
        if case .word = filter.condition {
          wordTests.append(test)
        } else {
          tests.append { test($0) != filter.isNegated }
        }
      case .failure(let mistake): problems.append(mistake.problem)
      }
    }
    guard problems.isEmpty else {
      throw UsageError(problems, in: path, topic: WrittenForms.filters)
    }
    let matching = rows.filter { row in tests.allSatisfy { $0(row) } }
    let all = matching.filter { row in wordTests.allSatisfy { $0(row) } }
    guard all.isEmpty, wordTests.count > 1 else { return all }
    return matching.filter { row in wordTests.contains { $0(row) } }
  }

  /// Returns how the days without a year in filters are completed, if they are far away.
  func completedDays(
    in words: [String], _ rows: [Row], _ calendar: HouseholdCalendar
  ) -> [CompletedDay] {
    words.compactMap { word in
      guard case .field(let name, _, let operand) = Filter(word).condition,
        let field = field(name, in: rows),
        let sample = rows.lazy.map(field.value).first(where: { !$0.isNone })
      else { return nil }
      switch sample {
      case .day: return calendar.completed(operand)
      case .instant: return calendar.completed(operand, .back)
      default: return nil
      }
    }
  }

  /// Returns the rows sorted by a key, in reverse if the key begins or ends with `-`.
  func sort(_ rows: [Row], by key: String, for path: [String]) throws(UsageError) -> [Row] {
    let isReversed = key.hasPrefix("-") || key.hasSuffix("-")
    let name =
      key.hasPrefix("-") ? String(key.dropFirst()) : isReversed ? String(key.dropLast()) : key
    guard let field = field(name, in: rows) else {
      throw UsageError([unknown(name, for: "--sort", among: fieldNames)], in: path)
    }
    let keyed = rows.map { (row: $0, value: field.value($0)) }
    return keyed.enumerated().sorted { one, other in
      let (left, right) = (one.element.value, other.element.value)
      if left.isNone != right.isNone { return !left.isNone }
      if FilterValue.precedes(left, right) { return !isReversed }
      if FilterValue.precedes(right, left) { return isReversed }
      return one.offset < other.offset
    }.map(\.element.row)
  }

  private func unknown(
    _ name: String, for place: String, among names: [String]
  ) -> UsageProblem {
    .notAmong(
      value: name, name: place, choices: fields.map { $0.names[0] },
      suggestions: suggestions(for: name, among: names))
  }

  private func test(
    _ filter: Filter, _ rows: [Row], _ survey: Survey
  ) -> Result<(Row) -> Bool, FilterMistake> {
    switch filter.condition {
    case .word(let word):
      let wanted = fold(word)
      return .success { row in
        searched.texts(row, survey).contains { $0.map { fold($0).contains(wanted) } ?? false }
      }
    case .state(let name):
      if let state = states.first(where: { $0.name == name }) { return .success(state.holds) }
      return .failure(
        FilterMistake(
          problem: .notAmong(
            value: name, name: "is", choices: states.map(\.name),
            suggestions: suggestions(for: name, among: states.map(\.name)))))
    case .field(let name, let comparison, let operand):
      guard let field = field(name, in: rows) else {
        return .failure(FilterMistake(problem: unknown(name, for: filter.typed, among: fieldNames)))
      }
      return field.test(comparison, operand, rows, survey, typed: filter.typed)
    }
  }
}

extension Column {
  /// Returns the test for a filter such as `field:>operand`.
  func test(
    _ comparison: Filter.Comparison, _ operand: String, _ rows: [Row],
    _ survey: Survey, typed: String
  ) -> Result<(Row) -> Bool, FilterMistake> {
    if operand.isEmpty, comparison == .equal { return .success { value($0).isNone } }
    let values = rows.map(value)
    guard let sample = values.first(where: { !$0.isNone }) else { return .success { _ in false } }
    let comparing = Comparing(comparison: comparison, operand: operand, survey: survey)
    if let reason = comparing.mistake(with: sample) {
      return .failure(
        FilterMistake(problem: .unreadable(value: operand, name: typed, reason: reason)))
    }
    // As with names, a full match takes precedence over a part.
    let exact = values.contains { comparing.isExactly($0) }
    return .success { row in
      let value = value(row)
      return exact ? comparing.isExactly(value) : comparing.holds(value)
    }
  }
}

/// A mistake in a filter's word.
struct FilterMistake: Error {
  var problem: UsageProblem
}

/// The comparison of a field's value with the typed operand.
private struct Comparing {
  let comparison: Filter.Comparison
  let operand: String
  let survey: Survey
  private var calendar: HouseholdCalendar { survey.calendar }

  /// Returns the reason why the operand can't be compared with such values, or nil.
  func mistake(with value: FilterValue) -> String? {
    switch value {
    case .none: return nil
    case .text, .texts:
      return comparison == .equal ? nil : "texts can't be compared with \(comparison.rawValue)"
    case .number, .quantity:
      do throws(TypedQuantity.Mistake) {
        _ = try TypedQuantity(operand)
        return nil
      } catch {
        return error.reason
      }
    case .day, .instant:
      do throws(DayMistake) {
        _ = try calendar.day(reading: operand, direction(of: value))
        return nil
      } catch {
        return HouseholdCalendar.reason(error)
      }
    case .flag: return truth == nil ? "yes or no is needed" : nil
    }
  }

  /// Whether a text equals the operand, instead of only containing it.
  func isExactly(_ value: FilterValue) -> Bool {
    guard comparison == .equal else { return false }
    let wanted = fold(operand)
    switch value {
    case .text(let text): return fold(text) == wanted
    case .texts(let texts): return texts.contains { fold($0) == wanted }
    default: return false
    }
  }

  func holds(_ value: FilterValue) -> Bool {
    switch value {
    case .none: return false
    case .text(let text): return fold(text).contains(fold(operand))
    case .texts(let texts): return texts.contains { fold($0).contains(fold(operand)) }
    case .number(let number):
      return (try? TypedQuantity(operand)).map { compare(number, $0.value) } ?? false
    case .quantity(let quantity): return compare(quantity)
    case .day(let day): return compare(day, as: value)
    case .instant(let instant): return compare(calendar.day(of: instant), as: value)
    case .flag(let flag): return flag == truth
    }
  }

  private var truth: Bool? {
    switch fold(operand) {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  private func compare(_ quantity: Quantity) -> Bool {
    guard let typed = try? TypedQuantity(operand) else { return false }
    let wanted = Quantity(typed.value, typed.unit ?? quantity.unit)
    guard
      let other = survey.household.counted(wanted, in: quantity.unit).converted(to: quantity.unit)
    else { return false }
    return compare(quantity.value, other)
  }

  private func compare(_ day: Day, as value: FilterValue) -> Bool {
    guard let other = calendar.day(typed: operand, direction(of: value)) else { return false }
    return compare(day, other)
  }

  /// The direction in which days are looked for: ahead for batches, back for past events.
  private func direction(of value: FilterValue) -> HouseholdCalendar.Direction {
    if case .day = value { .ahead } else { .back }
  }

  private func compare<Value: Comparable>(_ one: Value, _ other: Value) -> Bool {
    switch comparison {
    case .atLeast: one >= other
    case .atMost: one <= other
    case .above: one > other
    case .below: one < other
    case .equal: one == other
    }
  }
}
