import LarderJSON
import LarderKit
import LarderModel

/// `larder shop fill`.
enum ShopFill {
  static let command = Command(
    "fill", summary: "Put everything that is low on the shopping list",
    discussion: """
      Every item that there is less of than its full stock comes onto the list with what is missing. \
      What is in the basket already stays as it is. 'larder stock low' lists them.
      """,
    examples: [Example("larder shop fill")]
  ) { invocation in
    let change = try invocation.change { edit, writer, _ in
      edit.wantAllThatIsLow(by: writer)
      let filled = edit.changed.count
      return "put \(filled == 1 ? "1 item" : "\(filled) items") that are low on the shopping list"
    }
    let lines = change.own.compactMap { key in change[key].map { change.wanted($0) } }
    invocation.output.report(change, lines: lines)
    if change.isNothing {
      invocation.output.note("nothing to add: all that is low is on the list already")
    }
  }
}
