package import LarderJSON
package import LarderModel
package import LarderStore
package import LarderText
package import Testing
import TestSupport

extension Store {
  @discardableResult
  package func newItem(
    _ name: String, _ quantity: Int = 0, full: Int = 0, unit: LarderModel.Unit = .piece
  ) throws -> EntityKey {
    try commit(as: "stock new") { edit, writer in
      let item = edit.new(
        .stockItem,
        [
          ("name", .string(name)), ("unit", .string(unit.rawValue)),
          ("quantityFullStock", Number(full).json),
        ], by: writer)
      edit.put(item)
      if quantity > 0 {
        _ = try edit.count(Quantity(Number(quantity), unit), of: item, by: writer)
      }
      return ("new \(name)", item.key)
    }.get().value
  }

  @discardableResult
  package func newLocation(_ name: String) throws -> EntityKey {
    try commit(as: "location new") { edit, writer in
      let place = edit.new(.storageLocation, [("name", .string(name))], by: writer)
      edit.put(place)
      return ("new \(name)", place.key)
    }.get().value
  }

  /// Puts two of an item into the basket.
  package func fillBasket(with item: EntityKey) throws {
    try commit(as: "shop buy") { (edit, writer) throws(Never) in
      edit.put(
        edit.new(
          .shoppingListEntry,
          [
            ("itemId", .string(item.id)), ("desiredQuantity", Number(2).json),
            ("isCompleted", .bool(true)),
          ], by: writer))
      return ("put it into the basket", ())
    }.get().value
  }

  /// Saves the basket as a receipt, with an optional expiry day for all lines.
  package func saveBasket(until day: Day? = nil) throws {
    try commit(as: "receipt save") { edit, writer in
      var purchase = Edit.Purchase(shop: "Corner")
      purchase.entries = edit.after.all(.shoppingListEntry).filter(\.isCompleted)
      for entry in purchase.entries where day != nil {
        var line = ReceiptLine(
          id: writer.newID(), itemName: "", quantity: entry.desired.value, unit: nil,
          itemID: entry.itemID)
        line.expiry = day
        purchase.lines.append(line)
      }
      _ = try edit.save(purchase, by: writer)
      return ("save the basket", ())
    }.get().value
  }

  @discardableResult
  package func consume(_ item: EntityKey, _ quantity: Int) throws -> Writing {
    try commit(as: "stock use") { edit, writer in
      let current = try #require(edit.after[item])
      _ = try edit.take(Quantity(Number(quantity), current.unit), from: current, by: writer)
      return ("consume", ())
    }.get().writing
  }

  @discardableResult
  package func set(_ field: String, _ value: JSON?, of key: EntityKey) throws -> Writing {
    try commit(as: "edit") { (edit, writer) throws(Never) in
      edit.write([(FieldName(field), value)], to: key, now: writer.now)
      return ("edit", ())
    }.get().writing
  }

  package func entity(_ key: EntityKey, _ location: SourceLocation = #_sourceLocation) throws
    -> Entity
  {
    try #require(try read().household[key], sourceLocation: location)
  }

  package func path(_ key: EntityKey, _ location: SourceLocation = #_sourceLocation) throws
    -> FilePath
  {
    try #require(try read().household.path(of: key), sourceLocation: location)
  }

  package func quantity(_ key: EntityKey) throws -> Number { try entity(key).quantity.value }

  package func name(_ key: EntityKey) throws -> String? { try entity(key).name }

  /// Returns the item with a name.
  package func item(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> Entity
  {
    let found = try read().household.all(.stockItem).filter { $0.name == name }
    try #require(found.count == 1, "one item is called \(name)", sourceLocation: location)
    return found[0]
  }
}
