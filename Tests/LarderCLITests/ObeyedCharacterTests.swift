import Foundation
import TestSupport
import Testing

/// What a terminal obeys or a reader is misled by: ESC, BEL, DEL, C1, and characters that reorder text.
private let obeyed = "\u{1b}[31m\u{7}\u{7f}\u{9b}2J\u{85}\u{202e}\u{2066}\u{2069}"

/// Those that may stand in the name of a file that is read.
private let reordering = "\u{202e}\u{2066}\u{2069}"

private func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x0A: false
  case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
  default: false
  }
}

@Suite("Characters that a terminal obeys")
struct ObeyedCharacterTests {
  /// A household with them in a name, a note, a file's name, an author and a commit.
  private func nest() throws -> HouseholdFixture {
    let escaped = obeyed.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
    let nest = try HouseholdFixture([
      "stock/a\(reordering)b.json": Written.item(
        1, "Milk\(escaped)", "\"category\": \"\(escaped)x\""),
      "stock/c\(obeyed)d.json": "{ \"name\": \"Tea\(obeyed)\", }",
    ])
    try nest.git("add", ".")
    try Git.run(
      "-c", "user.name=Ada\(obeyed)", "commit", "-q", "--author", "Ada\(obeyed) <a@example.org>",
      "-m", "by \(obeyed) hand", in: nest.root)
    return nest
  }

  @Test("none comes out of any command, in any form")
  func everywhere() throws {
    let nest = try nest()
    let commands = [
      ["stock"], ["stock", "show", "milk"], ["status"], ["check"], ["log"], ["diff", "HEAD"],
      ["stock", "show", "nothing\(obeyed)"], ["undo", "\(obeyed)"], ["doctor"], ["conflicts"],
      ["stock", "edit", "milk", "--name", "Oat\(obeyed)"], ["fmt", "--check"], ["adopt"],
      ["stock", "use", "milk"], ["git\(obeyed)"], ["sync", "--remote", "x\(obeyed)"],
    ]
    for words in commands {
      for form in [[], ["--plain"], ["--json"]] {
        let outcome = try nest.run(words + form)
        for text in [outcome.output, outcome.errors] {
          let found = text.unicodeScalars.filter { isObeyed($0) && $0 != "\t" }
          #expect(found.isEmpty, "larder \(words + form): \(text.debugDescription)")
        }
      }
    }
  }

  @Test("JSON and plain output say them as escapes, so that nothing is lost")
  func reversible() throws {
    let nest = try nest()
    let item = try #require(try nest("stock", "--json").array("items").first)
    #expect(item["name"] as? String == "Milk" + obeyed)
    #expect(item["path"] as? String == "stock/a\(reordering)b.json")
    #expect(try nest("stock", "--plain").output.contains("Milk\\u001b[31m\\u0007\\u007f\\u009b2J"))
  }
}
