import LarderKit

/// `larder stock archive` and `larder stock restore`.
enum StockArchive {
  static let archive = Command(
    "stock archive", arguments: [StockCommand.items],
    options: [BatchOptions.batch, BatchArchive.hard]
  ) { invocation in
    if let batch = invocation[BatchOptions.batch] {
      return try BatchArchive.archive(batch, invocation)
    }
    if invocation.has(BatchArchive.hard) {
      throw CommandError(
        .usage, "--hard is for a batch, which --batch names",
        "items keep their history; 'larder stock archive' takes them out of the stock")
    }
    let change = try invocation.mark(
      StockCommand.items, .stockItem, .live, .isArchived, true, subject: "archive")
    invocation.output.report(
      change, lines: change.titles.map { "archived \($0)" })
  }

  static let restore = Command(
    "stock restore", arguments: [StockCommand.items.ofDeleted], options: [BatchOptions.batch]
  ) { invocation in
    if let batch = invocation[BatchOptions.batch] {
      return try BatchArchive.restore(batch, invocation)
    }
    let change = try invocation.mark(
      StockCommand.items, .stockItem, .deleted, .isArchived, false, subject: "restore")
    let lines = change.own.compactMap { key in
      change[key].map { "restored \($0.title): \(change.after.total(of: $0))" }
    }
    invocation.output.report(
      change, lines: lines, nothing: "nothing to restore: it is in the stock")
  }
}

extension Invocation {
  /// Sets one flag of all named entities in one commit.
  func mark(
    _ argument: Argument, _ kind: Kind, _ scope: Naming.Scope, _ field: FieldName, _ value: Bool,
    subject: String, check: (Entity, Survey) throws -> Void = { _, _ in }
  ) throws -> Outcome {
    try change { edit, writer, survey in
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
  func list(_ entities: [Entity]) -> String {
    inShort(entities.map { naming.title(of: $0) })
  }
}
