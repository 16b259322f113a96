import Foundation
import LarderModel
import TestSupport
import Testing

@Suite("A copy of the sample household")
struct SampleCopyTests {
  @Test(
    "has its days moved to the present by whole days, and nothing else is changed",
    arguments: ["2029-11-26T21:00:00.000Z", "2026-03-01T08:00:00.000Z", "2028-02-29T00:00:00.000Z"])
  func moved(now: String) throws {
    let larder = try CommandRunner.calling(now: now)
    let sample = try files(in: Checkout.sample)
    try FileManager.default.copyItem(atPath: Checkout.sample.path(), toPath: larder.folder("home"))
    let made = try larder("init", "--sample", in: "home")
    try #require(made.code == 0, "\(made.errors)")
    for words in [["check"], ["fmt", "--check"]] {
      let outcome = try larder.run(words, in: "home")
      #expect(outcome == .init(code: 0, output: "", errors: ""), "\(words)")
    }
    let copy = try files(in: URL(filePath: larder.folder("home")))
    #expect(copy.keys.sorted() == sample.keys.sorted())
    var gaps: Set<Int> = []
    for (id, text) in sample {
      let other = try #require(copy[id])
      #expect(text.replacing(Self.day, with: "") == other.replacing(Self.day, with: ""))
      let days = try zip(days(in: text), days(in: other)).map { $1 - $0 }
      gaps.formUnion(days)
    }
    #expect(gaps.count == 1)
    let newest = try #require(
      copy.values.flatMap { $0.matches(of: Self.instant).compactMap { Instant(String($0.output)) } }
        .max())
    let age = try #require(Instant(now)).milliseconds - newest.milliseconds
    #expect((0..<86_400_000).contains(age))
    let receipts = try FileManager.default.contentsOfDirectory(
      atPath: larder.folder("home/receipts"))
    #expect(receipts.max()?.hasPrefix(newest.description.prefix(10)) == true)
  }

  @Test("is moved before its first commit only, and has all that the other options say")
  func refused() throws {
    let larder = try CommandRunner.calling()
    let none = try larder("init", "--sample", in: "home")
    #expect(none.code == 3)
    try FileManager.default.copyItem(atPath: Checkout.sample.path(), toPath: larder.folder("copy"))
    let named = try larder("init", "copy", "--sample", "--name", "Ours")
    #expect(named.code == 2)
    #expect(named.errors.contains("has its name, time zone and currency already"))
    #expect(try larder("init", "copy", "--sample").code == 0)
    let before = try files(in: URL(filePath: larder.folder("copy")))
    #expect(try larder("init", "copy", "--sample").code != 0)
    #expect(try files(in: URL(filePath: larder.folder("copy"))) == before)
  }

  private static var day: Regex<Substring> { /\d{4}-\d\d-\d\d(?=[T"])/ }
  private static var instant: Regex<Substring> { /\d{4}-\d\d-\d\dT[\d:.]+Z/ }

  /// The household's files by their entity's id, without what a package says: it may be a day.
  private func files(in folder: URL) throws -> [String: String] {
    var found: [String: String] = [:]
    for (path, bytes) in try Checkout.jsonFiles(in: folder) where !path.text.hasPrefix(".") {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        .filter { !$0.contains(#""rawText": "#) }
      let id = lines.first { $0.hasPrefix(#"  "id": "#) }
      found[String(try #require(id))] = lines.joined(separator: "\n")
    }
    return found
  }

  private func days(in text: String) throws -> [Int] {
    try text.matches(of: Self.day).map {
      try #require(Day(String($0.output))).daysSinceEpoch
    }
  }
}
