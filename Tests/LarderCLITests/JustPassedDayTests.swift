import Foundation
import LarderKit
import TestSupport
import Testing

@Suite("A day without its year that has just passed")
struct JustPassedDayTests {
  private let calendar = HouseholdCalendar(
    timeZone: "Europe/Berlin", now: Instant("2026-11-26T12:00:00Z") ?? Instant(milliseconds: 0))

  @Test(
    "is told if the completed day is more than nine months away",
    arguments: [
      ("24.11.", "2027-11-24", "2026-11-24"), ("11-25", "2027-11-25", "2026-11-25"),
      ("1 sep", "2027-09-01", "2026-09-01"), ("Nov 1", "2027-11-01", "2026-11-01"),
    ])
  func ahead(text: String, day: String, nearer: String) {
    let completed = calendar.completed(text)
    #expect(completed?.day.description == day)
    #expect(completed?.nearer.description == nearer)
  }

  @Test(
    "looking back, a day that comes soon is told", arguments: ["27.11.", "27.11. 18:30", "1 Dec"])
  func back(text: String) {
    #expect(calendar.completed(text, .back) != nil)
    #expect(calendar.completed(text, .since) != nil)
    #expect(calendar.completed(text) == nil)
  }

  @Test(
    "is not told if it is near, or has its year",
    arguments: ["26.11.", "24.12.", "1 aug", "24.11.2027", "11/2027", "2w", "fri", "today", "x"])
  func clear(text: String) { #expect(calendar.completed(text) == nil) }

  @Test("is told by every command that completes one, once, with the way to the other")
  func commands() throws {
    var nest = try Nest()
    nest.larder.now = "2026-11-26T12:00:00Z"
    try nest.prepare("stock new Milk 1l", "stock new Jam 2")
    let told = "'24.11.' without its year is 2027-11-24; write 2026-11-24 if that day is meant"
    for line in [
      "put milk 1 jam 1 --expiry 24.11.", "put milk 1 --best-before 24.11.",
      "stock new Tea 1 --expiry 24.11.",
      "receipt save --shop S --line milk=1 --expiry milk=24.11.", "due 24.11.",
      "stock list expiry<24.11.",
    ] {
      let outcome = try nest(line)
      #expect(outcome.code == 0, "\(line): \(outcome)")
      #expect(outcome.errors.components(separatedBy: told).count == 2, "\(line): \(outcome)")
    }
    #expect(try nest("put milk 1 --expiry 2026-11-24").errors.contains("without its year") == false)
    for line in ["log --since 27.11.", "receipt save --shop T --line milk=1 --at '27.11. 9:00'"] {
      let outcome = try nest(line)
      #expect(
        outcome.errors.contains("write 2026-11-27 if that day is meant"), "\(line): \(outcome)")
    }
    try nest.write("name,expiry,quantity\nMilk,24.11.,1\n", to: "batches.csv")
    let imported = try nest("import csv batches.csv --kind batches")
    #expect(imported.errors.contains(told), "\(imported)")
  }
}
