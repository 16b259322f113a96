internal import LarderGit
public import LarderModel
public import LarderStore

/// A household's receipts as a journal for hledger.
///
/// Each receipt is a transaction with a posting for each category and one for the payment. The part
/// of the amount that no line explains is a posting of its own. Source: hledger's manual,
/// "journal".
public struct HledgerJournal: Sendable {
  /// The names of the accounts.
  public struct Accounts: Sendable {
    /// The account of expenses; each category is an account below it.
    public var expenses = "expenses:food"
    /// The account that pays.
    public var payment = "assets:cash"
    /// The accounts of single categories, by the folded name of the category.
    public var categories: [String: String] = [:]

    public init() {}
  }

  public let text: String
  /// The number of transactions.
  public private(set) var count = 0
  /// The number of receipts that were left out, because they have no amount and no price.
  public private(set) var left = 0

  /// Creates the journal of receipts, ordered by time, without void ones.
  public init(of receipts: [Receipt], _ accounts: Accounts, in survey: Survey) {
    var entries: [String] = []
    var used: Set<String> = []
    var currencies: Set<String> = []
    var things = PaidThings(survey)
    let live = receipts.filter { !$0.isDeleted }
    for receipt in live.sorted(by: { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }) {
      let postings = Self.postings(of: receipt, accounts, &things)
      guard !postings.isEmpty else {
        left += 1
        continue
      }
      let total = postings.reduce(Number.zero) { $0 + $1.amount }
      let all = postings + [(accounts.payment, -total)]
      used.formUnion(all.map(\.account))
      let currency = receipt.currency ?? survey.household.own?.currency
      currencies.insert(currency ?? "")
      entries.append(Self.entry(receipt, all, currency, survey))
    }
    count = entries.count
    let declared =
      ["decimal-mark ."] + currencies.sorted().map(Self.commodity)
      + used.sorted().map { "account \($0)" }
    text =
      entries.isEmpty
      ? ""
      : ([declared.joined(separator: "\n") + "\n"] + entries)
        .joined(separator: "\n")
  }

  private typealias Posting = (account: String, amount: Number)

  /// Returns what was paid for each category, in the order of the lines, and the rest of the
  /// amount.
  private static func postings(
    of receipt: Receipt, _ accounts: Accounts, _ things: inout PaidThings
  ) -> [Posting] {
    var postings: [Posting] = []
    func add(_ amount: Number, to account: String) {
      if let index = postings.firstIndex(where: { $0.account == account }) {
        postings[index].amount = postings[index].amount + amount
      } else {
        postings.append((account, amount))
      }
    }
    for line in receipt.lines {
      guard let price = line.price else { continue }
      let thing = things.thing(itemID: line.itemID, named: line.itemName)
      add(price, to: accounts.account(of: thing.category))
    }
    let known = postings.reduce(Number.zero) { $0 + $1.amount }
    if let amount = receipt.amount, amount != known {
      add(amount - known, to: accounts.expenses + ":unknown")
    }
    return postings
  }

  private static func entry(
    _ receipt: Receipt, _ postings: [Posting], _ currency: String?, _ survey: Survey
  ) -> String {
    let day = survey.calendar.day(of: receipt.timestamp)
    let payee = plain(receipt.shop)
    // Hledger reads parentheses at the beginning as a code, so an empty code comes first.
    let head =
      "\(day) * \(payee.unicodeScalars.first == "(" ? "() " : "")\(payee)  ; receipt:\(receipt.id)"
    let width = postings.map(\.account.count).max() ?? 0
    let lines = postings.map { account, amount in
      let space = String(repeating: " ", count: width - account.count + 2)
      return "    \(account)\(space)\(money(amount, currency))"
    }
    return ([head] + lines).joined(separator: "\n") + "\n"
  }

  private static func money(_ amount: Number, _ currency: String?) -> String {
    let number = TypedMoney(amount, currency).number
    return currency.map { "\($0) \(number)" } ?? number
  }

  private static func commodity(_ currency: String) -> String {
    // Without a currency, the commodity has no name.
    let number = TypedMoney(Number(1000), currency).number
    let written = number.contains(".") ? number : number + "."
    return "commodity " + (currency.isEmpty ? written : "\(currency) \(written)")
  }

  /// Returns a name that hledger can store: on one line, without the signs that end a payee.
  private static func plain(_ text: String) -> String {
    spaced(visible(text)).replacing([";": ",", "|": "/"])
  }
}

extension HledgerJournal.Accounts {
  /// Returns the account of a category; a colon in its name separates levels.
  func account(of category: String?) -> String {
    guard let category else { return expenses }
    if let own = categories[fold(category)] { return own }
    let levels = category.lowercased().unicodeScalars.split(separator: ":")
      .map { spaced(visible(String($0))).replacing([";": ","]) }.filter { !$0.isEmpty }
    return ([expenses] + levels).joined(separator: ":")
  }

  /// Whether a text can be the name of an account: levels separated by colons, only single spaces.
  public static func isName(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, !"()[]*!\"'".unicodeScalars.contains(first) else {
      return false
    }
    return text == spaced(visible(text)) && !scalars.contains(";")
      && scalars.split(separator: ":", omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0.first != " " && $0.last != " " }
  }
}

/// Returns a text with spaces in place of invisible characters.
func visible(_ text: String) -> String {
  var scalars = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      scalars.append(" ")
    default: scalars.append(scalar)
    }
  }
  return String(scalars)
}

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
