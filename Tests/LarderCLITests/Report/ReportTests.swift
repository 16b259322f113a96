import Foundation
import TestSupport
import Testing

@testable import LarderCLI

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("The report")
struct ReportTests {
  /// Names that a page must not take for markup.
  static let names = [
    #"<script>alert("a")</script>"#, "</title><img src=x onerror=alert(1)>", "Brot & 'Butter'",
    "\"><svg onload=alert(1)>", "R&amp;D",
  ]

  /// A household whose names are hostile, with receipts, waste, dates and uses.
  static func hostile() throws -> Nest {
    var nest = try Nest()
    nest.larder.now = "2026-11-01T12:00:00Z"
    let quoted = names.map { $0.replacing("\"", with: "\\\"") }
    try nest.write(
      """
      { "name": "\(quoted[0])", "category": "\(quoted[1])", "unit": "liter",
        "quantityInStock": 1, "quantityFullStock": 6 }
      """, to: "stock/one.json")
    try nest.write(
      "{ \"name\": \"\(quoted[2])\", \"category\": \"Bakery\\u202Egnp\" }", to: "stock/two.json")
    try nest.write("{ \"name\": \"\(quoted[4])\" }", to: "locations/one.json")
    for (name, day, amount) in [("one", "2026-10-03", "9"), ("two", "2026-11-01", "7.5")] {
      try nest.write(
        """
        { "shopName": "\(quoted[3])", "timestamp": "\(day)T10:00:00Z", "amount": \(amount),
          "items": [
            { "itemName": "\(quoted[0])", "quantity": 2, "unit": "liter", "price": 3.1 },
            { "itemName": "\(quoted[2])", "quantity": 1, "price": 4.4 }] }
        """, to: "receipts/\(name).json")
    }
    try nest.prepare(
      "adopt", "config name '\(names[1])'",
      "receipt save --shop Kiosk --at 2026-11-01 --currency CHF --line Gum=1@@2.5",
      "put stock/one.json 2 --expiry 2026-11-22 --location locations/one.json",
      "put stock/one.json 9 --expiry 2026-11-25")
    for day in ["05", "08", "12", "15"] {
      nest.larder.now = "2026-11-\(day)T12:00:00Z"
      try nest.prepare("use stock/one.json 1")
    }
    try nest.prepare("stock discard stock/one.json 1 --reason '\(names[4])'")
    nest.larder.now = "2026-11-21T12:00:00Z"
    return nest
  }

  @Test("the page has what the household asks, and no name is markup in it")
  func page() throws {
    let nest = try Self.hostile()
    let page = try nest("report").output
    #expect(page.hasPrefix("<!doctype html>"))
    for text in [
      "<title>&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;, 2026-11-21</title>",
      "16.50 EUR", "2.50 CHF", "What is due", "What runs out next", "Spending by month, EUR",
      "Spending by month, CHF", "Prices of what is bought most", "What was thrown away",
      "How the stock stood", "R&amp;amp;D", "Brot &amp; &#39;Butter&#39;", "some will be left over",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    for text in ["<script", "<img", "onload=alert(1)>", "http:", "https:", "\u{202E}"] {
      let found = page.replacing("http://www.w3.org/2000/svg", with: "").contains(text)
      #expect(!found, "\(text)")
    }
  }

  @Test("each picture is a well-formed file of its own")
  func pictures() throws {
    let nest = try Self.hostile()
    let names = [
      "due", "runs-out", "months", "categories", "shops", "months-chf", "categories-chf",
      "shops-chf", "prices", "waste", "stock",
    ]
    for name in names {
      let outcome = try nest("report --svg \(name)")
      #expect(outcome.code == 0, "\(name): \(outcome.errors)")
      let reader = PictureReader(outcome.output)
      #expect(reader.isWellFormed, "\(name): \(outcome.output)")
      #expect(reader.elements.contains("title") && reader.elements.contains("desc"), "\(name)")
      #expect(reader.elements.isDisjoint(with: ["script", "img", "image", "foreignObject", "a"]))
    }
    let unknown = try nest("report --svg montsh")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains(names.joined(separator: ", ")))
    #expect(unknown.errors.contains("did you mean 'months'?"))
  }

  @Test("a price that hardly changes is a line that hardly rises, on a scale from 0")
  func smallChange() throws {
    let nest = try Nest()
    try nest.prepare(
      "receipt save --shop Kiosk --at 2026-10-02 --line Milk=1@0.79",
      "receipt save --shop Kiosk --at 2026-11-02 --line Milk=1@0.80",
      "receipt save --shop Kiosk --at 2026-10-02 --line Rice=1@1",
      "receipt save --shop Kiosk --at 2026-11-02 --line Rice=1@2")
    let picture = try nest("report --svg prices").output
    let rises = picture.matches(of: /d="M[\d.]+ ([\d.]+)L[\d.]+ ([\d.]+)" class="course"/)
      .compactMap { match in Double(match.1).flatMap { one in Double(match.2).map { one - $0 } } }
      .sorted()
    try #require(rises.count == 2, "\(picture)")
    #expect(rises[0] > 0 && rises[0] < 1)
    #expect(rises[1] > 20)
    for text in ["0.79–0.80", "1.00–2.00", "on a scale from 0 to its highest price"] {
      #expect(picture.contains(text), "\(text)")
    }
  }

  @Test("what lasts longer has the longer bar, and the picture says so")
  func lasting() throws {
    var nest = try Nest()
    nest.larder.now = "2026-11-01T12:00:00Z"
    try nest.prepare("stock new Milk 10", "stock new Rice 11")
    for day in ["05", "08", "12", "15"] {
      nest.larder.now = "2026-11-\(day)T12:00:00Z"
      try nest.prepare("use milk 1 rice 1")
    }
    nest.larder.now = "2026-11-21T12:00:00Z"
    let picture = try nest("report --svg runs-out").output
    let bars = picture.matches(of: /width="([\d.]+)" height="8" rx="2" class="(?:bar|lost)"/)
      .compactMap { Double($0.1) }
    #expect(bars.count == 2)
    #expect(bars == bars.sorted() && bars.last == 360)
    let milk = try #require(picture.firstRange(of: "Milk"))
    let rice = try #require(picture.firstRange(of: "Rice"))
    #expect(milk.lowerBound < rice.lowerBound)
    #expect(picture.contains(">a longer bar is more days: the shortest runs out first</text>"))
  }

  @Test("a report replaces a report, and no other file")
  func files() throws {
    let nest = try Self.hostile()
    try nest.prepare("report -o page.html", "report --since 2026-11-01 -o page.html")
    #expect(!(try nest.read("page.html")).contains("16.50 EUR"))
    #expect(try nest.read("page.html").contains("7.50 EUR"))
    let about =
      "Report of 2026-11-21, 2 receipts from 2026-11-01 to 2026-11-01; "
      + "spending, prices and waste since 2026-11-01</p>"
    #expect(try nest.read("page.html").contains(about))
    #expect(try nest.read("page.html").contains("Spent in 2026-11"))
    try nest.prepare("report --until 2026-11-10 -o page.html")
    #expect(!(try nest.read("page.html")).contains("Spent in"))
    #expect(try nest.read("page.html").contains("<dt>Spent</dt><dd><b>16.50 EUR</b>"))
    try nest.prepare("report --svg months -o months.svg", "report --svg shops -o months.svg")
    try nest.write("what somebody wrote", to: "notes.html")
    let refused = try nest("report -o notes.html")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("notes.html is there already and is no report"))
    #expect(try nest.read("notes.html") == "what somebody wrote")
    let nowhere = try nest("report -o nowhere/page.html")
    #expect(
      nowhere.errors == "error: could not write nowhere/page.html: No such file or directory\n")
    let kept = try nest("report --json").json()
    let path = try #require(kept["file"] as? String)
    #expect(path.hasSuffix("/.git/larder/report.html"))
    let page = try String(contentsOfFile: path, encoding: .utf8)
    #expect(kept["bytes"] as? Int == page.utf8.count)
    #expect(page == (try nest("report").output))
    #expect(try nest("report -o -").output == page)
    #expect(try nest("report --json -o -").code == 2)
  }

  @Test("--open gives the kept page to the system's program, and says where it is if that fails")
  func opening() throws {
    var nest = try Self.hostile()
    nest.larder.variables["PATH"] = nest.larder.folder("bin") + ":/usr/bin:/bin"
    try install("echo \"$1\" > opened", in: nest)
    let opened = try nest("report --open")
    #expect(opened.code == 0, "\(opened.errors)")
    #expect(try nest.read("opened") == opened.output)
    #expect(opened.output.hasSuffix("/.git/larder/report.html\n"))
    try install("exit 3", in: nest)
    let failed = try nest("report --open")
    #expect(failed.code == 1)
    #expect(failed.errors.contains("open' could not open it\nhint: open it in a browser: /"))
  }

  /// Puts a script in the place of the program that opens files, by its names on Linux and macOS.
  private func install(_ line: String, in nest: Nest) throws {
    for name in ["xdg-open", "open"] {
      try nest.larder.folder.write("#!/bin/sh\n\(line)\n", to: "bin/\(name)")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: nest.larder.folder("bin/\(name)"))
    }
  }

  @Test("a new household has a page, too, which says what is not known yet")
  func empty() throws {
    let nest = try Nest()
    let page = try nest("report")
    #expect(page.code == 0)
    for text in ["No receipts are known.", "Nothing was thrown away.", "Nothing is due"] {
      #expect(page.output.contains(text), "\(text)")
    }
    #expect(!page.output.contains("<svg"))
    #expect(try nest("report --svg due").errors.contains("there is nothing to draw yet"))
  }
}

/// A reader of a picture's XML.
private final class PictureReader: NSObject, XMLParserDelegate {
  private(set) var elements: Set<String> = []
  private(set) var isWellFormed = false

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    elements.insert(name)
  }
}
