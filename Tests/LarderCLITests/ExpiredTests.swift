import TestSupport
import Testing

@Suite("What has expired, and what is past its best")
struct ExpiredTests {
  /// Milk of which 2 l have expired, rice past its best, and ham whose guessed day is over.
  private func household() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk --unit l --full 4l", "put milk 2l --use-by -4d", "put milk 1l --use-by +4d",
      "stock new Rice --unit kg --full 2kg", "put rice 2kg --best-before -3d",
      "stock new Ham", "put ham 1 --expiry -2d --confidence 0.5")
    return nest
  }

  private func names(_ line: String, in nest: Nest) throws -> [String] {
    try nest(line).records.map { $0[0] }
  }

  @Test("low and fill count what has not expired, and what is past its best")
  func low() throws {
    let nest = try household()
    let low = try nest("low")
    #expect(try names("low --plain", in: nest) == ["Milk"])
    #expect(low.output.contains("Expired") && low.output.contains("2 l"), "\(low.output)")
    let item = try nest("stock list milk --json").array("items")[0]
    #expect(item["total"] as? Double == 3 && item["expired"] as? Double == 2)
    #expect(item["missing"] as? Double == 3)
    let rice = try nest("stock list rice --json").array("items")[0]
    #expect(rice["expired"] == nil && rice["missing"] as? Double == 0)
    #expect(try names("stock list is:expired --plain", in: nest) == ["Milk"])
    try nest.prepare("shop remove milk", "shop fill")
    #expect(try nest("shop --plain").records.contains { $0.prefix(3) == ["open", "Milk", "3"] })
  }

  @Test("only what has expired is low: a use-by day of today, and one that has passed")
  func today() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk --unit l --minimum 2l", "put milk 2l --use-by today")
    #expect(try names("low --plain", in: nest).isEmpty)
    try nest.prepare("stock new Curd --minimum 2", "put curd 2 --use-by -1d")
    #expect(try names("low --plain", in: nest) == ["Curd"])
    let json = try nest("status --json").json()
    #expect(json["low"] as? Int == 1 && json["usedUp"] as? Int == 0)
  }

  @Test("what has expired lasts for nothing")
  func lasts() throws {
    var nest = try Nest()
    try nest.prepare("stock new Milk 40l")
    for day in 1...9 {
      nest.larder.now = "2026-12-0\(day)T08:00:00Z"
      try nest.prepare("use milk 1l")
    }
    let before = try nest("stock show milk").output
    try nest.prepare("put milk 100l --use-by 2026-12-08")
    #expect(try nest("stock show milk").output.lines(of: "lasts") == before.lines(of: "lasts"))
    try nest.prepare("put milk 100l --best-before 2026-12-08")
    #expect(try nest("stock show milk").output.lines(of: "lasts") != before.lines(of: "lasts"))
  }

  @Test("each batch has the word for its passed day, what has expired first")
  func words() throws {
    let nest = try household()
    let list = try nest("stock expired").output
    #expect(list.contains("expired 4 days ago"))
    #expect(list.contains("past its best 3 days") && list.contains("past its best 2 days"))
    #expect(try names("stock expired --plain", in: nest) == ["Milk", "Rice", "Ham"])
    #expect(
      try nest("stock expired --json").array("items").map { $0["passed"] as? String }
        == ["expired", "pastBest", "pastBest"])
    #expect(try names("stock expired is:expired --plain", in: nest) == ["Milk"])
    #expect(try names("stock expired is:past --plain", in: nest) == ["Rice", "Ham"])
    #expect(try names("stock list --batches is:expired --plain", in: nest) == ["Milk"])
    let status = try nest("status")
    #expect(status.output.contains("1 batch expired, 2 batches past their best"))
    let json = try nest("status --json").json()
    #expect(json["expired"] as? Int == 1 && json["pastBest"] as? Int == 2)
  }

  @Test("due lists it first and apart on a terminal, and elsewhere says how much it is")
  func due() throws {
    let nest = try household()
    let screen = try nest.atTerminal("--no-color due").screen
    let parts = [
      "expired: look at it, or throw it away", "2 l of Milk (batch of", "expired 4 days ago",
      "past its best: use first", "2 kg of Rice", "1 of Ham", "Keeps until",
    ].map { screen.firstRange(of: $0)?.lowerBound }
    #expect(!parts.contains(nil), "\(screen)")
    #expect(parts.compactMap(\.self) == parts.compactMap(\.self).sorted(), "\(screen)")
    let piped = try nest("due")
    #expect(!piped.output.contains("2 l") && piped.errors.contains("1 batch has already expired"))
    #expect(piped.errors.contains("2 batches are past their best"))
    #expect(!(try nest.atTerminal("--no-color due rice").screen.contains("Milk")))
  }

  @Test("the first page and the report don't recommend what has expired")
  func recommended() throws {
    let nest = try household()
    let screen = try nest.atTerminal("--no-color").screen
    let (expired, first) = (
      try #require(screen.firstRange(of: "expired: look at it, or throw it away")),
      try #require(screen.firstRange(of: "use first"))
    )
    let used = screen[first.lowerBound...]
    #expect(screen[expired.upperBound..<first.lowerBound].contains("2 l of Milk"))
    #expect(!used.contains("2 l of Milk"))
    #expect(used.contains("1 l of Milk") && used.contains("2 kg of Rice"))
    let page = try nest("report -o -").output
    #expect(page.contains("Look at it, or throw it away: 2 l of Milk (2026-11-17)."))
    let section = page[try #require(page.firstRange(of: "Use first")).lowerBound...]
    #expect(section.contains("Past its best, so before all that is due: 2 kg of Rice"))
    #expect(!section.prefix(1000).contains("2026-11-17"))
  }

  @Test("the calendar calls a best-before day by its name")
  func calendar() throws {
    let text = try household()("export ics --only due").output
    #expect(text.contains("SUMMARY:Milk: 2 l\\, last day"))
    #expect(text.contains("SUMMARY:Rice: 2 kg\\, best before"))
    #expect(text.contains("SUMMARY:Ham: 1\\, about the last day"))
  }
}

extension String {
  fileprivate func lines(of name: String) -> [Substring] {
    split(separator: "\n").filter { $0.contains("\(name):") }
  }
}
