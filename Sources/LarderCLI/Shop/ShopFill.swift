import LarderJSON
import LarderKit
import LarderModel

/// `larder shop fill`.
enum ShopFill {
  static let command = Command(
    "fill", summary: "Put everything that is low on the shopping list",
    discussion: """
      Every item that 'larder stock low' lists goes on the list, with what is missing to its full \
      stock, in whole pieces and packs. Entries in the basket do not change.
      """,
    examples: [Example("larder shop fill")]
  ) { invocation in
    let change = try invocation.change { edit, writer, _ in
      edit.wantAllThatIsLow(by: writer)
      let filled = edit.changed.count
      return "fill the shopping list with \(counted(filled, "low item"))"
    }
    let lines = change.own.compactMap { key in change[key].map { change.wanted($0) } }
    invocation.output.report(change, lines: lines)
    if change.isNothing {
      invocation.output.note("nothing to add: all that is low is on the list already")
    }
  }
}
