import LarderJSON
import LarderKit
import LarderModel

extension Survey {
  /// Returns a receipt in short, such as `Greenway Market, 2026-11-20 18:30, 23.05 EUR`.
  func heading(_ receipt: Entity) -> String {
    let amount = receipt.number(.amount).map { TypedMoney($0, receipt.currency).description }
    return [receipt.title, calendar.text(of: receipt.timestamp), amount].compactMap { $0 }
      .joined(separator: ", ")
  }

  /// Returns the current total of every item on a receipt.
  func stock(of receipt: Entity) -> JSONMember {
    let items = Set(receipt.lines.compactMap(\.itemID)).sorted()
      .compactMap { household[.stockItem, $0] }
    return JSONMember(
      "stock",
      .array(
        items.map { item in
          .object([
            JSONMember("id", .string(item.id)), JSONMember("name", .string(item.title)),
            JSONMember("total", total(of: item).value.json),
            JSONMember("unit", .string(item.unit.rawValue)),
          ])
        }))
  }
}

extension Output {
  /// Reports a change of a receipt, with its lines and the current total of each item.
  func report(_ receipt: Entity, _ change: Outcome, _ verb: String, _ invocation: Invocation) {
    guard mode == .human else {
      let members = [
        JSONMember("receipt", change.after.listed(receipt)), change.after.stock(of: receipt),
      ]
      report(change, members, lines: [])
      return
    }
    line("\(verb) \(change.after.heading(receipt))")
    lines(of: receipt, in: change.after)
    report(change, lines: [])
  }
}
