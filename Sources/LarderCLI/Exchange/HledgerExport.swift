import LarderKit

/// `larder export hledger`.
enum HledgerExport {
  static let command = Command(
    "export hledger", arguments: [ListOptions.filters.choosing(from: ReceiptRow.listing)],
    options: [ExportedText.file]
  ) { invocation in
    let survey = try invocation.survey()
    let accounts = try invocation.withLarder { try $0.accounts(in: survey) }
    let all = survey.household.all(.receipt).filter { !$0.isTombstone }
    let chosen = try invocation.choose(ReceiptRow.all(all, in: survey), in: survey)
    let journal = HledgerJournal(
      of: chosen.flatMap(\.entities).map { Receipt(entity: $0) }, accounts, in: survey)
    try ExportedText(
      bytes: Array(journal.text.utf8), told: counted(journal.count, "transaction")
    ).write(invocation)
    if journal.left > 0 {
      invocation.output.note(
        "left out: \(counted(journal.left, "receipt")) without an amount and without a price")
    }
  }
}

/// `larder config account.NAME`: the accounts of the journal.
enum AccountConfig {
  static let prefix = "account."

  static func run(_ invocation: Invocation, _ key: String, _ value: String?) throws {
    let word = String(key.dropFirst(prefix.count))
    guard !word.isEmpty else {
      throw invocation.unreadable(
        key, for: ConfigCommand.key.name,
        "account.expenses, account.payment or account.CATEGORY is needed")
    }
    try invocation.withLarder { larder in
      let account = ExpenseAccount(word)
      guard let value else {
        let standard = HledgerJournal.Accounts()
        let name = try larder.name(of: account)
        return UserConfig.show(key, name ?? standard.standard(account), invocation.output)
      }
      guard value.isEmpty || HledgerJournal.Accounts.isName(value) else {
        throw invocation.unreadable(
          value, for: ConfigCommand.value.name,
          "an account's name is needed, such as expenses:household")
      }
      guard try larder.set(account, value.isEmpty ? nil : value) else {
        throw invocation.unreadable(
          word, for: ConfigCommand.key.name, "a category on one line is needed")
      }
      let name = value.isEmpty ? HledgerJournal.Accounts().standard(account) ?? "" : value
      invocation.output.report(
        setting: key, value,
        name.isEmpty ? "\(key) is a standard account again" : "\(key) is now \(name)")
    }
  }
}

extension HledgerJournal.Accounts {
  /// The default name of an account; nil for a category.
  fileprivate func standard(_ account: ExpenseAccount) -> String? {
    switch account {
    case .expenses: expenses
    case .payment: payment
    case .category: nil
    }
  }
}
