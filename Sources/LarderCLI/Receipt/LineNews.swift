import LarderKit
import LarderModel

/// The news about the lines of a saved or corrected receipt.
struct LineNews {
  var receipt: Receipt?
  /// The entries that lines took off the shopping list.
  var taken: [Entity] = []
  /// The names that are not items.
  var unknown: [String] = []
  /// The names that are items', on lines that do not count as them.
  var uncounted: [String] = []
  /// Whether `--new` was given, and nothing became an item.
  var madeNothing = false
  var prices: [PriceNote] = []
}

extension Invocation {
  /// Reports the news about a receipt's lines.
  func tell(_ news: LineNews, in survey: Survey) {
    guard let receipt = news.receipt.flatMap({ survey.household[$0.key] }).map(Receipt.init) else {
      return
    }
    if !news.taken.isEmpty {
      let names = news.taken.map { survey.naming.title(of: $0) }.joined(separator: ", ")
      output.note("off the shopping list: \(names)")
    }
    tellUnknown(news.unknown, on: receipt, survey)
    tellUncounted(news.uncounted, on: receipt, survey)
    if news.madeNothing {
      output.note(
        "\(ReceiptOptions.new.spelling) made no item: no line that it is about names anything unknown"
      )
    }
    for note in news.prices { output.note(note.words(receipt.currency)) }
    do {
      try receipt.checkAmount()
    } catch {
      output.warn(error.commandError.message)
    }
  }

  private func tellUnknown(_ names: [String], on receipt: Receipt, _ survey: Survey) {
    guard !names.isEmpty else { return }
    if leavesNew { return output.note("on the receipt only: \(inShort(names))") }
    let titles = canAskAboutNew ? [] : survey.items.map(\.name)
    for name in names {
      guard let near = suggestions(for: name, among: titles).first else { continue }
      output.note("no item is called '\(name)'; did you mean '\(near)'?")
    }
    let single = names.filter(receipt.isFound)
    guard !single.isEmpty else {
      return output.note("on the receipt only: \(inShort(names))")
    }
    // Without a line, --new is about all of them, and opens the form on a terminal.
    let lines =
      single.count > 3 ? " --no-input" : single.map { " --line \(shellWord($0))" }.joined()
    output.note(
      "on the receipt only: \(inShort(names)); 'larder receipt edit "
        + "\(shellWord(survey.reference(to: receipt)))\(lines) --new' makes "
        + "\(single.count == 1 ? "it an item" : "them items") of the stock")
  }

  private func tellUncounted(_ names: [String], on receipt: Receipt, _ survey: Survey) {
    let open = Set(receipt.lines.filter { $0.itemID == nil }.map(\.itemName))
    for name in Set(names).intersection(open).sorted() where receipt.isFound(name) {
      output.note(
        "\(name) is on the receipt only; 'larder receipt edit "
          + "\(shellWord(survey.reference(to: receipt))) --line \(shellWord(name))' counts it")
    }
  }
}

extension Receipt {
  /// Whether `--line NAME` finds one line: a name of two lines does not tell which one is meant, and
  /// some names read as an amount or a price.
  func isFound(_ name: String) -> Bool {
    lines.count { fold($0.itemName) == fold(name) } == 1
      && (try? TypedLine(assigned: name)) == TypedLine(name)
  }
}

extension PriceNote {
  fileprivate func words(_ currency: String?) -> String {
    switch self {
    case .amountSays(inAll: true):
      "the prices behind @ are those of all of a line, as only so they come to the amount; "
        + "@@ says that, and @ is the price of one"
    case .amountSays(inAll: false):
      "the prices behind @ are those of one, as only so they come to the amount"
    case .inAll(let name, let quantity, let price):
      "\(TypedMoney(price, currency)) is the price of all \(quantity) of \(name); for the price of "
        + "one, write the number: --line \(shellWord("\(name)=\(quantity.value)@\(price)"))"
    }
  }
}
