import LarderKit
import LarderModel

/// The words around the form of a receipt.
enum ReceiptFormWords {
  static let remarks = [
    "One line for each thing, with the price of all of it: 2 l Milk @@ 3.58",
    "or with the price of one: 2 l Milk @ 1.79",
    "The amount and the price may be left out. A discount has a price below zero.",
    "Put a name with a number or an @ in it into \"double quotes\".",
    "Lines that begin with # say nothing.",
  ]
  static let learning = "A name that you change to an item's is known from then on."
}

extension Invocation {
  /// Whether a user is at the terminal who can use an editor.
  var canEdit: Bool {
    prompt.isInteractive && output.terminal.outputIsTerminal && output.mode == .human
  }

  /// Reads a receipt's form, and tells how its day was completed.
  func form(_ text: String, in survey: Survey) throws -> ReceiptForm {
    let form = try ReceiptForm(text, in: survey)
    if let completed = form.completedDay { output.warn(completed.words) }
    return form
  }

  /// Opens the editor on a receipt's form, and returns the value that `read` makes of it; nil if
  /// nothing was written.
  ///
  /// With `takesUnchanged`, an unchanged form counts as written.
  func edited<Value>(
    form: String, takesUnchanged: Bool = false, _ read: (String) throws -> Value
  ) throws -> Value? {
    guard !has(Rehearsal.option) else {
      throw CommandError(
        .usage, "what to save is missing",
        hints: ["--dry-run needs an option such as --line; an editor is opened without it"])
    }
    var text = EditedText(
      text: form, name: "receipt.txt",
      instead: "or say it with options; see '\(path.joined(separator: " ")) --help'",
      isEmpty: ReceiptForm.isEmpty)
    text.takesUnchanged = takesUnchanged
    return try text.edited(by: self, read)
  }
}

extension ReceiptForm.Mistakes {
  /// The words for the error.
  var commandError: CommandError {
    CommandError(
      .usage, "can't read what you wrote",
      problems: all.map { mistake in
        Problem(
          mistake.reason.words, line: mistake.number,
          sourceLine: mistake.number == nil ? nil : mistake.text)
      })
  }
}

extension ReceiptForm.Reason {
  fileprivate var words: String {
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
