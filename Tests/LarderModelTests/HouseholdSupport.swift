import LarderJSON
import LarderModel
import LarderText
import Testing

func household(_ entities: Entity...) -> Household {
  var household = Household()
  for entity in entities { household.put(entity, at: household.defaultPath(for: entity)) }
  return household
}

func writer(_ now: Instant = moment(10), device: String = "phone") -> Writer {
  Writer(
    now: now, device: device, userID: uuid(801), newID: { Identifier.random(at: now) })
}

/// An item with id 100 + `number`, and that much loose.
func item(
  _ number: Int = 0, loose: String = "0", unit: Unit = .piece, full: String = "0",
  products: String = "[]", other: String = ""
) throws -> Entity {
  var item = try entity(
    .stockItem,
    #"""
    "id": #\#(100 + number), "name": "Item \#(number)", "unit": "\#(unit)",
    "quantityFullStock": \#(full), "products": \#(products)\#(other)
    """#)
  if loose != "0" { item.record(set(loose, unit, id: 9000 + number)) }
  return item
}

/// A batch with id 200 + `number`, of item 100 where nothing else is said.
func batch(
  _ number: Int, _ amount: String, unit: Unit = .piece, expiry: String? = nil, created: Int = 1,
  product: String = uuid(100), status: String = "active", kind: String = "bestBefore"
) throws -> Entity {
  let date =
    expiry.map { #", "expiryInfo": {"kind": "\#(kind)", "isoDate": "\#($0)"}"# } ?? ""
  // What is no part of the stock was counted before.
  let gone = status == "active" ? "" : #", "edited": {"status": @\#(created)+2}"#
  var batch = try entity(
    .inventoryItem,
    #"""
    "id": #\#(200 + number), "productRef": {"productId": "\#(product)"}, "status": "\#(status)",
    "quantity": {"value": 0, "unit": "\#(unit)"}, "createdAt": @\#(created)\#(date)\#(gone)
    """#)
  batch.record(set(amount, unit, id: 9200 + number))
  return batch
}

/// A place with id 300 + `number`.
func place(_ number: Int = 0, _ other: String = "") throws -> Entity {
  try entity(.storageLocation, #""id": #\#(300 + number), "name": "Place \#(number)"\#(other)"#)
}

/// The household itself, with id 700.
func home(_ timeZone: String = "UTC") throws -> Entity {
  try entity(.household, #""id": #700, "timeZone": "\#(timeZone)""#)
}

private func set(_ amount: String, _ unit: Unit, id: Int) -> LedgerEntry {
  LedgerEntry(
    id: uuid(id), at: moment(1, 1), .set(Number(amount) ?? .zero), unit: unit, why: .count,
    by: "setup")
}

func pieces(_ number: Int) -> Quantity { Quantity(Number(number), .piece) }

func amount(_ text: String, _ unit: Unit) throws -> Quantity {
  Quantity(try #require(Number(text)), unit)
}

extension Household {
  var milk: Entity { get throws { try #require(self[.stockItem, uuid(100)]) } }

  func stock(of number: Int = 0) throws -> String {
    let item = try #require(self[.stockItem, uuid(100 + number)])
    return Stock(self).total(of: item).description
  }

  func rest(of batch: Int) throws -> String {
    try #require(self[.inventoryItem, uuid(200 + batch)]).quantity.value.description
  }

  /// All entities by key, as their files have them.
  var texts: [EntityKey: String] {
    Dictionary(uniqueKeysWithValues: entities.map { ($0.key, $0.text) })
  }

  /// Every entity joined with the other household's version of it.
  func joined(with other: Household) -> Household {
    var result = self
    for entity in other.entities {
      let key = entity.key
      let joined = result[key].map { $0.joined(with: entity) } ?? entity
      result.put(joined, at: result.path(of: key) ?? other.path(of: key) ?? "")
    }
    return result
  }
}
