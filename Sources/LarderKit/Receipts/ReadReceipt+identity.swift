public import LarderModel

extension ReadReceipt {
  /// The id of the receipt, which is the same for everybody who reads the same text.
  ///
  /// It is derived from the printed shop, time and total, and from the numbers that the till and the
  /// card terminal gave to the receipt. If the shop, the time or the total is missing, the amounts of all lines are used
  /// too.
  public var id: String {
    let isWhole = !shop.isEmpty && day != nil && minutes != nil && total != nil
    let amounts = isWhole ? [] : lines.map(\.amount.description)
    let parts = [
      fold(shop), day?.description ?? "", minutes.map(String.init) ?? "", total?.description ?? "",
    ]
    let numbers = numbers.isEmpty ? [] : ["no"] + numbers
    return Identifier.derived(
      fromName: (["read"] + parts + amounts + numbers).joined(separator: "/"))
  }

  /// The ids of the lines, derived from the receipt's id, the printed name and the amount.
  ///
  /// Equal lines are numbered.
  var lineIDs: [String] {
    let receipt = id
    var seen: [String: Int] = [:]
    return lines.map { line in
      let name = "read/\(receipt)/\(fold(line.name))/\(line.amount)"
      seen[name, default: 0] += 1
      return Identifier.derived(fromName: "\(name)/\(seen[name] ?? 1)")
    }
  }

  /// Returns the moment of the purchase, at noon if no time is printed; nil without a day.
  public func paid(_ calendar: HouseholdCalendar) -> Instant? {
    day.map { calendar.instant(of: $0, minutes: minutes ?? 12 * 60) }
  }
}

extension Survey {
  /// Returns the shop of a receipt.
  ///
  /// It is a known shop whose name stands above the things, otherwise the printed name.
  public func shop(of receipt: ReadReceipt) -> String {
    let words = { (text: String) in " " + ReceiptWords.label(of: text).joined(separator: " ") + " "
    }
    let head = receipt.head.map(words)
    let known = Set(household.all(.receipt).filter { !$0.isTombstone }.map(\.title))
    let printed = known.filter { shop in
      let name = words(shop)
      return name.count > 4 && head.contains { $0.contains(name) }
    }
    return printed.max { ($0.count, $1) < ($1.count, $0) } ?? receipt.shop
  }
}

extension Survey {
  /// Returns the receipt with its first number alone, or without one, if it is in the household so.
  ///
  /// It was saved from a text that lacks the others, or by a Larder that did not read them.
  public func asSaved(_ receipt: ReadReceipt) -> ReadReceipt {
    for count in [receipt.numbers.count, 1, 0] where count <= receipt.numbers.count {
      var saved = receipt
      saved.numbers = Array(receipt.numbers.prefix(count))
      if household[.receipt, saved.id] != nil { return saved }
    }
    return receipt
  }
}

extension ReadLine {
  /// The name on the receipt, or the kind of a line without a name.
  public var title: String { name.isEmpty ? kind.rawValue : name }

  /// The line as people write it in the receipt's form.
  var typed: TypedLine {
    TypedLine(
      formName(title), quantity: TypedQuantity(shown: Quantity(quantity, unit ?? .piece)),
      price: amount)
  }
}

/// The reasons why a read receipt needs a person before it can be saved; nothing was changed.
public struct ReadingDoubt: Error, Equatable, Sendable {
  public enum Reason: Equatable, Sendable {
    case noLines
    case noTotal
    /// The shop paid money back.
    case belowZero
    /// The printed total minus the sum of the lines.
    case difference(Number)
    case noDay
    case noShop
    /// The printed day is after today.
    case dayAhead(Day)
    /// The printed day is more than a year ago.
    case dayLongAgo(Day)
    /// The number of lines whose quantity the printed numbers contradict.
    case quantities(Int)
  }

  public let receipt: ReadReceipt
  public let reasons: [Reason]

  /// Creates the doubt; nil if nothing is doubtful.
  ///
  /// With `hasShop` or `hasDay`, somebody gave that value.
  public init?(_ receipt: ReadReceipt, on today: Day, hasShop: Bool, hasDay: Bool) {
    var reasons: [Reason] = []
    if receipt.lines.isEmpty { reasons.append(.noLines) }
    if let difference = receipt.difference {
      if receipt.total ?? .zero < .zero { reasons.append(.belowZero) }
      if difference != .zero, !receipt.lines.isEmpty { reasons.append(.difference(difference)) }
    } else {
      reasons.append(.noTotal)
    }
    let doubtful = receipt.lines.count(where: \.isCountDoubtful)
    if doubtful > 0 { reasons.append(.quantities(doubtful)) }
    if !hasDay {
      if let day = receipt.day {
        // At midnight, a till may be a day ahead.
        if day > today.adding(days: 1) { reasons.append(.dayAhead(day)) }
        if day < today.adding(days: -366) { reasons.append(.dayLongAgo(day)) }
      } else {
        reasons.append(.noDay)
      }
    }
    if !hasShop, receipt.shop.isEmpty { reasons.append(.noShop) }
    guard !reasons.isEmpty else { return nil }
    self.receipt = receipt
    self.reasons = reasons
  }
}
