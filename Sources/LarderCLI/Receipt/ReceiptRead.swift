import LarderKit
import LarderModel

/// `larder receipt read`.
enum ReceiptRead {
  private static let file = Argument(
    "FILE", .optional(standard: nil), values: .file,
    help: "a text, a PDF or a photo; '-' or nothing is a text on standard input")
  private static let edit = Option("edit", help: "open the editor on it in any case")

  static let command = Command(
    "read", summary: "Make a receipt of its text, a PDF or a photo",
    discussion: """
      Reads what a shop prints, or sends by e-mail, in English, German, French, Spanish or Malay: things \
      with quantities, weights and prices, deposits, discounts, taxes and the total; of totals and \
      taxes, the words of many more languages. If the lines make the total, and each quantity with its \
      price its amount, the receipt is saved as 'receipt save' does it. If not, or if its day is ahead \
      or more than a year ago, your editor, which is git's, opens on a form of the receipt with the \
      doubtful lines marked; without a terminal, nothing is saved, and the exit code is 5.

      A line is an item's if it has its barcode, or its name or alias in full. If you give a line the \
      name of an item in the editor, the printed name becomes an alias of the item, and is known from \
      then on. Of other lines, larder asks whether to make items of them, named without the size of \
      the package; --new, --no-new and the setting newItems answer. Without a terminal, they stay on \
      the receipt only. Weights and the sizes of packages count in the item's unit; of what is \
      counted in bottles, 6x1,5L is six.

      A receipt is saved once, also if it is read twice, or on two devices. Two receipts of one shop, \
      minute and total differ in one of the numbers that the till and the card terminal gave them. In a \
      day such as 10/03/26, the currency, words or another day on the receipt say which number is the \
      month; if nothing does, one line says what it was taken for, and how to give the other. A PDF is \
      read by 'pdftotext', a photo by 'tesseract', if they are installed. A photo may lie on its side.
      """,
    examples: [
      Example("larder receipt read receipt.txt"),
      Example("larder receipt read e-bon.pdf --dry-run", "what it would save"),
      Example("larder receipt read photo.jpg --edit", "look at it before it is saved"),
      Example("larder receipt read - --shop 'Corner shop'", "a text that you paste, ended by ^D"),
    ],
    arguments: [file],
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
