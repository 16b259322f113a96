internal import LarderJSON
internal import LarderKit

/// The sheet of one item.
extension HouseholdState {
  /// Returns an item with its pace and its last changes.
  func details(of item: Entity, _ changes: [ItemChange], for phone: String) -> JSON {
    let held = survey.held(item)
    let history = survey.prices(of: item, in: Purchases(in: survey))
    let pace = survey.pace(of: held).map { pace -> JSON in
      let total = held.holding.usableTotal(on: survey.calendar.today)
      return [
        "perWeek": pace.perWeek.value.rounded(decimals: 1).json,
        "lastsDays": pace.days(for: total).map { .number("\($0)") },
      ]
    }
    return [
      "item": self.item(held, price: history.courses.first?.last), "pace": pace,
      "changes": .array(changes.map { change($0, of: item, for: phone) }),
    ]
  }

  private func change(_ change: ItemChange, of item: Entity, for phone: String) -> JSON {
    let commit = change.entry.commit
    return [
      "at": .string(commit.at.description), "by": .string(commit.author.name),
      "say": .string(survey.words(change, of: item)),
      "kind": change.kind.map { .string($0.rawValue) },
      "quantity": change.quantity?.value.json,
      "unit": change.quantity.map { .string($0.unit.rawValue) },
      "location": change.locationID.map { .string($0) },
      "isOwn": commit.device == phone ? .bool(true) : nil,
      "byHand": change.isByHand ? .bool(true) : nil,
    ]
  }

  /// Returns what was archived, taken off the list or taken back.
  func back(_ back: BroughtBack) -> JSON {
    [
      "archived": .array(
        back.items.map { gone in
          let item = gone.entity
          return told(
            gone,
            [
              "name": .string(item.title), "category": item[.category],
              "quantityInStock": survey.stock.total(of: item).json,
              "unit": .string(item.unit.rawValue),
            ])
        }),
      "dropped": .array(
        back.entries.map { gone in
          let entry = gone.entity
          return told(
            gone,
            [
              "name": .string(survey.naming.title(of: entry)),
              "quantity": entry.desired.value.json, "unit": .string(entry.unit.rawValue),
            ])
        }),
      "receipts": .array(
        back.receipts.map { gone in
          let receipt = gone.entity
          return told(
            gone,
            [
              "shopName": .string(receipt.title),
              "timestamp": .string(receipt.timestamp.description), "amount": receipt[.amount],
              "currency": receipt[.currency],
            ])
        }),
    ]
  }

  private func told(_ gone: BroughtBack.Gone, _ fields: JSON) -> JSON {
    let (first, last): (JSON, JSON) = (
      ["id": .string(gone.entity.id)],
      ["at": .string(gone.at.description), "by": gone.writer.map { .string($0) }]
    )
    return .object([first, fields, last].flatMap { $0.members ?? [] })
  }
}
