import LarderKit

/// `larder stock merge`.
enum StockMerge {
  private static let other = Argument(
    "OTHER", .oneOrMore, values: .named(.item), help: "items that are in fact the same")

  static let command = Command("stock merge", arguments: [StockCommand.item, other]) { invocation in
    var merged: [Entity] = []
    var kept: EntityKey?
    let change = try invocation.change { edit, writer, survey in
      let words = [invocation[StockCommand.item]] + invocation.all(other)
      let items = try survey.naming.findSeveral(words, .stockItem, .any)
      guard let item = items.first, items.count > 1 else {
        throw CommandError(
          .usage, "only \(items.first?.title ?? "one item") is named",
          "name the item that stays, then those that are the same")
      }
      merged = Array(items.dropFirst())
      for other in merged {
        guard let current = edit.after[item.key] else { continue }
        try edit.merge(edit.after[other.key] ?? other, into: current, by: writer)
      }
      kept = item.key
      return "merge \(survey.list(merged)) into \(item.title)"
    }
    guard let item = kept.flatMap({ change[$0] }) else { return }
    let names = change.before.list(merged)
    invocation.output.report(
      change, lines: ["\(names) is \(item.title) now: \(change.after.total(of: item))"])
  }
}
