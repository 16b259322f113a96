import LarderJSON
import LarderKit
import LarderModel

extension Survey {
  /// Returns the lines of a receipt with the current total of each item.
  func table(of receipt: Entity) -> Table {
    let currency = receipt.currency
    return Table(
      columns: [
        .init("Line", minimumWidth: 12), .init("Quantity", .right), .init("Price", .right),
        .init("Keeps until"), .init("Place"), .init("Lot"), .init("Stock now", .right),
      ],
      rows: receipt.lines.map { line in
        let item = line.itemID.flatMap { household[.stockItem, $0] }
        return [
          .init(line.itemName),
          .init(Quantity(line.quantity, line.unit ?? item?.unit ?? .piece).description),
          .init(line.price.map { money($0, currency) } ?? ""),
          .init(line.expiry?.description ?? ""),
          .init(line.locationID.flatMap { household[.storageLocation, $0]?.title } ?? ""),
          .init(line.lotCode ?? ""),
          .init(item.map { total(of: $0).description } ?? ""),
        ]
      })
  }

  /// Returns a receipt in short, such as `Greenway Market, 2026-11-20 18:30, 23.05 EUR`.
  func heading(_ receipt: Entity) -> String {
    let amount = receipt.number(.amount).map { money($0, receipt.currency) }
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
    table(change.after.table(of: receipt).withoutEmptyColumns)
    report(change, lines: [])
  }
}
