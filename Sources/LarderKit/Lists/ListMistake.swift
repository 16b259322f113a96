import LarderModel

/// A word of a filter, or a key for sorting, that a list can't follow.
public struct ListMistake: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    /// The list has no such field or state; `suggestions` are those that may be meant, the best one
    /// first.
    case unknown(known: [String], suggestions: [String])
    /// Texts are equal or not, and nothing else.
    case textsDiffer(Filter.Comparison)
    case badQuantity(TypedQuantity.Mistake)
    case badDay(DayMistake)
    case notYesOrNo
  }

  /// The word of the filter, or `is` before an unknown state; nil for a key for sorting.
  public let word: String?
  /// The part that is the mistake: a field's name, a state, or what a field is compared with.
  public let value: String
  public let reason: Reason
}

/// All mistakes in the words of a filter, or the one in a key for sorting.
public struct ListMistakes: Error, Equatable, Sendable {
  public let all: [ListMistake]
}

extension ListMistake: HasErrorWords {
  /// The reason in words.
  package var reasonWords: String {
    switch reason {
    case .unknown(let known, _): "this is none of \(known.joined(separator: ", "))"
    case .textsDiffer(let comparison): "texts can't be compared with \(comparison.rawValue)"
    case .badQuantity(let mistake): mistake.reason
    case .badDay(let mistake): HouseholdCalendar.reason(mistake)
    case .notYesOrNo: "yes or no is needed"
    }
  }

  package var errorWords: ErrorWords {
    let meant: String? =
      if case .unknown(_, let suggestions) = reason { didYouMean(suggestions) } else { nil }
    let place = word.map { "\($0): " } ?? ""
    return ErrorWords(
      .usage, "\(place)\(reasonWords), found '\(value)'", hints: meant.map { [$0] } ?? [])
  }
}

extension ListMistakes: HasErrorWords {
  package var errorWords: ErrorWords {
    let words = all.map(\.errorWords)
    if words.count == 1 { return words[0] }
    return ErrorWords(
      .usage, "\(words.count) words of the filter can't be followed",
      problems: words.map { Problem(([$0.message] + $0.hints).joined(separator: "; ")) })
  }
}
