import LarderKit

extension MessageWords {
  /// Returns the words for a count sheet with mistakes, each with its line.
  func commandError(for mistakes: SheetMistakes) -> CommandError {
    let count = mistakes.all.count
    let errors = mistakes.all.map { mistake -> CommandError? in
      if case .naming(let error) = mistake.reason { commandError(for: error) } else { nil }
    }
    var error = CommandError(
      .invalidData,
      "nothing was counted: there \(count == 1 ? "is a mistake" : "are \(count) mistakes") in the sheet",
      problems: mistakes.all.prefix(50).map { mistake in
        Problem(message(mistake.reason), line: mistake.line, column: mistake.column)
      })
    if errors.allSatisfy({ $0?.unknownNames.isEmpty == false }) {
      var names: [String] = []
      for name in errors.compactMap(\.self).flatMap(\.unknownNames) where !names.contains(name) {
        names.append(name)
      }
      error.unknownNames = names
    }
    return error
  }

  private func message(_ reason: SheetMistake.Reason) -> String {
    switch reason {
    case .box(let sign): "a box is empty or has an x in it, found '\(sign)'"
    case .longLine: "this line has more than \(longestLine) bytes"
    case .amount(let text, let reason): "'\(text)' is no amount: \(reason.reason)"
    case .noAmount(let thing):
      "the amount of \(thing) is missing; write how much there is, or remove the line"
    case .noThing(let amount):
      amount.isEmpty
        ? "the name of a thing is missing" : "the name of a thing is needed beside \(amount)"
    case .twice(let thing, let line): "\(thing) is counted in line \(line) already"
    case .severalLots(let thing, let place):
      "several batches of \(thing) are in \(place): change their lines"
    case .naming(let error): text(commandError(for: error))
    case .rule(let error): text(error.commandError)
    }
  }
}
