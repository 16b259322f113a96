import LarderKit
import LarderModel

/// The news about the lines of a saved or corrected receipt.
struct LineNews {
  var receipt: Receipt?
  /// The entries that lines took off the shopping list.
  var taken: [Entity] = []
  /// The names that are not items.
  var unknown: [String] = []
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
    do {
      try receipt.checkAmount()
    } catch {
      output.warn(error.commandError.message)
    }
  }

  private func tellUnknown(_ names: [String], on receipt: Receipt, _ survey: Survey) {
    guard !names.isEmpty else { return }
    let titles = survey.items.map(\.name)
    for name in names {
      guard let near = suggestions(for: name, among: titles).first else { continue }
      output.note("no item is called '\(name)'; did you mean '\(near)'?")
    }
    // If two lines have a name, it does not tell which one is meant.
    let single = names.filter { name in names.count { fold($0) == fold(name) } == 1 }
    guard !single.isEmpty else {
      return output.note("on the receipt only: \(names.joined(separator: ", "))")
    }
    let lines = single.map { " --line \(shellWord($0))" }.joined()
    output.note(
      "on the receipt only: \(names.joined(separator: ", ")); 'larder receipt edit "
        + "\(shellWord(survey.reference(to: receipt)))\(lines) --new' makes "
        + "\(single.count == 1 ? "it an item" : "them items") of the stock")
  }
}
