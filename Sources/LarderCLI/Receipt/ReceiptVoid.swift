import LarderKit

/// `larder receipt void` and `larder receipt restore`.
enum ReceiptVoid {
  static let void = Command("receipt void", arguments: [ReceiptCommand.receipt]) { invocation in
    try mark(.live, true, "voided", "it is void already", invocation)
  }

  static let restore = Command("receipt restore", arguments: [ReceiptCommand.receipt.ofDeleted]) {
    invocation in
    try mark(.deleted, false, "restored", "it is not void", invocation)
  }

  private static func mark(
    _ scope: Naming.Scope, _ isVoid: Bool, _ verb: String, _ nothing: String,
    _ invocation: Invocation
  ) throws {
    var key: EntityKey?
    let change = try invocation.change { edit, writer, survey in
      let old = try survey.naming.find(invocation[ReceiptCommand.receipt], .receipt, scope)
      key = old.key
      let receipt = Receipt(entity: old)
      if isVoid { edit.void(receipt, by: writer) } else { edit.restore(receipt, by: writer) }
      return "\(isVoid ? "void" : "restore") a receipt of \(old.title)"
    }
    guard let receipt = key.flatMap({ change[$0] }) else { return }
    guard !change.isNothing else {
      return invocation.output.report(change, lines: [], nothing: "nothing to do: \(nothing)")
    }
    invocation.output.report(receipt, change, verb, invocation)
    let unchanged = change.after.unchangedItems(of: Receipt(entity: receipt), since: change.before)
    if !unchanged.isEmpty {
      invocation.output.note(
        "as much as before of \(unchanged.joined(separator: ", ")): counted since, or never added")
    }
  }
}
