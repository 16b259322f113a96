import LarderJSON
import LarderKit
import LarderModel

extension QuantityChange {
  /// Returns the sum of the parts in a unit.
  func amount(in unit: Unit) -> Quantity {
    let sum = parts.reduce(Number.zero) { $0 + ($1.quantity.converted(to: unit) ?? .zero) }
    return Quantity(sum.rounded, unit)
  }

  /// Returns the sentence about a use: the quantity, its sources and the rest.
  ///
  /// An example is `used 1 l of Oat milk (batch of 2026-11-28, Fridge), 2 l left`.
  func sentence(_ verb: String, _ item: Entity, in change: Outcome) -> String {
    let unit = parts.first?.quantity.unit ?? item.unit
    let amount = "\(verb) \(self.amount(in: unit)) of \(item.title)"
    let rest = total.value == .zero ? "none left" : "\(total) left"
    let hasBatches = !change.before.stock.batches(of: item).isEmpty
    let sources = parts.map { part in
      change[part.key].map { source in
        source.kind == .inventoryItem
          ? [change.after.words(for: source), change.after.passedWords(for: source)]
            .compactMap(\.self).joined(separator: ", ") : "loose"
      } ?? "loose"
    }
    switch parts.count {
    case 0: return "\(amount), \(rest)"
    case 1: return hasBatches ? "\(amount) (\(sources[0])), \(rest)" : "\(amount), \(rest)"
    default:
      let each = zip(parts, sources).map { "\($0.quantity) (\($1))" }.joined(separator: ", ")
      return "\(amount): \(each); \(rest)"
    }
  }

  /// Returns the words about a request that was done before; empty for a new one.
  func words(onRequest request: String?) -> String {
    guard isRepeated else { return "" }
    let before = " (done before under \(request ?? "this request")"
    return before
      + (isTakenBack ? " and taken back since; another --request-id does it again)" : ")")
  }

  /// Returns the change for JSON output: the parts with what is left of each, and the total.
  func json(_ item: Entity, in change: Outcome) -> [JSONMember] {
    let parts = parts.map { part in
      JSON.object([
        JSONMember("kind", .string(part.key.kind.rawValue)),
        JSONMember("id", .string(part.key.id)),
        JSONMember("quantity", part.quantity.json), JSONMember("rest", part.rest.json),
      ])
    }
    return [
      JSONMember("item", .string(item.id)), JSONMember("parts", .array(parts)),
      JSONMember("total", total.value.json), JSONMember("unit", .string(total.unit.rawValue)),
      JSONMember("isRepeated", .bool(isRepeated)), JSONMember("isTakenBack", .bool(isTakenBack)),
    ]
  }
}
