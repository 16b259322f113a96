internal import LarderGit
internal import LarderModel
public import LarderStore

/// An account of ``HledgerJournal`` whose name can be set on this device.
public enum ExpenseAccount: Hashable, Sendable {
  case expenses, payment
  /// A category of items, by its name; case and accents don't matter.
  case category(String)

  /// Creates an account by the word that people use: `expenses`, `payment`, or a category.
  public init(_ word: String) {
    switch word {
    case "expenses": self = .expenses
    case "payment": self = .payment
    default: self = .category(word)
    }
  }

  /// The key in the clone's git configuration; nil if the category can't be a key.
  fileprivate var key: String? {
    switch self {
    case .expenses: return "larder.expenseAccount"
    case .payment: return "larder.paymentAccount"
    case .category(let name):
      let folded = fold(name)
      let isPlain = !folded.isEmpty && !folded.utf8.contains { $0 == 10 || $0 == 0 }
      return isPlain ? "larder.\(folded).account" : nil
    }
  }
}

extension Larder {
  /// Returns the name that was set for an account; nil if none was.
  public func name(of account: ExpenseAccount) throws(StoreError) -> String? {
    guard let key = account.key, !isReadOnly else { return nil }
    return try gitSetting(key)
  }

  /// Sets the name of an account; nil removes it.
  ///
  /// Returns false if the category can't have one.
  public func set(_ account: ExpenseAccount, _ name: String?) throws(StoreError) -> Bool {
    guard let key = account.key else { return false }
    try store.git { repository throws(GitError) in
      try repository.setConfiguration(key, name)
    }
    return true
  }

  /// Returns the names of all accounts that receipts need.
  public func accounts(in survey: Survey) throws(StoreError) -> HledgerJournal.Accounts {
    var accounts = HledgerJournal.Accounts()
    accounts.expenses = try name(of: .expenses) ?? accounts.expenses
    accounts.payment = try name(of: .payment) ?? accounts.payment
    for category in Set(survey.household.all(.stockItem).compactMap(\.category)) {
      accounts.categories[fold(category)] = try name(of: .category(category))
    }
    return accounts
  }
}
