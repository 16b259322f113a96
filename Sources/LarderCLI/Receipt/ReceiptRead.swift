import LarderKit

/// `larder receipt read`.
enum ReceiptRead {
  private static let file = Argument(
    "FILE", .optional(standard: nil), values: .file,
    help: "a text, a PDF or a photo; '-' or nothing is a text on standard input")
  private static let edit = Option("edit", help: "open the editor on it in any case")

  static let command = Command(
    "receipt read", arguments: [file],
    options: [ReceiptOptions.shop, printedAt, edit, keepListed, makeItems, ReceiptOptions.noNew]
  ) { invocation in
    let survey = try invocation.survey()
    let reader = ReceiptTextReader(
      survey.calendar, currency: survey.household.own?.currency)
    let source = try ReceiptSource(invocation.given(file), for: reader, invocation)
    let reading = ReceiptReading(
      invocation: invocation, source: source, read: reader.read(source.text),
      shop: try invocation[ReceiptOptions.shop].map {
        try invocation.newName($0, for: ReceiptOptions.shop.spelling)
      },
      paid: try invocation[printedAt].map {
        try invocation.moment($0, for: printedAt.spelling, survey.calendar)
      })
    try reading.save(survey, inEditor: invocation.has(edit))
  }

  private static let printedAt = Option(
    "at", value: "T", help: "when it was paid, if it is not printed: a day, a time, or both")
  private static let keepListed = Option(
    ReceiptOptions.keep.name, help: "leave what was bought on the shopping list")
  private static let makeItems = Option(
    ReceiptOptions.new.name, help: "make items of what nobody knows")
}
