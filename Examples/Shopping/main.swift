// A small app on LarderKit: what to buy and what to eat first, and again after each change by anyone.
//
//     swift run shopping-example path/to/household
//
// It goes on until ^C ends it. With --once, or where the output is no terminal, it prints the list once.
import Foundation
import LarderKit

let arguments = CommandLine.arguments.dropFirst()
let isLive = !arguments.contains("--once") && isatty(STDOUT_FILENO) == 1
let larder = try await Larder.open(from: arguments.first { !$0.hasPrefix("-") } ?? ".")

for await survey in larder.surveys() {
  show(survey)
  guard isLive else { break }
}

func show(_ survey: Survey) {
  if isLive { print("\u{1B}[2J\u{1B}[H", terminator: "") }
  print("To buy:")
  for entry in survey.shoppingList where !entry.isCompleted {
    let left = entry.itemID.flatMap { survey.household[StockItem.self, $0] }
      .map { ", \(survey.total(of: $0)) left" }
    print("- \(entry.desired) of \(survey.title(of: entry))\(left ?? "")")
  }
  print("To eat first:")
  let today = survey.calendar.today
  for batch in survey.expired() + survey.expiring(withinDays: 7) {
    let end = batch.isExpired(on: today) ? "over since" : "until"
    print(
      "- \(batch.quantity) of \(survey.title(of: batch)), \(end) \(batch.expiry?.date?.description ?? "")"
    )
  }
}
