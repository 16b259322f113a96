import LarderModel

/// Two versions of one entity and what they come to, as what their files say beside the frame of
/// their kind (`frame(_:)`); `@3` is the third of November, `#1` an id.
struct JoinCase: Sendable, CustomStringConvertible {
  let name: String
  let kind: Kind
  let ours: String
  let theirs: String
  let joined: String

  init(_ name: String, _ kind: Kind, ours: String, theirs: String, joined: String) {
    self.name = name
    self.kind = kind
    self.ours = ours
    self.theirs = theirs
    self.joined = joined
  }

  var description: String { name }
}

// MARK: - Fields

let fieldCases: [JoinCase] = [
  JoinCase(
    "the later write of a field wins", .storageLocation,
    ours: #""name": "Fridge", "updatedAt": @2, "edited": {"name": @2}"#,
    theirs: #""name": "Freezer", "updatedAt": @3, "edited": {"name": @3}"#,
    joined: #""name": "Freezer", "updatedAt": @3, "edited": {"name": @3}"#),
  JoinCase(
    "writes of different fields are both kept", .storageLocation,
    ours: #""name": "Cellar", "updatedAt": @2, "edited": {"name": @2}"#,
    theirs: #""isColdStorage": false, "updatedAt": @3, "edited": {"isColdStorage": @3}"#,
    joined: #"""
      "name": "Cellar", "isColdStorage": false, "updatedAt": @3,
      "edited": {"isColdStorage": @3, "name": @2}
      """#),
  JoinCase(
    "a field that was written beats one as old as the entity", .storageLocation,
    ours: "",
    theirs: #""name": "Shed", "updatedAt": @1+1, "edited": {"name": @1+1}"#,
    joined: #""name": "Shed", "updatedAt": @1+1, "edited": {"name": @1+1}"#),
  JoinCase(
    "of equal stamps the greater bytes win", .storageLocation,
    ours: #""name": "Larder", "updatedAt": @2, "edited": {"name": @2}"#,
    theirs: #""name": "Pantry", "updatedAt": @2, "edited": {"name": @2}"#,
    joined: #""name": "Pantry", "updatedAt": @2, "edited": {"name": @2}"#),
  JoinCase(
    "of equal stamps with numbers the bytes decide, not the size", .household,
    ours: #""expiringWithinDays": 9, "updatedAt": @2, "edited": {"expiringWithinDays": @2}"#,
    theirs: #""expiringWithinDays": 10, "updatedAt": @2, "edited": {"expiringWithinDays": @2}"#,
    joined: #""expiringWithinDays": 9, "updatedAt": @2, "edited": {"expiringWithinDays": @2}"#),
  JoinCase(
    "a removal that is later wins", .product,
    ours: #""brand": "Oatly", "updatedAt": @2, "edited": {"brand": @2}"#,
    theirs: #""updatedAt": @3, "edited": {"brand": @3}"#,
    joined: #""updatedAt": @3, "edited": {"brand": @3}"#),
  JoinCase(
    "a removal that is earlier loses", .product,
    ours: #""brand": "Oatly", "updatedAt": @4, "edited": {"brand": @4}"#,
    theirs: #""updatedAt": @3, "edited": {"brand": @3}"#,
    joined: #""brand": "Oatly", "updatedAt": @4, "edited": {"brand": @4}"#),
  JoinCase(
    "a removal at the same moment as a write loses", .product,
    ours: #""brand": "Oatly", "updatedAt": @3, "edited": {"brand": @3}"#,
    theirs: #""updatedAt": @3, "edited": {"brand": @3}"#,
    joined: #""brand": "Oatly", "updatedAt": @3, "edited": {"brand": @3}"#),
  JoinCase(
    "a field that was never written loses to an old value", .product,
    ours: "", theirs: #""brand": "Oatly""#, joined: #""brand": "Oatly""#),
  JoinCase(
    "an unknown field is a register like any other", .storageLocation,
    ours: #""x": {"a": 1}, "updatedAt": @2, "edited": {"x": @2}"#,
    theirs: #""x": [null, 2], "y": true, "updatedAt": @3, "edited": {"x": @3}"#,
    joined: #""x": [null, 2], "y": true, "updatedAt": @3, "edited": {"x": @3}"#),
  JoinCase(
    "two keys that look the same are two fields", .storageLocation,
    ours: #""\#u{e9}": 1, "updatedAt": @2, "edited": {"\#u{e9}": @2}"#,
    theirs: #""e\#u{301}": 2, "updatedAt": @3, "edited": {"e\#u{301}": @3}"#,
    joined: #"""
      "e\#u{301}": 2, "\#u{e9}": 1, "updatedAt": @3, "edited": {"e\#u{301}": @3, "\#u{e9}": @2}
      """#),
  JoinCase(
    "two texts that look the same are compared by their bytes", .storageLocation,
    ours: #""name": "\#u{e9}", "updatedAt": @2, "edited": {"name": @2}"#,
    theirs: #""name": "e\#u{301}", "updatedAt": @2, "edited": {"name": @2}"#,
    joined: #""name": "\#u{e9}", "updatedAt": @2, "edited": {"name": @2}"#),
  JoinCase(
    "the earlier creation stands, and a field as old as the later one is named", .storageLocation,
    ours: #""createdAt": @2, "updatedAt": @2, "isColdStorage": false"#,
    theirs: #""createdAt": @1, "updatedAt": @1"#,
    joined: #"""
      "isColdStorage": false, "updatedAt": @2,
      "edited": {
        "householdId": @2, "isArchived": @2, "isColdStorage": @2, "name": @2, "userId": @2
      }
      """#),
  JoinCase(
    "a list is one register", .stockItem,
    ours: #""products": ["ean_1", "ean_2"], "updatedAt": @2, "edited": {"products": @2}"#,
    theirs: #""products": ["ean_3"], "updatedAt": @3, "edited": {"products": @3}"#,
    joined: #""products": ["ean_3"], "updatedAt": @3, "edited": {"products": @3}"#),
]

// MARK: - Fields that mean something only together

let groupCases: [JoinCase] = [
  JoinCase(
    "an item's unit goes with its full stock", .stockItem,
    ours:
      #""unit": "gram", "quantityFullStock": 500, "updatedAt": @2, "edited": {"quantityFullStock": @2, "unit": @2}"#,
    theirs: #""quantityFullStock": 2, "updatedAt": @3, "edited": {"quantityFullStock": @3}"#,
    joined: #""quantityFullStock": 2, "updatedAt": @3, "edited": {"quantityFullStock": @3}"#),
  JoinCase(
    "an amount goes with its currency, absence included", .receipt,
    ours:
      #""amount": 5, "currency": "EUR", "updatedAt": @2, "edited": {"amount": @2, "currency": @2}"#,
    theirs: #""amount": 7, "updatedAt": @3, "edited": {"amount": @3}"#,
    joined: #""amount": 7, "updatedAt": @3, "edited": {"amount": @3}"#),
  JoinCase(
    "an entry has the item or the name, never one of each side", .shoppingListEntry,
    ours:
      #""itemId": null, "name": "Bread", "updatedAt": @3, "edited": {"itemId": @3, "name": @3}"#,
    theirs: #""itemId": #101, "updatedAt": @2, "edited": {"itemId": @2}"#,
    joined:
      #""itemId": null, "name": "Bread", "updatedAt": @3, "edited": {"itemId": @3, "name": @3}"#),
  JoinCase(
    "a tie of a group compares the members that are there, in the order of their names", .product,
    ours: #""packSize": 1, "unit": "liter", "updatedAt": @2, "edited": {"packSize": @2}"#,
    theirs: #""packSize": 1, "unit": "gram", "updatedAt": @2, "edited": {"packSize": @2}"#,
    joined: #""packSize": 1, "unit": "liter", "updatedAt": @2, "edited": {"packSize": @2}"#),
]

// MARK: - Tombstones

let tombstoneCases: [JoinCase] = [
  JoinCase(
    "of equal stamps the deleted one wins", .stockItem,
    ours: #""isArchived": false, "updatedAt": @2, "edited": {"isArchived": @2}"#,
    theirs: #""isArchived": true, "updatedAt": @2, "edited": {"isArchived": @2}"#,
    joined: #""isArchived": true, "updatedAt": @2, "edited": {"isArchived": @2}"#),
  JoinCase(
    "a later restore beats a deletion", .stockItem,
    ours: #""isArchived": false, "updatedAt": @3, "edited": {"isArchived": @3}"#,
    theirs: #""isArchived": true, "updatedAt": @2, "edited": {"isArchived": @2}"#,
    joined: #""isArchived": false, "updatedAt": @3, "edited": {"isArchived": @3}"#),
  JoinCase(
    "a deleted entity keeps what was written at the same time", .stockItem,
    ours: #""isArchived": true, "updatedAt": @2, "edited": {"isArchived": @2}"#,
    theirs: #""name": "Rye", "updatedAt": @3, "edited": {"name": @3}"#,
    joined: #"""
      "name": "Rye", "isArchived": true, "updatedAt": @3, "edited": {"isArchived": @2, "name": @3}
      """#),
  JoinCase(
    "of equal stamps discarded beats active", .inventoryItem,
    ours: #""status": "consumed", "consumedAt": @1, "updatedAt": @2, "edited": {"status": @2}"#,
    theirs: #""status": "discarded", "updatedAt": @2, "edited": {"status": @2}"#,
    joined: #""status": "discarded", "updatedAt": @2, "edited": {"status": @2}"#),
  JoinCase(
    "of equal stamps archived beats discarded, though its bytes are smaller", .inventoryItem,
    ours: #""status": "archived", "updatedAt": @2, "edited": {"status": @2}"#,
    theirs: #""status": "discarded", "updatedAt": @2, "edited": {"status": @2}"#,
    joined: #""status": "archived", "updatedAt": @2, "edited": {"status": @2}"#),
  JoinCase(
    "of equal stamps archived beats consumed, which reads as active", .inventoryItem,
    ours: #""status": "consumed", "consumedAt": @1, "updatedAt": @2, "edited": {"status": @2}"#,
    theirs: #""status": "archived", "updatedAt": @2, "edited": {"status": @2}"#,
    joined: #""status": "archived", "updatedAt": @2, "edited": {"status": @2}"#),
]
