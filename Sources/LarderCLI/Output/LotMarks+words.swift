import LarderKit
import LarderModel

extension LotMarks {
  /// The marks in words, such as `batch of 2026-11-28, L7, fridge, open`.
  var words: String {
    let preposition = day?.kind.isOfOrigin ?? false ? "" : "of "
    let lot = (day?.description ?? code).map { "batch \(preposition)\($0)" } ?? "undated batch"
    return [lot, day == nil ? nil : code, place, isOpen ? "open" : nil]
      .compactMap { $0 }.joined(separator: ", ")
  }
}

extension PassedDay {
  /// The colour of a day that has passed.
  var style: Style { self == .expired ? .red : .yellow }

  /// The heading of what is listed apart.
  var heading: String {
    switch self {
    case .expired: "expired: look at it, or throw it away"
    case .pastBest: "past its best: use first"
    }
  }

  /// The name for scripts.
  var name: String {
    switch self {
    case .expired: "expired"
    case .pastBest: "pastBest"
    }
  }
}

extension Survey {
  /// Returns the words for a lot in a line of its own, such as `1 l of Milk (batch of 2026-11-16,
  /// fridge, expired 4 days ago)`.
  func line(about lot: Lot) -> String {
    let marks = [words(for: lot.first), passedWords(for: lot.first)]
    return "\(lot.quantity) of \(naming.title(of: lot.first)) "
      + "(\(marks.compactMap(\.self).joined(separator: ", ")))"
  }

  /// Returns the words that tell a batch from others, such as `batch of 2026-11-28, L7, fridge,
  /// open`.
  func words(for batch: Entity) -> String { marks(of: batch).words }

  /// Returns the words for a last day that has passed, such as `expired 4 days ago`; nil if it has
  /// not.
  func passedWords(for batch: Entity) -> String? {
    passedDay(of: batch).map { meaning, days in
      switch meaning {
      case .expired: "expired \(counted(days, "day")) ago"
      case .pastBest: "past its best \(counted(days, "day"))"
      }
    }
  }
}
