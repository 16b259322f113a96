internal import LarderJSON

extension Schema {
  public static func of(_ kind: Kind) -> Schema {
    switch kind {
    case .household: household
    case .stockItem: stockItem
    case .inventoryItem: inventoryItem
    case .storageLocation: storageLocation
    case .product: product
    case .shoppingListEntry: shoppingListEntry
    case .receipt: receipt
    }
  }

  private static let userID = Field(
    .userID, .id, .derived, "Who made this: the device's own id, or the signed-in user's.")
  private static let archived = Field(
    .isArchived, .flag, .defaulted(.bool(false)),
    "True once it is deleted; restore brings it back.")
  private static let deleted = Field(
    .isDeleted, .flag, .defaulted(.bool(false)), "True once it is closed or deleted.")
  private static let householdID = Field(
    .householdID, .id, .derived, "The id in household.json.")
  private static let unit = Field(
    .unit, .unit, .defaulted(.string("piece")), "What the quantities are counted in.")

  static let household = Schema(
    .household, "The household itself.",
    fields: [
      Field(
        .format, .formatVersion, .defaulted(.number(firstFormat)), "The version of this format."),
      Field(.id, .id, .derived, "The household's id."),
      Field(.name, .name, .required, "What the household is called."),
      Field(
        .timeZone, .timeZone, .defaulted(.string("UTC")),
        "Where days begin and end, as the time zone database names it."),
      Field(.currency, .currency, .optional, "The usual currency of receipts (ISO 4217)."),
      Field(
        .expiringWithinDays, .days, .defaulted(.number("14")),
        "How many days ahead a batch counts as expiring."),
    ])

  static let stockItem = Schema(
    .stockItem, "Something we keep, and how much of it we want.",
    fields: [
      Field(.id, .id, .derived, "The item's id."),
      Field(.name, .name, .required, "What the item is called."),
      Field(
        .aliases, .list(of: .name), .optional, "What receipts and people call it besides its name."),
      Field(.category, .name, .optional, "The group it is listed under."),
      unit,
      Field(
        .quantityInStock, .number, .derived,
        "All there is. Of an item without batches, the sum of the ledger."),
      Field(
        .quantityLoose, .number, .derived,
        "Of an item that has batches, in place of `quantityInStock`: what lies loose beside them, "
          + "the sum of the ledger."),
      Field(
        .quantityFullStock, .numberNotNegative, .defaulted(.number("0")),
        "How much there should be; 0 where nothing in particular is wanted."),
      Field(
        .quantityMinimum, .numberNotNegative, .optional,
        "Below this there is too little; without one, below half of what there should be."),
      Field(
        .keepsDays, .days, .optional, "How many days it keeps where nobody said until when."),
      Field(
        .storageLocationID, .text, .optional,
        "The id of the place where it is put where nobody said another.",
        refersTo: .storageLocation),
      Field(
        .products, .list(of: .reference), .optional, "Ids of the products that count as this item."
      ),
      Field(.note, .text, .optional, "Anything else."),
      archived, userID,
    ],
    groups: [[.quantityFullStock, .quantityMinimum, .unit]],
    quantity: .loose, tombstone: Tombstone(field: .isArchived, value: .bool(true)),
    namesAreUnique: true)

  static let inventoryItem = Schema(
    .inventoryItem, "A batch of an item, with a date or in a place.", title: nil,
    fields: [
      Field(.id, .id, .derived, "The batch's id."),
      householdID,
      Field(
        .productRef,
        .object([
          Field(.productID, .reference, .required, "The product's id, or the item's own."),
          Field(
            .snapshot,
            .object([
              Field(.title, .text, .optional, "The product's title when the batch was made."),
              Field(.brand, .text, .optional, "The product's brand then."),
              Field(.imageURL, .text, .optional, "A picture of the product."),
            ]), .optional, "What the catalogue said; advisory only."),
        ]), .required, "What the batch is of."),
      Field(
        .quantity,
        .object([
          Field(.value, .number, .derived, "What is left: the sum of the ledger."),
          unit,
        ]), .defaulted(.object([JSONMember("unit", .string("piece"))])), "How much is left."),
      Field(
        .status, .choice(["active", "consumed", "discarded", "archived"]),
        .defaulted(.string("active")),
        "Written active, discarded or archived; an active batch at or below zero shows as consumed."
      ),
      Field(
        .storageLocationID, .text, .defaulted(.string("")),
        "The place's id; empty where nobody said.", refersTo: .storageLocation),
      Field(.lotOrBatchCode, .name, .optional, "The code printed on the package."),
      Field(
        .expiryInfo, .object(dateFields(.day, "; a day of 0.5 or less is a guess")), .optional,
        "Until when it keeps."),
      Field(.openedInfo, .object(dateFields(.instant)), .optional, "When it was opened."),
      Field(.notes, .text, .optional, "Anything else."),
      Field(.consumedAt, .instant, .derived, "When it was used up, while it is."),
      userID,
    ],
    quantity: .nested, tombstone: Tombstone(field: .status, value: .string("discarded")))

  private static func dateFields(_ date: FieldType, _ more: String = "") -> [Field] {
    [
      Field(
        .kind,
        .choice(["expiry", "opened", "bestBefore", "useBy", "manufactured", "packaged"]),
        .required, "What sort of date it is."),
      Field(.rawText, .text, .optional, "The date as it stood on the package."),
      Field(
        .confidence, .confidence, .defaulted(.number("1")),
        "How sure the date is, from 0 to 1\(more)."),
      Field(.isoDate, date, .optional, "The date."),
    ]
  }

  static let storageLocation = Schema(
    .storageLocation, "A place where things are kept.",
    fields: [
      Field(.id, .id, .derived, "The place's id."),
      householdID,
      Field(.name, .name, .required, "What the place is called."),
      Field(.isColdStorage, .flag, .defaulted(.bool(false)), "True for a fridge or freezer."),
      archived, userID,
    ], tombstone: Tombstone(field: .isArchived, value: .bool(true)), namesAreUnique: true)

  static let product = Schema(
    .product, "A catalogue entry: what barcodes stand for.", title: .title,
    fields: [
      Field(.id, .reference, .derived, "The catalogue's id, as in ean_4006381333931."),
      Field(.title, .name, .required, "The product's title."),
      Field(.brand, .text, .optional, "The product's brand."),
      Field(.imageURL, .text, .optional, "A picture of the product."),
      Field(.barcodes, .list(of: .reference), .optional, "The numbers under its barcodes."),
      Field(.unit, .unit, .optional, "What the pack's size is counted in."),
      Field(.packSize, .numberNotNegative, .optional, "How much one pack holds."),
      Field(
        .bestAfterOpeningDays, .days, .optional, "How many days it keeps once it is open."),
      archived, userID,
    ],
    groups: [[.packSize, .unit]],
    tombstone: Tombstone(field: .isArchived, value: .bool(true)))

  static let shoppingListEntry = Schema(
    .shoppingListEntry, "Something to buy.",
    fields: [
      Field(
        .id, .id, .derived, "The entry's id; an item's own entry has one made from the item's."),
      Field(.itemID, .id, .optional, "The StockItem to buy.", refersTo: .stockItem),
      Field(.name, .name, .optional, "What to buy, where it is no StockItem."),
      Field(
        .desiredQuantity, .numberNotNegative, .defaulted(.number("1")), "How much to buy."),
      unit,
      Field(.note, .text, .optional, "What to look for."),
      Field(.isCompleted, .flag, .defaulted(.bool(false)), "True once it is in the basket."),
      deleted, userID,
    ],
    groups: [[.desiredQuantity, .unit], [.itemID, .name]],
    tombstone: Tombstone(field: .isDeleted, value: .bool(true)))

  static let receipt = Schema(
    .receipt, "What was bought, where, when and for how much.", title: .shopName,
    fields: [
      Field(.id, .id, .derived, "The receipt's id."),
      Field(.shopName, .name, .required, "The shop."),
      Field(.timestamp, .instant, .derived, "When it was paid."),
      Field(.amount, .number, .optional, "The total that was paid."),
      Field(
        .currency, .currency, .optional, "The currency of the amount and the prices (ISO 4217)."),
      Field(.items, .list(of: .object(lineFields)), .defaulted(.array([])), "The lines."),
      deleted, userID,
    ],
    groups: [[.amount, .currency]],
    tombstone: Tombstone(field: .isDeleted, value: .bool(true)))

  private static let lineFields = [
    Field(.id, .id, .derived, "The line's id; its ledger entry's id is made from it."),
    Field(.itemName, .name, .required, "What the line says."),
    Field(.quantity, .numberNotNegative, .required, "How much was bought."),
    Field(
      .unit, .unit, .optional, "What the quantity is counted in; the item's unit if left out."),
    Field(
      .itemID, .id, .optional, "The StockItem that the quantity goes to.", refersTo: .stockItem),
    Field(.price, .number, .optional, "The line's total."),
    Field(.expiry, .day, .optional, "Until when it keeps."),
    Field(
      .location, .text, .optional, "The id of the place it went to.", refersTo: .storageLocation),
    Field(.lot, .text, .optional, "The code printed on the package."),
  ]

  static let ledgerFields = [
    Field(.id, .id, .derived, "The entry's id."),
    Field(.at, .instant, .derived, "When it happened."),
    Field(.delta, .number, .optional, "How much came or, below zero, went."),
    Field(.set, .number, .optional, "How much there was: a count."),
    Field(.undoes, .id, .optional, "The entry that this one takes back."),
    Field(.unit, .unit, .optional, "What it is counted in; left out for piece."),
    Field(
      .why, .choice(["add", "receipt", "consume", "count", "spoil", "move", "undo", "edit"]),
      .defaulted(.string("edit")), "What happened."),
    Field(.by, .text, .defaulted(.string("edit")), "The device that wrote it."),
    Field(.request, .name, .optional, "The request it serves, which counts once in the ledger."),
    Field(.receipt, .id, .optional, "The receipt it comes from."),
    Field(.note, .text, .optional, "Anything else."),
    Field(
      .total, .number, .optional,
      "Beside the set of an item: all there was then, loose and in batches."),
  ]
}
