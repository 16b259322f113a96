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
    let change = try invocation.change { edit, writer, survey in
      let rows = StockRow.all(in: survey, withArchived: false).filter(\.isLow)
      for row in rows {
        fill(row, in: &edit, survey, by: writer)
      }
      let filled = edit.changed.count
      return "put \(filled == 1 ? "1 item" : "\(filled) items") that are low on the shopping list"
    }
    let lines = change.own.compactMap { key in change[key].map { change.wanted($0) } }
    invocation.output.report(change, lines: lines)
    if change.isNothing {
      invocation.output.note("nothing to add: all that is low is on the list already")
    }
  }

  private static func fill(
    _ row: StockRow, in edit: inout Edit, _ survey: Survey, by writer: Writer
  ) {
    let fields: [(name: String, value: JSON?)] = [
      ("desiredQuantity", row.missing.json), ("unit", .string(row.item.unit.rawValue)),
    ]
    guard let entry = survey.entry(of: row.item) else {
      let id = ShoppingEntry.id(of: row.item)
      edit.put(
        edit.new(
          .shoppingListEntry, id: id, [("itemId", .string(row.item.id))] + fields, by: writer))
      return
    }
    if entry.isTombstone {
      let revived = fields + [("isDeleted", .bool(false)), ("isCompleted", .bool(false))]
      edit.write(revived, to: entry.key, now: writer.now)
    } else if !entry.isCompleted,
      entry.desired.converted(to: row.item.unit)?.rounded != row.missing
    {
      edit.write(fields, to: entry.key, now: writer.now)
    }
  }
}
