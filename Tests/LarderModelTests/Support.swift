import Foundation
import LarderJSON
import LarderModel
import Testing

/// Texts in which `@3` stands for a moment and `#1` for an id, both quoted.
///
/// `@3` is the third of November 2026 at midnight, `@3+2` two milliseconds later; `#1` is the UUID
/// `00000000-0000-7000-8000-000000000001`.
func expanded(_ text: String) -> String {
  var result = ""
  var rest = text[...]
  while let mark = rest.firstIndex(where: { $0 == "@" || $0 == "#" }) {
    result += rest[..<mark]
    let isMoment = rest[mark] == "@"
    rest = rest[rest.index(after: mark)...]
    let digits = rest.prefix { $0.isNumber }
    rest = rest.dropFirst(digits.count)
    var extra = 0
    if isMoment, rest.first == "+" {
      let more = rest.dropFirst().prefix { $0.isNumber }
      extra = Int(more) ?? 0
      rest = rest.dropFirst(more.count + 1)
    }
    let number = Int(digits) ?? 0
    result += "\"\(isMoment ? moment(number, extra).description : uuid(number))\""
  }
  return result + rest
}

/// Midnight of a day of November 2026, and some milliseconds.
func moment(_ day: Int, _ milliseconds: Int = 0) -> Instant {
  Instant(milliseconds: 1_793_491_200_000 + Int64(day - 1) * 86_400_000 + Int64(milliseconds))
}

func uuid(_ number: Int) -> String {
  let digits = String(number)
  return "00000000-0000-7000-8000-"
    + String(repeating: "0", count: 12 - digits.utf8.count) + digits
}

/// What every file in these tests has where a test says nothing else.
func frame(_ kind: Kind) -> String {
  let times = #""createdAt": @1, "updatedAt": @1"#
  let made = #""userId": #800, "# + times
  switch kind {
  case .household:
    return #"{"format": 1, "id": #700, "name": "Home", "timeZone": "UTC", "#
      + #""expiringWithinDays": 14, "# + times + "}"
  case .stockItem:
    return #"{"id": #100, "name": "Oat milk", "unit": "piece", "quantityInStock": 0, "#
      + #""quantityFullStock": 0, "isArchived": false, "# + made + #", "changes": []}"#
  case .inventoryItem:
    return #"{"id": #200, "householdId": #700, "productRef": {"productId": "ean_1"}, "#
      + #""quantity": {"value": 0, "unit": "piece"}, "status": "active", "#
      + #""storageLocationId": "", "# + made + #", "changes": []}"#
  case .storageLocation:
    return #"{"id": #300, "householdId": #700, "name": "Fridge", "isColdStorage": true, "#
      + #""isArchived": false, "# + made + "}"
  case .product:
    return #"{"id": "ean_1", "title": "Oat milk", "isArchived": false, "# + made + "}"
  case .shoppingListEntry:
    return #"{"id": #400, "itemId": #100, "desiredQuantity": 1, "unit": "piece", "#
      + #""isCompleted": false, "isDeleted": false, "# + made + "}"
  case .receipt:
    return #"{"id": #500, "shopName": "FairPrice", "timestamp": @2, "items": [], "#
      + #""isDeleted": false, "# + made + "}"
  }
}

/// A file as canonical text, from what it says beside the frame; `null` takes a member away.
///
/// Only the order of members is put right: every value, the derived ones too, stands as given.
func text(_ kind: Kind, _ members: String = "") throws -> String {
  let given = try JSON(parsing: Array(expanded("{\(members)}").utf8)).members ?? []
  let framed = try JSON(parsing: Array(expanded(frame(kind)).utf8)).members ?? []
  var all = framed.filter { member in !given.contains { sameBytes($0.key, member.key) } } + given
  all.removeAll { $0.value == .null }
  let order =
    Schema.of(kind).fields.map(\.name.text) + ["createdAt", "updatedAt", "edited", "changes"]
  all.sort { left, right in
    let place = order.firstIndex { sameBytes($0, left.key) } ?? order.count
    let other = order.firstIndex { sameBytes($0, right.key) } ?? order.count
    return place == other ? JSON.precedes(left.key, right.key) : place < other
  }
  return String(decoding: JSON.object(all).writeFile(), as: UTF8.self)
}

func sameBytes(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

func file(_ kind: Kind, _ members: String = "") throws -> EntityFile {
  try EntityFile(kind, parsing: Array(try text(kind, members).utf8))
}

/// A file exactly as given, marks expanded.
func rawFile(_ kind: Kind, _ text: String) throws -> EntityFile {
  try EntityFile(kind, parsing: Array(expanded(text).utf8))
}

func entity(_ kind: Kind, _ members: String = "") throws -> Entity {
  try #require(Entity(try file(kind, members)))
}

extension Entity {
  var text: String { String(decoding: fileBytes, as: UTF8.self) }

  /// The entity that its own file describes.
  func reread() throws -> Entity {
    try #require(Entity(try EntityFile(kind, parsing: fileBytes)))
  }
}
