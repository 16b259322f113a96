import LarderKit

extension Invocation {
  /// Returns the quantity in the words after a name; nil if there are none.
  ///
  /// Its unit is the typed one, or that of `--unit`.
  func quantity(
    _ argument: Argument, behind name: Argument, _ unit: Option
  ) throws -> TypedQuantity? {
    let words = all(argument)
    guard !words.isEmpty else { return nil }
    let text = words.joined(separator: " ")
    do throws(TypedQuantity.Mistake) {
      _ = try TypedQuantity(text)
    } catch .noNumber, .unknownUnit {
      throw ErrorWords(
        .usage, "\(argument.name): \(TypedQuantity.Mistake.noNumber.reason), found '\(text)'",
        quoting(behind: name, words))
    } catch {}
    return try quantity(text, for: argument.name, unit)
  }

  /// Returns the hint about a name that has to be in quotes, and an amount behind it.
  ///
  /// Only a new name is typed out, as it may be anything; others are found among what is there.
  private func quoting(behind name: Argument, _ words: [String]) -> String {
    let needed = "a name of several words needs quotes, and the amount stands behind it"
    guard !name.isOneName else { return needed }
    let all = [self[name]] + words
    func isAmount(_ words: ArraySlice<String>) -> Bool {
      (try? TypedQuantity(words.joined(separator: " "))) != nil
    }
    // In `2kg rice`, the amount comes first; `7 Up` begins with a capital, and may be a name.
    let first = (1..<all.count).last { isAmount(all[..<$0]) && all[$0].first?.isLowercase ?? false }
    let last = all.indices.dropFirst().first { isAmount(all[$0...]) }
    let named = first.map { all[$0...] } ?? all[..<(last ?? all.endIndex)]
    let amount = first.map { all[..<$0] } ?? all[(last ?? all.endIndex)...]
    let line = path + [shellWord(named.joined(separator: " "))] + amount
    return "\(needed): '\(line.joined(separator: " "))'"
  }

  /// Returns a text's quantity, with the typed unit or that of `--unit`.
  func quantity(_ text: String, for name: String, _ unitOption: Option) throws -> TypedQuantity {
    var quantity = try typed(text, for: name)
    guard let unit = try self.unit(unitOption) else { return quantity }
    guard quantity.unit == nil || quantity.unit == unit else {
      throw unreadable(text, for: name, "\(unitOption.usage) says \(unit.shortName)")
    }
    quantity.unit = unit
    return quantity
  }

  /// Returns a text's quantity.
  func typed(_ text: String, for name: String) throws -> TypedQuantity {
    try mapError(try TypedQuantity(typed: text)) { (mistake: TypedQuantity.Mistake) in
      unreadable(text, for: name, mistake.reason, topic: Topics.amounts)
    }
  }

  /// Returns the unit of an option, or nil if the option is missing.
  func unit(_ option: Option) throws -> Unit? {
    try value(option, "one of \(Unit.choices) is needed") { Unit(typed: $0) }
  }

  /// Returns the number of days in an option's text.
  func days(_ text: String, for option: Option) throws -> Number {
    guard let days = HouseholdCalendar.length(typed: text) else {
      throw unreadable(
        text, for: option.spelling, "a number of days is needed, as in 7, 7d, 3w or 6m")
    }
    return Number(days)
  }

  /// Returns the whole number in a text; `noun` says what it is, for messages.
  func number(
    _ text: String, for name: String, in range: ClosedRange<Int>, _ noun: String = "a whole number"
  ) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw unreadable(
        text, for: name, "\(noun) from \(range.lowerBound) to \(range.upperBound) is needed")
    }
    return number
  }

  /// Returns how many days ahead an option's text, or another one, says; nil if both are missing.
  func daysAhead(_ option: Option, or text: String? = nil) throws -> Int? {
    try (self[option] ?? text).map {
      try number($0, for: option.spelling, in: Self.daysAhead, "a whole number of days")
    }
  }

  /// The numbers of days for which lists look ahead.
  static let daysAhead = 0...36_500

  /// Returns an option's whole number, which is at least 1, or nil if the option is missing.
  func count(_ option: Option) throws -> Int? {
    try value(option, "a whole number from 1 on is needed") { text in
      Int(text).flatMap { $0 > 0 ? $0 : nil }
    }
  }

  /// Reads a typed day; `whole` is what it is a part of, for messages.
  func day(
    _ text: String, for name: String, _ calendar: HouseholdCalendar,
    _ direction: HouseholdCalendar.Direction = .ahead, in whole: String? = nil
  ) throws(UsageError) -> Day {
    do throws(DayMistake) {
      let day = try calendar.day(reading: text, direction)
      if let completed = calendar.completed(text, direction) { output.warn(completed.words) }
      return day
    } catch {
      throw unreadable(
        whole ?? text, for: name, HouseholdCalendar.reason(error), topic: Topics.dates)
    }
  }

  /// Returns the day of an option; nil if the option is missing.
  func day(
    _ option: Option, _ calendar: HouseholdCalendar, _ direction: HouseholdCalendar.Direction
  ) throws -> Day? {
    try self[option].map { try day($0, for: option.spelling, calendar, direction) }
  }
}

extension CompletedDay {
  /// The words that tell which day was taken, and how to get the nearer one.
  var words: String {
    "'\(written)' without its year is \(day); write \(nearer) if that day is meant"
  }
}

extension Duration {
  /// Reads a typed length of time, such as `30s`, `5m` or `2h`; nil if it is not one from one second
  /// to one day.
  init?(typed text: String) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
    guard let letter = text.last, let unit = units[letter],
      text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(text.dropLast()),
      count > 0, count <= 86_400 / unit
    else { return nil }
    self = .seconds(count * unit)
  }

  /// The time in words, such as `7 s`, `5 min` or `2 h`.
  ///
  /// It is rounded to the second, and from two minutes on to the minute.
  var words: String {
    let seconds = max(1, Int((self / .seconds(1)).rounded()))
    if seconds < 120 { return "\(seconds) s" }
    return seconds % 3600 == 0 ? "\(seconds / 3600) h" : "\((seconds + 30) / 60) min"
  }
}

extension Survey {
  /// Returns the words for what was taken for an amount that may mean two things; none if it is
  /// clear.
  func readings(of thing: TypedThing, as item: Entity?) -> [String] {
    guard let item, case .quantity(let amount)? = thing.amount, let unit = amount.unit else {
      return []
    }
    let quantity = Quantity(amount.value, unit)
    let system = household.measures
    switch CustomaryUnit.reading(of: quantity, in: item.unit, system) {
    case nil: return []
    case .fluidOunces?:
      return [
        "\(quantity) is taken as fluid ounces: \(item.title) is counted in \(item.unit.shortName)"
      ]
    case .system(.us, let other)?:
      return [
        "\(quantity) is taken as US; '\(quantity.value) imperial \(unit.rawValue)' is "
          + household.counted(other, in: item.unit).description
      ]
    case .system(.imperial, let other)?:
      return [
        "\(quantity) is taken as imperial, as the household counts in GBP; "
          + "'\(quantity.value) us \(unit.rawValue)' is "
          + household.counted(other, in: item.unit).description
      ]
    }
  }
}
