internal import LarderGit
internal import LarderModel
public import LarderStore

/// An account of ``HledgerJournal`` whose name this device can set.
public enum ExpenseAccount: Hashable, Sendable {
  case expenses, payment
  /// A category of items, by its name; case and accents don't matter.
  case category(String)

  /// Creates an account by its word for people: `expenses`, `payment`, or a category.
  public init(_ word: String) {
    switch word {
    case "expenses": self = .expenses
    case "payment": self = .payment
    default: self = .category(word)
    }
  }

  /// The key in the clone's git configuration; nil for a category that can be none.
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
  /// Returns the name that somebody gave to an account; nil if nobody did.
  public func name(of account: ExpenseAccount) throws(StoreError) -> String? {
    guard let key = account.key, !isReadOnly else { return nil }
    return try gitSetting(key)
  }

  /// Gives an account a name, or takes it away; false for a category that can have none.
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
