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
  for row in ShopRow.all(in: survey) where row.state == .open {
    let left = row.item.map { ", \(survey.total(of: $0)) left" } ?? ""
    print("- \(row.entry.desired) of \(row.title)\(left)")
  }
  print("To eat first:")
  for row in LotRow.expired(in: survey) + LotRow.due(in: survey, days: 7) {
    let end = row.passed == nil ? "until" : "over since"
    print("- \(row.quantity) of \(row.title), \(end) \(row.expiry?.description ?? "")")
  }
}
