public import LarderModel

/// The figures of the report: a household's costs and stock, computed once.
public struct HouseholdReport: Sendable {
  /// The household's name.
  public let name: String
  /// The day of the report in the household's time zone.
  public let today: Day
  /// The first day of spending, prices and waste; nil for no limit.
  public let since: Day?
  public let until: Day?
  /// The days of the first and the last receipt; nil without any.
  public let receiptDays: ClosedRange<Day>?

  public let byMonth: Spending
  public let byShop: Spending
  public let byCategory: Spending
  /// The things that are bought most often.
  public let prices: [PriceCourseOfThing]
  public let waste: Waste
  /// The lots that expire soon, the earliest first.
  public let due: [LotRow]
  /// The last day of ``due``: the Sunday in four weeks.
  public let dueUntil: Day
  /// The lots that have expired, the earliest first.
  public let expired: [LotRow]
  /// The lots that are past their best but have not expired, the earliest first.
  public let pastBest: [LotRow]
  /// The items that will be used up soon, the earliest first; items without stock come before them.
  public let runsOut: [RunningItem]
  /// The stock over time of the items that are used most often.
  public let stock: [StockCourse]

  /// A thing with its price over time.
  public struct PriceCourseOfThing: Sendable {
    public let thing: PaidThing
    public let course: PriceCourse
  }

  /// An item that is used, and how long its stock lasts.
  public struct RunningItem: Sendable {
    public let item: Entity
    /// The part of its total that has not expired.
    public let total: Quantity
    public let pace: Pace
    /// The number of whole days for which the stock lasts.
    public let days: Int
  }

  /// The number of things whose prices and stock are shown.
  static let mostThings = 8
  /// The number of weeks for which the stock is shown.
  private static let weeks = 26
  /// The largest number of days after which an item runs out "soon".
  private static let soon = 60

  /// Computes the report from one reading of the household.
  public init(_ survey: Survey, since: Day? = nil, until: Day? = nil) {
    name = survey.household.own?.title ?? ""
    today = survey.calendar.today
    self.since = since
    self.until = until
    let all = Purchases(in: survey)
    let purchases = all.between(since, until)
    receiptDays = purchases.receipts.first.flatMap { first in
      purchases.receipts.last.map { first.day...$0.day }
    }
    byMonth = Spending(purchases, by: .month)
    byShop = Spending(purchases, by: .shop)
    byCategory = Spending(purchases, by: .category)
    prices = purchases.prices().lazy.compactMap { history in
      history.courses.first.map { PriceCourseOfThing(thing: history.thing, course: $0) }
    }.filter { $0.course.purchases.count > 1 }.prefix(Self.mostThings).map(\.self)
    waste = Waste(in: survey, all, since: since, until: until)
    let daysAhead = 35 - today.weekday
    dueUntil = today.adding(days: daysAhead)
    due = LotRow.due(in: survey, days: daysAhead)
    expired = LotRow.expired(in: survey)
    pastBest = LotRow.pastBest(in: survey)
    let running = survey.runningItems()
    runsOut = Array(running.filter { $0.days <= Self.soon }.prefix(Self.mostThings + 4))
    let days = (0...Self.weeks).reversed().map { [today] in today.adding(days: -7 * $0) }
    stock = running.sorted { one, other in
      one.pace.uses == other.pace.uses
        ? (fold(one.item.title), one.item.id) < (fold(other.item.title), other.item.id)
        : one.pace.uses > other.pace.uses
    }.prefix(Self.mostThings).map { survey.stockCourse(of: $0.item, on: days) }
  }
}

extension Survey {
  /// Returns the items that are used, those that run out first at the beginning.
  fileprivate func runningItems() -> [HouseholdReport.RunningItem] {
    let items = naming.all(.stockItem).filter { !$0.isTombstone }
    let running = items.compactMap { item -> HouseholdReport.RunningItem? in
      guard let pace = pace(of: item) else { return nil }
      let usable = usableTotal(of: item)
      return HouseholdReport.RunningItem(
        item: item, total: usable, pace: pace, days: pace.days(for: usable.value) ?? 3650)
    }
    return running.sorted { one, other in
      (one.days, fold(one.item.title), one.item.id)
        < (other.days, fold(other.item.title), other.item.id)
    }
  }
}
