import LarderKit

/// `larder stock archive` and `larder stock restore`.
enum StockArchive {
  static let archive = Command(
    "stock archive", arguments: [StockCommand.items],
    options: [BatchOptions.batch, BatchArchive.hard]
  ) { invocation in
    if let batch = invocation[BatchOptions.batch] {
      return try await BatchArchive.archive(batch, invocation)
    }
    if invocation.has(BatchArchive.hard) {
      throw ErrorWords(
        .usage, "--hard is for a batch, which --batch names",
        "items keep their history; 'larder stock archive' takes them out of the stock")
    }
    let change = try await invocation.mark(
      StockCommand.items, .stockItem, .live, .isArchived, true, subject: "archive")
    invocation.output.report(
      change, lines: change.titles.map { "archived \($0)" })
  }

  static let restore = Command(
    "stock restore", arguments: [StockCommand.items.ofDeleted], options: [BatchOptions.batch]
  ) { invocation in
    if let batch = invocation[BatchOptions.batch] {
      return try await BatchArchive.restore(batch, invocation)
    }
    let change = try await invocation.mark(
      StockCommand.items, .stockItem, .deleted, .isArchived, false, subject: "restore")
    let lines = change.entities.map { "restored \($0.title): \(change.after.total(of: $0))" }
    invocation.output.report(
      change, lines: lines, nothing: "nothing to restore: it is in the stock")
  }
}

extension Invocation {
  /// Sets one flag of all named entities in one commit.
  func mark(
    _ argument: Argument, _ kind: Kind, _ scope: Naming.Scope, _ field: FieldName, _ value: Bool,
    subject: String, check: @Sendable (Entity, Survey) throws -> Void = { _, _ in }
  ) async throws -> Outcome {
    try await change { edit, writer, survey in
      let entities = try survey.naming.findSeveral(all(argument), kind, scope)
      for entity in entities {
        try check(entity, survey)
        edit.write([(field, .bool(value))], to: entity.key, now: writer.now)
      }
      return subject + " " + survey.list(entities)
    }
  }

  func reportRestored(_ change: Outcome) {
    output.report(
      change, lines: change.titles.map { "restored \($0)" },
      nothing: "nothing to restore: it is not archived")
  }
}

extension Survey {
  /// Returns names for the subject of a commit, such as `Milk, Eggs and 3 more`.
  func list(_ entities: [Entity]) -> String { inShort(entities.map { naming.title(of: $0) }) }

  /// Returns the one item that the words name, for its batch in `--batch`.
  func itemOfBatch(_ words: [String]) throws -> Entity {
    let items = try naming.findSeveral(words, .stockItem)
    guard let item = items.first, items.count == 1 else {
      throw ErrorWords(.usage, "--batch needs exactly one item")
    }
    return item
  }

  /// Returns the state of a lot: in the stock with a quantity, used up, thrown away or archived.
  fileprivate func standing(of lot: Lot) -> String {
    guard lot.first.isActive else { return "\(lot.first[.status]?.string ?? "archived") already" }
    guard lot.quantity.value <= .zero else { return "in the stock: \(lot.quantity)" }
    return "in the stock, but used up"
  }
}

/// `larder stock archive ITEM --batch B` and `restore`: for a batch that was recorded by mistake.
enum BatchArchive {
  static let hard = Option(
    "hard", help: "with --batch: remove its file for good, if no other device can have it")

  static func archive(_ batch: String, _ invocation: Invocation) async throws {
    guard !invocation.has(hard) else { return try await remove(batch, invocation) }
    try await change(batch, invocation, "archive", \.isActive) {
      edit, batch, writer throws(RuleError) in try edit.discard(batch, by: writer)
    }
  }

  private static func remove(_ batch: String, _ invocation: Invocation) async throws {
    try await change(batch, invocation, "remove", \.isActive, forGood: true) {
      edit, batch, _ throws(RuleError) in try edit.remove(batch)
    }
  }

  static func restore(_ batch: String, _ invocation: Invocation) async throws {
    try await change(batch, invocation, "restore", { !$0.isActive }) {
      edit, batch, writer throws(RuleError) in try edit.bringBack(batch, by: writer)
    }
  }

  private static func change(
    _ words: String, _ invocation: Invocation, _ verb: String,
    _ isMeant: @Sendable (Entity) -> Bool,
    forGood: Bool = false, _ body: @Sendable (inout Edit, Entity, Writer) throws -> Void
  ) async throws {
    let ((title, lot), change) = try await invocation.commit(removesForGood: forGood) { change in
      let survey = change.survey
      let item = try survey.itemOfBatch(invocation.all(StockCommand.items))
      let batches = survey.stock.batches(of: item)
      let groups = [batches.filter(isMeant), batches.filter { !isMeant($0) }]
      let found = try survey.lot(words, of: item, among: groups)
      for batch in found.batches { try body(&change.edit, batch, change.writer) }
      change.subject =
        forGood ? "archive a batch of \(item.title) for good" : "\(verb) a batch of \(item.title)"
      return (item.title, found)
    }
    let lots = Lot.grouped(change.own.compactMap { change[$0] ?? change.before.household[$0] })
    let lines = lots.map { lot in
      let words = change.after.words(for: lot.first)
      let back = verb == "restore" ? quantityBack(of: lot, change) : lot.quantity
      let rest = back == lot.quantity ? "" : ", \(lot.quantity) in it now"
      return "\(verb)d \(back) of \(title) (\(words))\(rest)"
    }
    invocation.output.report(change, lines: lines)
    guard change.isNothing else { return }
    let standing = change.after.standing(of: lot)
    invocation.output.note(
      "nothing to \(verb): \(change.after.words(for: lot.first)) is \(standing)")
    guard verb == "restore", lot.quantity.value <= .zero else { return }
    invocation.output.hint(
      "'larder undo' takes back what was done last; 'larder stock count \(shellWord(title)) N --batch "
        + "\(shellWord(words))' says what is there")
  }

  /// Returns the part of a restored lot that was not in the stock before.
  private static func quantityBack(of lot: Lot, _ change: Outcome) -> Quantity {
    let before = lot.batches.compactMap { change.before.household[$0.key] }.filter(\.isActive)
    let there = Lot.grouped(before).first?.quantity.converted(to: lot.quantity.unit) ?? .zero
    return Quantity((lot.quantity.value - there).rounded, lot.quantity.unit)
  }
}

/// `larder stock merge`.
enum StockMerge {
  private static let other = Argument(
    "OTHER", .oneOrMore, values: .named(.item), help: "items that are in fact the same")

  static let command = Command("stock merge", arguments: [StockCommand.item, other]) { invocation in
    let ((kept, merged), change) = try await invocation.commit { change in
      let survey = change.survey
      let words = [invocation[StockCommand.item]] + invocation.all(other)
      let items = try survey.naming.findSeveral(words, .stockItem, .any)
      guard let item = items.first, items.count > 1 else {
        throw ErrorWords(
          .usage, "only \(items.first?.title ?? "one item") is named",
          "name the item that stays, then those that are the same")
      }
      let merged = Array(items.dropFirst())
      for other in merged {
        guard let current = change.edit.after[item.key] else { continue }
        try change.edit.merge(
          change.edit.after[other.key] ?? other, into: current, by: change.writer)
      }
      change.subject = "merge \(survey.list(merged)) into \(item.title)"
      return (item.key, merged)
    }
    guard let item = change[kept] else { return }
    let names = change.before.list(merged)
    invocation.output.report(
      change, lines: ["\(names) is \(item.title) now: \(change.after.total(of: item))"])
  }
}
