import LarderModel
import TestSupport

/// What becomes of batches, and of what lies loose and becomes one.
extension RandomLife {
  mutating func countBatch() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let amount = amount(model.piles[batch].unit, canBeZero: true)
    try perform("count \(amount) of \(id) alone") { edit, writer in
      try edit.count(amount.quantity, ofBatch: try edit.after.batch(id), by: writer)
      return Answer()
    } _: { model, _ in
      model.count(amount, ofBatch: batch)
    }
  }

  mutating func moveLoose() throws {
    let item = anyItem()
    let amount = amount(item.unit, like: model.index(item.id).map { model.piles[$0].rest })
    let place = uuid(random.number(300...301))
    try perform("move \(amount) of what lies loose of \(item.id) to \(place)") { edit, writer in
      let target = try edit.move(
        try edit.after.entity(item), to: place, quantity: amount.quantity, by: writer)
      return Answer(target: target.id)
    } _: { model, new in
      model.moveLoose(amount, of: item, to: place, new)
    }
  }

  mutating func restore() throws {
    let all = model.piles.indices.filter { !model.piles[$0].isLoose && !model.piles[$0].isActive }
    guard let batch = random.pick(all) else { return }
    let id = model.piles[batch].id
    try perform("restore \(id)") { edit, writer in
      try edit.restore(try edit.after.batch(id), by: writer)
      return Answer()
    } _: { model, _ in
      model.restore(batch)
    }
  }

  mutating func move() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let (amount, version) = (part(of: batch), version(of: batch))
    let place = random.happens(5) ? uuid(random.number(302...304)) : uuid(random.number(300...301))
    try perform("move \(words(amount)) of \(id) to \(place)\(words(version))") {
      edit, writer in
      let target = try edit.move(
        try edit.after.batch(id), to: place, quantity: amount?.quantity,
        unchangedSince: version?.instant, by: writer)
      return Answer(target: target.id)
    } _: { model, new in
      model.move(batch, to: place, amount, isStale: version?.isStale ?? false, new)
    }
  }

  mutating func open() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let (amount, version) = (part(of: batch), version(of: batch))
    let (moment, isStrict) = (anyMoment(), random.happens(30))
    try perform(
      "open \(words(amount)) of \(id) at \(moment)\(isStrict ? " strictly" : "")\(words(version))"
    ) { edit, writer in
      let opening = try edit.open(
        try edit.after.batch(id), quantity: amount?.quantity,
        at: Instant(milliseconds: moment), strict: isStrict, unchangedSince: version?.instant,
        by: writer)
      return Answer(target: opening.batch.id, warnings: opening.warnings.count)
    } _: { model, new in
      model.open(
        batch, amount, at: moment, isStrict: isStrict, isStale: version?.isStale ?? false, new)
    }
  }

  mutating func openLoose() throws {
    let item = anyItem()
    let amount = amount(item.unit, like: model.index(item.id).map { model.piles[$0].rest })
    let moment = anyMoment()
    try perform("open \(amount) of what lies loose of \(item.id) at \(moment)") { edit, writer in
      let opening = try edit.open(
        try edit.after.entity(item), quantity: amount.quantity, at: Instant(milliseconds: moment),
        by: writer)
      return Answer(target: opening.batch.id)
    } _: { model, new in
      model.openLoose(amount, of: item, at: moment, new)
    }
  }

  mutating func date() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let version = version(of: batch)
    let expiry: Int?? = random.happens(70) ? .some(anyDay()) : nil
    let opened: Int64?? = random.happens(30) ? .some(random.happens(50) ? anyMoment() : nil) : nil
    let isStrict = random.happens(30)
    try perform(
      "date \(id): \(String(describing: expiry)) \(String(describing: opened))"
    ) { edit, writer in
      let warnings = try edit.date(
        try edit.after.batch(id),
        expiry: DateUpdate(expiry) { ExpiryInfo(.expiry, Day(daysSinceEpoch: $0)) },
        opened: DateUpdate(opened) { OpenedInfo(.opened, Instant(milliseconds: $0)) },
        strict: isStrict, unchangedSince: version?.instant, by: writer)
      return Answer(warnings: warnings.count)
    } _: { model, _ in
      model.date(
        batch, expiry: expiry, opened: opened, isStrict: isStrict,
        isStale: version?.isStale ?? false)
    }
  }

  mutating func discard() throws {
    guard let batch = anyBatch() else { return }
    let id = model.piles[batch].id
    let version = version(of: batch)
    try perform("discard \(id)\(words(version))") { edit, writer in
      try edit.discard(
        try edit.after.batch(id), unchangedSince: version?.instant, by: writer)
      return Answer()
    } _: { model, _ in
      model.discard(batch, isStale: version?.isStale ?? false)
    }
  }
}

extension DateUpdate {
  fileprivate init<Value>(_ date: Value??, _ info: (Value) -> DateInfo<Date>) {
    switch date {
    case .none: self = .keep
    case .some(.none): self = .remove
    case .some(.some(let date)): self = .set(info(date))
    }
  }
}
