import LarderModel
public import LarderStore

extension HouseholdReport {
  /// The report as one HTML page, which needs no other file and no network.
  public var page: String { ReportPage(report: self).html }
}

/// The report as HTML.
struct ReportPage {
  let report: HouseholdReport
  private let pictures: [ReportPicture]

  init(report: HouseholdReport) {
    self.report = report
    pictures = report.pictures
  }

  /// The mark by which a report is recognized; a new report may replace it.
  static let mark = "<meta name=\"generator\" content=\"larder report\">"

  /// The page's policy: it loads nothing and runs no script, whatever a name contains.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

  var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    \(Self.mark)
    <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
    <link rel="icon" href="data:,"><title>\(report.name.markup), \(report.today)</title>
    <style>\(ReportStyle.colors)\(ReportStyle.pictures)\(ReportStyle.page)</style></head>
    <body><header><h1><bdi>\(report.name.markup)</bdi></h1>
    <p class="soft">\(about.markup)</p>
    <dl>\(tiles.joined(separator: "\n"))</dl></header>
    <main>
    \(sections.joined(separator: "\n"))
    </main><footer><p>Made by larder. Everything is in this file, and nothing leaves it.</p></footer>
    </body></html>

    """
  }

  private var about: String {
    let receipts = report.receiptDays.map { days in
      "\(counted(report.byMonth.totals.reduce(0) { $0 + $1.receipts }, "receipt")) from \(days.lowerBound) to \(days.upperBound)"
    }
    let limits = [report.since.map { "since \($0)" }, report.until.map { "until \($0)" }]
      .compactMap(\.self).joined(separator: " and ")
    return "Report of \(report.today), \(receipts ?? "no receipts")"
      + (limits.isEmpty ? "" : "; spending, prices and waste \(limits)")
  }
}

/// The figures at the top.
extension ReportPage {
  private var tiles: [String] {
    let month = Month(of: report.today)
    // The sum of a month that is only partly covered would look like the whole month's.
    let hasMonth =
      report.since.map { $0 <= month.firstDay } ?? true
      && report.until.map { report.today <= $0 } ?? true
    let all = report.since == nil && report.until == nil ? "Spent in all" : "Spent"
    let spent = report.byMonth.totals.flatMap { total -> [String] in
      let now = report.byMonth.rows.first { row in
        row.currency == total.currency && row.group == .month(month)
      }
      let ofMonth = tile(
        "Spent in \(month)", TypedMoney(now?.amount ?? .zero, total.currency).description)
      let ofAll = tile(
        all, TypedMoney(total.amount, total.currency).description,
        counted(total.receipts, "receipt"))
      return hasMonth ? [ofMonth, ofAll] : [ofAll]
    }
    let wasted = report.waste.totals.map { worth in
      tile(
        "Thrown away", TypedMoney(worth.cost, worth.currency).description,
        counted(report.waste.events.count { $0.worth?.currency == worth.currency }, "time"))
    }
    let soon = report.runsOut.count { $0.days <= 7 }
    return [
      tile(
        "Due by \(report.dueUntil)", String(report.due.count),
        report.expired.isEmpty ? nil : "\(report.expired.count) expired"),
      tile("Out within a week", String(soon)),
    ] + spent + wasted
  }

  private func tile(_ name: String, _ value: String, _ more: String? = nil) -> String {
    "<div><dt>\(name.markup)</dt><dd><b>\(value.markup)</b>"
      + (more.map { "<span>\($0.markup)</span>" } ?? "") + "</dd></div>"
  }

  private func counted(_ count: Int, _ one: String, _ several: String? = nil) -> String {
    "\(count) \(count == 1 ? one : several ?? one + "s")"
  }
}

/// The parts of the page, each with its pictures.
extension ReportPage {
  private var sections: [String] {
    let expired = section(
      "Expired", "expired", [], none: "",
      note: "Look at it, or throw it away: \(report.expired.listed).")
    return (report.expired.isEmpty ? [] : [expired]) + [
      section(
        "Use first", "use-first", ["due", "runs-out"],
        none: "Nothing is due, and nothing that is used often runs out soon.", isOpen: true,
        note: report.pastBest.isEmpty
          ? nil : "Past its best, so before all that is due: \(report.pastBest.listed)."),
      section(
        "Spending", "spending", ["months", "categories", "shops"],
        none: "No receipts are known.", note: spendingNote),
      section(
        "Prices and stock", "courses", ["prices", "stock"],
        none: "Nothing was bought twice with a price, and too little was used to show the stock."),
      section(
        "Thrown away", "thrown-away", ["waste"], none: "Nothing was thrown away.", isOpen: true,
        note: wasteNote),
    ]
  }

  private var spendingNote: String? {
    let incomplete = report.byMonth.totals.reduce(0) { $0 + $1.incompleteReceipts }
    guard incomplete > 0 else { return nil }
    return counted(incomplete, "receipt says", "receipts say")
      + " no total, and not the price of every line: more was spent."
  }

  private var wasteNote: String? {
    let unpriced = report.waste.unpriced
    guard unpriced > 0 else { return nil }
    return
      "Of \(counted(unpriced, "time")) that something was thrown away, no price is known."
  }

  private func section(
    _ title: String, _ id: String, _ names: [String], none: String, isOpen: Bool = false,
    note: String? = nil
  ) -> String {
    let shown = pictures.filter { picture in
      names.contains { picture.name == $0 || picture.name.hasPrefix($0 + "-") && $0 != "runs-out" }
    }
    let figures = shown.map { figure($0, isOpen: isOpen) }
    let text = [note, shown.isEmpty ? none : nil].compactMap(\.self).filter { !$0.isEmpty }
      .map { "<p class=\"soft\">\($0.markup)</p>" }
    let grid =
      figures.isEmpty ? "" : "<div class=\"figures\">\(figures.joined(separator: "\n"))</div>"
    return """
      <section aria-labelledby="\(id)"><h2 id="\(id)">\(title.markup)</h2>\(text.joined())
      \(grid)</section>
      """
  }

  private func figure(_ picture: ReportPicture, isOpen: Bool) -> String {
    let drawn = picture.isDrawn ? picture.inline : ""
    // Screen readers treat the table as a region that can be scrolled with keys.
    let place = picture.name.hasPrefix("categories") ? " class=\"tall\"" : ""
    let isBeside = picture.name == "waste" && picture.isDrawn
    return """
      <figure\(isBeside ? " class=\"beside\"" : place)><h3>\(picture.title.markup)</h3>\(drawn)
      <details\(isOpen || drawn.isEmpty ? " open" : "")><summary>Figures</summary>\
      <div class="scroll" tabindex="0" role="region" aria-label="\(picture.title.markup)">\
      \(picture.table.html(below: picture.title))</div></details></figure>
      """
  }
}

extension [LotRow] {
  /// The lots in a sentence, such as `1 l of Milk (2026-11-16, Fridge), 2 of Eggs (2026-11-17)`.
  fileprivate var listed: String {
    map { row in
      let marks = [row.expiry?.description, row.place].compactMap(\.self).joined(separator: ", ")
      return "\(row.quantity) of \(row.title) (\(marks))"
    }.joined(separator: ", ")
  }
}

extension HouseholdReport {
  /// Whether a file was made by ``page`` or ``ReportPicture/file``; a new report may replace it.
  public static func isReport(_ bytes: [UInt8]) -> Bool {
    let beginning = String(decoding: bytes.prefix(400), as: UTF8.self)
    return beginning.contains(ReportPage.mark) || beginning.contains(ReportPicture.mark)
  }
}

extension Larder {
  /// Writes a report below `.git/larder`, replacing the previous one, and returns its path.
  public func keep(report: String) throws(StoreError) -> String {
    try store.keep(Array(report.utf8), as: "report.html")
  }
}
