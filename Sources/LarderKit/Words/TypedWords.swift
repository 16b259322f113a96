package import LarderModel

extension TypedQuantity.Mistake {
  /// The reason in words.
  package var reason: String {
    switch self {
    case .noNumber: "a number is needed, as in 2, 0.5, 1/4, 1.5kg or '500 g'"
    case .comma(let decimal, let thousands):
      "this may be \(decimal) or \(thousands); write one of them"
    case .tooManyDigits: "at most 15 digits can be kept, six of them decimals"
    case .unknownUnit(let unit): "'\(unit)' is no unit (\(Unit.choices))"
    case .vague(let words): "'\(words)' says no number; write one, or the name alone"
    case .price(let sum): "\(sum) is a price, and no amount"
    }
  }
}

extension Unit {
  /// The units, for help and messages.
  package static let choices = "piece, pack, g, kg, ml, l, or one word such as bottle"

  /// The short form if there is one, such as `kg`; otherwise the full name, such as `piece`.
  package var shortName: String { symbol ?? rawValue }
}

extension TypedThing.Mistake {
  /// The reason in words.
  package var words: String {
    switch self {
    case .badAmount(let text, let name, let reason): "\(name): \(reason.reason), found '\(text)'"
    case .amountAlone(let amount): "the name of a thing is needed beside \(amount)"
    }
  }
}

extension TypedMoney.Mistake {
  /// The reason in words.
  package var reason: String {
    switch self {
    case .noNumber: "an amount such as 23.05, 23,05 or 23.05€ is needed"
    case .comma(let decimal, let thousands):
      "this may be \(decimal) or \(thousands); write one of them"
    }
  }
}

extension TypedLine.Mistake {
  /// The reason in words.
  package var reason: String {
    switch self {
    case .noName: "ITEM=N@PRICE is needed, as in Milk=2l@1.65, Milk=2 or Milk@1.65"
    case .badQuantity(let mistake): mistake.reason
    case .belowZero: "a quantity can't be below zero"
    case .maybePrice(let name, let amount):
      "write \(name)@\(amount) for the price, or \(name)=\(amount)x for the quantity"
    case .noPriceSign(let thing, let number):
      "write \(thing) @@ \(number) for the price, or \(number)x \(thing) for the amount"
    case .badPrice(let mistake): mistake.reason
    }
  }
}

extension HouseholdCalendar {
  /// The message for a day that can't be read.
  private static let dayForms =
    "write a day like 2026-12-01, 01.12.2026, 12-01, 12/2026, dec 2026, today, 10d, 2w, 1m or fri"
  /// The message for a moment that can't be read.
  static let instantForms =
    "write a moment like '2026-11-20 18:30', 18:30, 'yesterday 18:30' or 2026-11-20"

  /// Returns the words for a day that can't be read.
  package static func reason(_ mistake: DayMistake) -> String { reason(mistake, forms: dayForms) }

  /// Returns the words for a moment that can't be read.
  package static func momentReason(_ mistake: DayMistake) -> String {
    reason(mistake, forms: instantForms)
  }

  private static func reason(_ mistake: DayMistake, forms: String) -> String {
    switch mistake {
    case .noDay: forms
    case .noSuchDay(2, nil): "February has at most 29 days"
    case .noSuchDay(let month, let year):
      [monthNames[month - 1], year.map(String.init), "has \(length(of: month, year)) days"]
        .compactMap(\.self).joined(separator: " ")
    case .noSuchMonth(let month): "there is no month \(month)"
    case .dayOrMonth(let days) where days.isEmpty:
      "the day or the month may be first; write a day like 2026-03-04"
    case .dayOrMonth(let days):
      "this may be \(days.map(\.description).joined(separator: " or ")); write it so"
    }
  }

  private static func length(of month: Int, _ year: Int?) -> Int {
    Day(year: year ?? 2001, month: month, day: 1)?.adding(months: 1).adding(days: -1).civil.day ?? 0
  }
}

extension ReceiptForm.Mistakes: HasErrorWords {
  /// The words for the error.
  package var errorWords: ErrorWords {
    ErrorWords(
      .usage, "can't read what you wrote",
      problems: all.map { mistake in
        Problem(
          mistake.reason.words, line: mistake.number,
          sourceLine: mistake.number == nil ? nil : mistake.text)
      })
  }
}

extension ReceiptForm.Reason {
  var words: String {
    switch self {
    case .noShop: "the shop is missing: Shop: NAME"
    case .noMoment: HouseholdCalendar.instantForms
    case .badAmount(let mistake): mistake.reason
    case .amountBelowZero: "an amount can't be below zero"
    case .longLine: "this line has more than \(longestLine) bytes"
    case .fieldTwice: "this is there twice"
    case .badLine(.noName): "the name of a thing is missing, as in 2 l Milk @@ 3.58"
    case .badLine(let mistake): mistake.reason
    }
  }
}

extension MessageWords {
  /// Returns the words for all of them.
  func errorWords(for mistakes: ThingMistakes) -> ErrorWords {
    let all = mistakes.all
    let errors = all.prefix(50).map { errorWords(for: $0.error) }
    var error = ErrorWords(
      errors.first?.kind ?? .failed,
      "nothing was changed: \(all.count) of the things can't be done",
      problems: errors.map { error in
        Problem(([error.message] + error.hints.prefix(1)).joined(separator: "; "))
      })
    if errors.count < all.count {
      error.problems.append(Problem("and \(all.count - errors.count) more"))
    } else if !errors.contains(where: \.unknownNames.isEmpty) {
      error.unknownNames = errors.flatMap(\.unknownNames)
    }
    return error
  }
}
