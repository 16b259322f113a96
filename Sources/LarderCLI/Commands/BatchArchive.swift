import LarderModel

/// `larder stock archive ITEM --batch B` and `restore`: a batch that was written by mistake.
enum BatchArchive {
  static func archive(_ batch: String, _ invocation: Invocation) throws {
    try change(batch, invocation, "archive", \.isActive) {
      edit, batch, writer throws(RuleError) in try edit.discard(batch, by: writer)
    }
  }

  static func restore(_ batch: String, _ invocation: Invocation) throws {
    try change(batch, invocation, "restore", { !$0.isActive }) {
      edit, batch, writer throws(RuleError) in try edit.restore(batch, by: writer)
    }
  }

  private static func change(
    _ words: String, _ invocation: Invocation, _ verb: String, _ isMeant: (Entity) -> Bool,
    _ body: (inout Edit, Entity, Writer) throws -> Void
  ) throws {
    guard let name = invocation.all(StockCommand.items).first,
      invocation.all(StockCommand.items).count == 1
    else {
      throw CommandError(.usage, "--batch is of one item, which has to be named")
    }
    var title = ""
    let change = try invocation.change { edit, writer, survey in
      let item = try survey.naming.find(name, .stockItem)
      title = item.title
      let batches = survey.stock.batches(of: item)
      let groups = [batches.filter(isMeant), batches.filter { !isMeant($0) }]
      for batch in try survey.lot(words, of: item, among: groups).batches {
        try body(&edit, batch, writer)
      }
      return "\(verb) a batch of \(item.title)"
    }
    let lines = Lot.grouped(change.own.compactMap { change[$0] }).map { lot in
      "\(verb)d \(lot.quantity) of \(title) (\(change.after.words(for: lot.first)))"
    }
    invocation.output.report(change, lines: lines)
    if change.isNothing { invocation.output.note("nothing to \(verb): it is so already") }
  }
}
