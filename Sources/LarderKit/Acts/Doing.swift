internal import LarderJSON
internal import LarderModel
internal import LarderText

/// The way of each deed into the rules.
struct Doing {
  let act: Act
  /// When somebody did it, also where it is done at another moment.
  let moment: Instant
  /// Finds what an earlier act made.
  let made: (String, Kind) throws -> Entity?

  /// Makes the change, says its subject, and returns what it made.
  func run(_ change: inout Change) throws -> EntityKey? {
    switch act.deed {
    case .got(let entry): try mark(entry, .isCompleted, true, "got", &change)
    case .ungot(let entry): try mark(entry, .isCompleted, false, "undone:", &change)
    case .drop(let entry):
      try mark(entry, .isDeleted, true, "remove from the shopping list:", &change)
    case .restore(let entry):
      try mark(entry, .isDeleted, false, "restore to the shopping list:", &change)
    case .want(let wishes): return try want(wishes, &change)
    case .put(let item, let amount, let location, let expiry):
      try put(item, amount, location, expiry, &change)
    case .use(let holder, let amount): try take(holder, amount, .consume, nil, &change)
    case .spoil(let holder, let amount, let note):
      try take(holder, amount, .spoil, note, &change)
    case .count(let holder, let amount): try count(holder, amount, &change)
    case .move(let holder, let place, let amount, let expiry):
      try move(holder, place, amount, expiry, &change)
    case .open(let holder, let amount): try open(holder, amount, &change)
    case .date(let holder, let amount, let expiry, let place):
      try date(holder, amount, expiry, place, &change)
    case .edit(let kind, let id, let fields): try edit(kind, id, fields, &change)
    case .new(let fields, let amount, let expiry):
      return try make(fields, amount, expiry, &change)
    case .archive(let item): try archive(item, &change)
    case .unarchive(let item, let name): try unarchive(item, name, &change)
    case .place(let id, let fields, let isFreezer):
      return try place(id, fields, isFreezer, &change)
    case .unplace(let id): try unplace(id, &change)
    case .barcode(let number, let item, let amount):
      return try barcode(number, item, amount, &change)
    case .settings(let fields): set(fields, &change)
    case .bought(let bought): return try buy(bought, &change)
    case .correct(let receipt, let correction): try correct(receipt, correction, &change)
    case .void(let id): try mark(receipt: id, isVoid: true, &change)
    case .unvoid(let id): try mark(receipt: id, isVoid: false, &change)
    case .undo: break
    }
    return nil
  }

  /// Returns the entity with an id, or the one that the act with this id made.
  func find(_ kind: Kind, _ id: String, _ change: Change) throws -> Entity {
    if let entity = change.edit.after[kind, id] { return entity }
    if let key = try made(id, kind)?.key, let entity = change.edit.after[key] { return entity }
    throw NamingError.none(kind, id: id)
  }
}
