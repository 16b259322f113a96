import Foundation
import LarderKit
import TestSupport

extension ReceiptTextReader {
  /// A reader for a household in Greenwich.
  init(on today: Day, currency: String? = nil) {
    let now = Instant(milliseconds: Int64(today.daysSinceEpoch) * 86_400_000 + 43_200_000)
    self.init(HouseholdCalendar(timeZone: "UTC", now: now), currency: currency)
  }
}

/// A receipt of `Tests/Receipts` with what a person reads on it.
struct PrintedReceipt {
  let name: String
  let text: String
  private var shop = ""
  private var paid = ""
  private(set) var total: Number?
  private var currency = ""
  private var lines: [String] = []

  static func all(in folder: String) throws -> [PrintedReceipt] {
    let url = Checkout.root.appending(path: "Tests/Receipts/\(folder)")
    return try FileManager.default.contentsOfDirectory(atPath: url.path()).sorted().map { name in
      let bytes = try Data(contentsOf: url.appending(path: name))
      return PrintedReceipt(name, String(decoding: bytes, as: UTF8.self))
    }
  }

  private init(_ name: String, _ file: String) {
    self.name = name
    let parts = file.components(separatedBy: "\n=====\n")
    text = parts[0]
    for line in parts[1].split(separator: "\n").map(String.init) {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case "shop": shop = String(line.dropFirst(5))
      case "paid": paid = String(line.dropFirst(5))
      case "total":
        total = Number(words[1])
        currency = words.count > 2 ? words[2] : ""
      default: lines.append(Self.plain(line))
      }
    }
  }

  /// Reads the text as somebody of its country would.
  func read(_ other: String? = nil) -> ReadReceipt {
    let today = Day("2026-11-23") ?? Day(daysSinceEpoch: 0)
    return ReceiptTextReader(on: today, currency: String(currency.prefix(3)))
      .read(other ?? text)
  }

  /// Returns what was read otherwise than a person reads it; empty if nothing was.
  func faults(of read: ReadReceipt) -> [String] {
    var faults: [String] = []
    let clock = read.minutes.map {
      " \($0 / 60 < 10 ? "0" : "")\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)"
    }
    let moment = (read.day?.description ?? "no day") + (clock ?? "")
    if !read.addsUp { faults.append("the difference is \(read.difference?.description ?? "none")") }
    if read.total != total { faults.append("the total is \(read.total?.description ?? "none")") }
    if read.shop != shop, !shop.hasSuffix("?") { faults.append("the shop is '\(read.shop)'") }
    if moment != paid { faults.append("the time is \(moment)") }
    if read.currency != currency, !currency.hasSuffix("?") {
      faults.append("the currency is \(read.currency ?? "none")")
    }
    let found = read.lines.map(Self.shown)
    if found != lines { faults.append("the lines are \(found)") }
    return faults
  }

  private static func shown(_ line: ReadLine) -> String {
    let unit = line.unit.flatMap(\.symbol).map { " \($0)" } ?? ""
    let name = line.kind == .item ? line.name : line.kind.rawValue
    return "\(line.quantity)\(unit) | \(name) | \(line.amount)"
  }

  /// Returns an expected line with plain numbers, pounds in grams, and the kind in place of a name.
  private static func plain(_ line: String) -> String {
    let parts = line.components(separatedBy: " | ")
    let words = parts[0].split(separator: " ").map(String.init)
    var quantity = Number(words[0]) ?? .zero
    var unit = words.count > 1 ? " " + words[1] : ""
    if unit == " lb" {
      quantity = quantity.multiplied(by: Number(45_359_237, over: 100_000))?.rounded ?? .zero
      unit = " g"
    }
    let amount = Number(parts[2])?.description ?? parts[2]
    return "\(quantity)\(unit) | \(parts.count > 3 ? parts[3] : parts[1]) | \(amount)"
  }
}
