internal import LarderJSON
internal import LarderKit

/// Why an act was refused, for a program (docs/protocol.md).
enum ActRefusal {
  /// Less is there than the act takes.
  case short(there: Quantity)
  /// An item has the name or the number already.
  case taken(item: String, isArchived: Bool)
  /// The thing that the act is about is not there.
  case gone
  /// Somebody else saved the basket.
  case saved(SavedBasketNews)

  /// Reads the reason from the error itself; nil for other ones.
  init?(_ error: any Error) {
    switch error {
    case RuleError.notEnough(_, _, let there), RuleError.tooMuch(_, _, let there),
      RuleError.tooLittleElsewhere(_, _, _, let there):
      self = .short(there: there)
    case RuleError.nameIsTaken(.stockItem, _, let holder, _):
      self = .taken(item: holder, isArchived: false)
    case RuleError.productIsClaimed(_, let holder, let isArchived):
      self = .taken(item: holder, isArchived: isArchived)
    case RuleError.itemIsArchived, RuleError.entryIsClosed, RuleError.receiptIsVoid,
      RuleError.batchIsNotActive, RuleError.notOnReceipt, RuleError.unknownLocation,
      RuleError.locationIsArchived, RuleError.unknownProduct, NamingError.notFound,
      ActError.unknownAct, ActError.nothingLoose:
      self = .gone
    case ActError.basketIsSaved(let saved): self = .saved(saved)
    default: return nil
    }
  }

  /// The member `because` of an answer; an item is looked up by its name.
  func json(in survey: Survey?) -> JSON {
    switch self {
    case .short(let there):
      return [
        "kind": .string("short"), "there": there.value.json, "unit": .string(there.unit.rawValue),
      ]
    case .taken(let title, let isArchived):
      let named = survey?.household.all(.stockItem).first {
        $0.title == title && $0.isTombstone == isArchived
      }
      return [
        "kind": .string("taken"), "item": named.map { .string($0.id) },
        "isArchived": isArchived ? .bool(true) : nil,
      ]
    case .gone: return ["kind": .string("gone")]
    case .saved(let saved):
      return [
        "kind": .string("saved"), "receipt": .string(saved.receipt),
        "by": saved.saver.map { .string($0) }, "at": .string(saved.at.description),
      ]
    }
  }
}
