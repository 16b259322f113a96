// A small app on LarderKit: prints what to buy, where the rest of it is, and what to eat first.
//
//     swift run shopping-example path/to/household
import LarderKit

let folder = CommandLine.arguments.dropFirst().first ?? "."
let larder = try await Larder.open(from: folder)

// One commit, or none if nothing is low.
let filled = try await larder.commit("fill the list") { $0.wantAllThatIsLow() }.outcome
let survey = filled.after
if !filled.isNothing { print("new on the list: \(filled.own.count)") }

print("To buy:")
for entry in survey.shoppingList {
  let left = entry.itemID.flatMap { survey.household[StockItem.self, $0] }
    .map { ", \(survey.total(of: $0)) left" }
  print("- \(entry.desired) of \(survey.title(of: entry))\(left ?? "")")
}

print("To eat first:")
let today = survey.calendar.today
for item in survey.items {
  for batch in survey.batches(of: item) {
    guard let day = batch.expiry?.date, day <= today.adding(days: 7) else { continue }
    let end = batch.isExpired(on: today) ? "over since" : "until"
    print("- \(batch.quantity) of \(item.name), \(end) \(day)")
  }
}
