import LarderModel

/// A ledger entry as a file has it.
private func entry(_ id: Int, at: String, _ event: String, by: String = "phone") -> String {
  #"{ "id": #\#(id), "at": \#(at), \#(event), "why": "edit", "by": "\#(by)" }"#
}

let ledgerCases: [JoinCase] = [
  JoinCase(
    "changes of both sides add up", .stockItem,
    ours:
      #""quantityInStock": 2, "updatedAt": @2, "changes": [\#(entry(1, at: "@2", #""delta": 2"#))]"#,
    theirs:
      #""quantityInStock": 3, "updatedAt": @3, "changes": [\#(entry(2, at: "@3", #""delta": 3"#))]"#,
    joined: #"""
      "quantityInStock": 5, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@2", #""delta": 2"#)), \#(entry(2, at: "@3", #""delta": 3"#))]
      """#),
  JoinCase(
    "a change that both have counts once", .stockItem,
    ours:
      #""quantityInStock": 2, "updatedAt": @2, "changes": [\#(entry(1, at: "@2", #""delta": 2"#))]"#,
    theirs: #"""
      "quantityInStock": 1, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@2", #""delta": 2"#)), \#(entry(2, at: "@3", #""delta": -1"#))]
      """#,
    joined: #"""
      "quantityInStock": 1, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@2", #""delta": 2"#)), \#(entry(2, at: "@3", #""delta": -1"#))]
      """#),
  JoinCase(
    "a count replaces what came before and keeps what comes after", .stockItem,
    ours:
      #""quantityInStock": 9, "updatedAt": @3, "changes": [\#(entry(2, at: "@3", #""set": 9"#))]"#,
    theirs: #"""
      "quantityInStock": 5, "updatedAt": @4,
      "changes": [\#(entry(1, at: "@2", #""delta": 4"#)), \#(entry(3, at: "@4", #""delta": 1"#))]
      """#,
    joined: #"""
      "quantityInStock": 10, "updatedAt": @4,
      "changes": [
        \#(entry(1, at: "@2", #""delta": 4"#)), \#(entry(2, at: "@3", #""set": 9"#)),
        \#(entry(3, at: "@4", #""delta": 1"#))
      ]
      """#),
  JoinCase(
    "at one instant a count comes before a change, whatever their ids", .stockItem,
    ours:
      #""quantityInStock": 4, "updatedAt": @3, "changes": [\#(entry(1, at: "@3", #""delta": 4"#))]"#,
    theirs:
      #""quantityInStock": 9, "updatedAt": @3, "changes": [\#(entry(2, at: "@3", #""set": 9"#))]"#,
    joined: #"""
      "quantityInStock": 13, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@3", #""delta": 4"#)), \#(entry(2, at: "@3", #""set": 9"#))]
      """#),
  JoinCase(
    "of two counts at one instant the greater id wins", .stockItem,
    ours:
      #""quantityInStock": 7, "updatedAt": @3, "changes": [\#(entry(1, at: "@3", #""set": 7"#))]"#,
    theirs:
      #""quantityInStock": 2, "updatedAt": @3, "changes": [\#(entry(2, at: "@3", #""set": 2"#))]"#,
    joined: #"""
      "quantityInStock": 2, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@3", #""set": 7"#)), \#(entry(2, at: "@3", #""set": 2"#))]
      """#),
  JoinCase(
    "two devices that each used the last one leave less than nothing", .stockItem,
    ours: #"""
      "quantityInStock": 0, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@2", #""set": 1"#)), \#(entry(2, at: "@3", #""delta": -1"#))]
      """#,
    theirs: #"""
      "quantityInStock": 0, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@2", #""set": 1"#)), \#(entry(3, at: "@3", #""delta": -1"#))]
      """#,
    joined: #"""
      "quantityInStock": -1, "updatedAt": @3,
      "changes": [
        \#(entry(1, at: "@2", #""set": 1"#)), \#(entry(2, at: "@3", #""delta": -1"#)),
        \#(entry(3, at: "@3", #""delta": -1"#))
      ]
      """#),
  JoinCase(
    "an undo takes the other side's entry back", .stockItem,
    ours:
      #""quantityInStock": 4, "updatedAt": @2, "changes": [\#(entry(1, at: "@2", #""delta": 4"#))]"#,
    theirs: #"""
      "quantityInStock": 0, "updatedAt": @3, "changes": [\#(entry(2, at: "@3", #""undoes": #1"#))]
      """#,
    joined: #"""
      "quantityInStock": 0, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@2", #""delta": 4"#)), \#(entry(2, at: "@3", #""undoes": #1"#))]
      """#),
  JoinCase(
    "an undone count lets the count before it stand again", .stockItem,
    ours: #"""
      "quantityInStock": 4, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@2", #""set": 4"#)), \#(entry(3, at: "@3", #""undoes": #2"#))]
      """#,
    theirs:
      #""quantityInStock": 9, "updatedAt": @2+5, "changes": [\#(entry(2, at: "@2+5", #""set": 9"#))]"#,
    joined: #"""
      "quantityInStock": 4, "updatedAt": @3,
      "changes": [
        \#(entry(1, at: "@2", #""set": 4"#)), \#(entry(2, at: "@2+5", #""set": 9"#)),
        \#(entry(3, at: "@3", #""undoes": #2"#))
      ]
      """#),
  JoinCase(
    "of two entries under one id the later stands", .stockItem,
    ours:
      #""quantityInStock": 4, "updatedAt": @3, "changes": [\#(entry(1, at: "@3", #""delta": 4"#))]"#,
    theirs:
      #""quantityInStock": 5, "updatedAt": @2, "changes": [\#(entry(1, at: "@2", #""delta": 5"#))]"#,
    joined:
      #""quantityInStock": 4, "updatedAt": @3, "changes": [\#(entry(1, at: "@3", #""delta": 4"#))]"#
  ),
  JoinCase(
    "of two entries under one id and time the greater bytes stand", .stockItem,
    ours:
      #""quantityInStock": 10, "updatedAt": @2, "changes": [\#(entry(1, at: "@2", #""delta": 10"#))]"#,
    theirs:
      #""quantityInStock": 9, "updatedAt": @2, "changes": [\#(entry(1, at: "@2", #""delta": 9"#))]"#,
    joined:
      #""quantityInStock": 9, "updatedAt": @2, "changes": [\#(entry(1, at: "@2", #""delta": 9"#))]"#
  ),
  JoinCase(
    "of two entries under one derived id the earlier stands", .stockItem,
    ours: #"""
      "quantityInStock": 4, "updatedAt": @3,
      "changes": [{ "id": "00000000-0000-5000-8000-000000000001", "at": @3, "delta": 4, "why": "add", "by": "phone" }]
      """#,
    theirs: #"""
      "quantityInStock": 5, "updatedAt": @2,
      "changes": [{ "id": "00000000-0000-5000-8000-000000000001", "at": @2, "delta": 5, "why": "add", "by": "phone" }]
      """#,
    joined: #"""
      "quantityInStock": 5, "updatedAt": @2,
      "changes": [{ "id": "00000000-0000-5000-8000-000000000001", "at": @2, "delta": 5, "why": "add", "by": "phone" }]
      """#),
  JoinCase(
    "grams and kilograms add up in the item's unit", .stockItem,
    ours: #"""
      "unit": "kilogram", "quantityInStock": 1.5, "updatedAt": @2,
      "changes": [\#(entry(1, at: "@2", #""delta": 1.5, "unit": "kilogram""#))]
      """#,
    theirs: #"""
      "unit": "kilogram", "quantityInStock": 0.25, "updatedAt": @3,
      "changes": [\#(entry(2, at: "@3", #""delta": 250, "unit": "gram""#))]
      """#,
    joined: #"""
      "unit": "kilogram", "quantityInStock": 1.75, "updatedAt": @3,
      "changes": [
        \#(entry(1, at: "@2", #""delta": 1.5, "unit": "kilogram""#)),
        \#(entry(2, at: "@3", #""delta": 250, "unit": "gram""#))
      ]
      """#),
  JoinCase(
    "an entry that does not convert is kept and left out of the sum", .stockItem,
    ours: #"""
      "unit": "gram", "quantityInStock": 0, "updatedAt": @2, "edited": {"unit": @2}
      """#,
    theirs:
      #""quantityInStock": 3, "updatedAt": @3, "changes": [\#(entry(2, at: "@3", #""delta": 3"#))]"#,
    joined: #"""
      "unit": "gram", "quantityInStock": 0, "updatedAt": @3, "edited": {"unit": @2},
      "changes": [\#(entry(2, at: "@3", #""delta": 3"#))]
      """#),
  JoinCase(
    "a batch at zero shows as consumed since the entry that emptied it", .inventoryItem,
    ours: #"""
      "quantity": {"value": 1, "unit": "piece"}, "updatedAt": @3,
      "changes": [\#(entry(1, at: "@2", #""set": 2"#)), \#(entry(2, at: "@3", #""delta": -1"#))]
      """#,
    theirs: #"""
      "quantity": {"value": 1, "unit": "piece"}, "updatedAt": @4,
      "changes": [\#(entry(1, at: "@2", #""set": 2"#)), \#(entry(3, at: "@4", #""delta": -1"#))]
      """#,
    joined: #"""
      "quantity": {"value": 0, "unit": "piece"}, "status": "consumed", "consumedAt": @4,
      "updatedAt": @4,
      "changes": [
        \#(entry(1, at: "@2", #""set": 2"#)), \#(entry(2, at: "@3", #""delta": -1"#)),
        \#(entry(3, at: "@4", #""delta": -1"#))
      ]
      """#),
  JoinCase(
    "a discarded batch keeps its rest and the use that comes later", .inventoryItem,
    ours: #"""
      "quantity": {"value": 2, "unit": "piece"}, "status": "discarded", "updatedAt": @3,
      "edited": {"status": @3}, "changes": [\#(entry(1, at: "@2", #""set": 2"#))]
      """#,
    theirs: #"""
      "quantity": {"value": 1, "unit": "piece"}, "updatedAt": @4,
      "changes": [\#(entry(1, at: "@2", #""set": 2"#)), \#(entry(2, at: "@4", #""delta": -1"#))]
      """#,
    joined: #"""
      "quantity": {"value": 1, "unit": "piece"}, "status": "discarded", "updatedAt": @4,
      "edited": {"status": @3},
      "changes": [\#(entry(1, at: "@2", #""set": 2"#)), \#(entry(2, at: "@4", #""delta": -1"#))]
      """#),
]
