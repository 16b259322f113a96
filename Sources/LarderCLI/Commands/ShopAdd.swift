import LarderJSON
import LarderKit
import LarderModel

/// `larder shop add`.
enum ShopAdd {
  private static let thing = Argument(
    "ITEM-or-NAME", values: .named("stock"),
    help: "an item of the stock, or the name of anything else")
  private static let amount = Argument(
    "N", .optional(standard: nil), help: "how much; what is missing to the full stock if left out")

  static let command = Command(
    "add", summary: "Put something on the shopping list",
    discussion: """
      An item has one entry: where it is on the list already, its quantity changes. A name that is \
      no item makes an entry of its own.
      """,
    examples: [
      Example("larder shop add milk", "as much as is missing to the full stock"),
      Example("larder shop add eggs 12 --note 'free range'"),
      Example("larder shop add 'Light bulb E27' 2"),
    ],
    arguments: [thing, amount], options: [StockCommand.unit, ShopCommand.note]
  ) { invocation in
    let typed = try invocation.given(amount)
      .map { try invocation.quantity($0, for: amount.name, StockCommand.unit) }
    let unit = try invocation.unit(StockCommand.unit)
    let change = try invocation.change { edit, writer, survey in
      let wish: Wish
      if let item = try survey.naming.item(invocation[thing]) {
        wish = Wish(
          item: item, entry: survey.entry(of: item),
          quantity: try survey.quantity(typed, of: item), writer)
      } else {
        let name = try invocation.newName(thing)
        let quantity = Quantity(typed?.value ?? Number(1), typed?.unit ?? unit ?? .piece)
        wish = Wish(
          name: name, entry: survey.freeEntry(name), quantity: try quantity.aboveZero(),
          isQuantityTyped: typed != nil, writer)
      }
      wish.put(note: invocation.trimmed(ShopCommand.note), in: &edit, by: writer)
      return "put \(wish.title) on the shopping list"
    }
    let lines = change.own.compactMap { key in change[key].map { change.wanted($0) } }
    invocation.output.report(change, lines: lines)
    if change.isNothing { invocation.output.note("nothing to change: it is on the list already") }
    tellNear(invocation, change)
  }

  /// A free entry may be an item's name mistyped.
  private static func tellNear(_ invocation: Invocation, _ change: Change) {
    guard change.own.contains(where: { change[$0]?.itemID == nil }) else { return }
    let names = change.after.household.all(.stockItem).filter { !$0.isTombstone }.map(\.title)
    guard let near = suggestions(for: invocation[thing], among: names.sorted()).first else {
      return
    }
    invocation.output.note("no item has that name; did you mean '\(near)'?")
  }
}

/// What is to be on the list, and the entry that there is.
private struct Wish {
  let title: String
  private let id: String
  private let subject: (name: String, value: JSON)
  private let entry: Entity?
  private let quantity: Quantity?

  /// A wish for an item, whose own entry every device gives the same id.
  init(item: Entity, entry: Entity?, quantity: Quantity, _ writer: Writer) {
    title = item.title
    id = entry?.id ?? ShoppingEntry.id(of: item)
    subject = ("itemId", .string(item.id))
    self.entry = entry
    self.quantity = quantity
  }

  /// A wish for anything else.
  init(
    name: String, entry: Entity?, quantity: Quantity, isQuantityTyped: Bool, _ writer: Writer
  ) {
    title = entry?.title ?? name
    id = entry?.id ?? writer.newID()
    subject = ("name", .string(title))
    self.entry = entry
    self.quantity = isQuantityTyped || entry == nil ? quantity : nil
  }

  /// Makes, revives or changes the entry.
  func put(note: String?, in edit: inout Edit, by writer: Writer) {
    var fields: [(name: String, value: JSON?)] = []
    if let quantity {
      fields.append(("desiredQuantity", quantity.value.json))
      fields.append(("unit", .string(quantity.unit.rawValue)))
    }
    if let note { fields.append(("note", note.isEmpty ? nil : .string(note))) }
    guard let entry else {
      edit.put(edit.new(.shoppingListEntry, id: id, [subject] + fields, by: writer))
      return
    }
    if entry.isTombstone {
      fields += [("isDeleted", .bool(false)), ("isCompleted", .bool(false))]
    }
    edit.write(fields, to: entry.key, now: writer.now)
  }
}

extension Survey {
  /// An item's entry: the one on the list, else its own, which may be off the list.
  func entry(of item: Entity) -> Entity? {
    let own = household[.shoppingListEntry, ShoppingEntry.id(of: item)]
    if let own, !own.isTombstone { return own }
    let others = household.all(.shoppingListEntry).filter {
      $0.itemID == item.id && !$0.isTombstone
    }
    return others.min { $0.id < $1.id } ?? own
  }

  /// The entry on the list that is no item's and has that name.
  fileprivate func freeEntry(_ name: String) -> Entity? {
    let wanted = fold(name)
    return household.all(.shoppingListEntry)
      .filter { !$0.isTombstone && $0.itemID == nil && fold($0.title) == wanted }
      .min { $0.id < $1.id }
  }

  /// What was typed, in a unit of the item's sort, else what is missing, and at least one.
  fileprivate func quantity(_ typed: TypedQuantity?, of item: Entity) throws(RuleError) -> Quantity
  {
    guard let typed else { return Quantity(max(missing(of: item), Number(1)), item.unit) }
    let quantity = try typed.quantity(for: item).aboveZero()
    guard quantity.unit.converts(to: item.unit) else {
      throw .unitsDoNotConvert(of: item.title, quantity.unit, item.unit)
    }
    return quantity
  }
}

extension Quantity {
  /// The same, refused unless it is above zero.
  func aboveZero() throws(RuleError) -> Quantity {
    guard value > .zero else { throw .notAboveZero(self) }
    return self
  }
}

extension Change {
  /// How an entry stands now: `Milk is on the shopping list: 2 l (6 l before)`.
  func wanted(_ entry: Entity) -> String {
    let title = after.naming.title(of: entry)
    let old = before.household[entry.key].flatMap { $0.isTombstone ? nil : $0.desired }
    let change = old.map { $0 == entry.desired ? "" : " (\($0) before)" } ?? ""
    let place = entry.isCompleted ? "in the basket" : "on the shopping list"
    let note = entry.note.map { ", \($0)" } ?? ""
    return "\(title) is \(place): \(entry.desired)\(change)\(note)"
  }
}
