import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite(
  "The report in a browser", .serialized,
  .enabled(if: Chromium.path != nil, "no Chromium is installed: the report is not opened in one"))
struct ReportBrowserTests {
  /// A page of the hostile household, and the household.
  private func page() throws -> (nest: Nest, address: URL) {
    let nest = try ReportTests.hostile()
    try nest.prepare("report -o page.html")
    return (nest, URL(filePath: nest.larder.folder("nest/page.html")))
  }

  @Test("it opens without a message, a request or a script, whatever names are")
  func quiet() throws {
    let (nest, address) = try page()
    defer { withExtendedLifetime(nest) {} }
    let browser = try Chromium()
    for (width, isDark) in [(390, false), (390, true), (1280, false), (1280, true)] {
      try browser.open(address, width: width, isDark: isDark)
      try browser.takeScreenshot("report-\(isDark ? "dark" : "light")-\(width)")
      #expect(browser.events("Log.entryAdded").isEmpty)
      #expect(browser.events("Runtime.consoleAPICalled").isEmpty)
      #expect(browser.events("Runtime.exceptionThrown").isEmpty)
      #expect(browser.events("Page.javascriptDialogOpening").isEmpty)
      let addresses = browser.events("Network.requestWillBeSent")
        .compactMap { ($0["request"] as? [String: Any])?["url"] as? String }
      #expect(addresses == [address.absoluteString], "\(addresses)")
      #expect(try browser.value(of: "document.documentElement.scrollWidth") as? Int == width)
    }
    #expect(
      try browser.value(of: "document.querySelectorAll('script,img,iframe,object,a,b > b').length")
        as? Int == 0)
    let text = try #require(try browser.value(of: "document.body.textContent") as? String)
    for name in ReportTests.names { #expect(text.contains(name), "\(name)") }
  }

  @Test("every figure of spending is the one of 'spending --json'")
  func figures() throws {
    let (nest, address) = try page()
    let browser = try Chromium()
    try browser.open(address, width: 1280, isDark: false)
    var rows = 0
    for grouping in ["month", "category", "shop"] {
      let json = try nest("spending --by \(grouping) --json")
      for currency in ["EUR", "CHF"] {
        let items = try json.array("items").filter { $0["currency"] as? String == currency }
        let script = """
          (() => {
            const title = 'Spending by \(grouping), \(currency)';
            const table = [...document.querySelectorAll('table')]
              .find(t => t.caption.textContent == title);
            return [...table.rows].map(r => [...r.cells].map(c => c.textContent));
          })()
          """
        let shown = try #require(try browser.value(of: script) as? [[String]])
        let body = Dictionary(
          shown.dropFirst().dropLast().map { ($0[0], Array($0.dropFirst())) },
          uniquingKeysWith: { $1 })
        #expect(body.count == items.count)
        for item in items {
          // The page has no characters that reorder the text around them.
          let name =
            (item["name"] as? String)?.replacing("\u{202E}", with: "") ?? Self.unnamed[
              item["kind"] as? String ?? ""] ?? ""
          let row = try #require(body[name], "\(name) is not in \(body)")
          #expect(row[0] == "\(item["receipts"] as? Int ?? -1)")
          #expect(Double(row[1]) == item["amount"] as? Double, "\(name)")
          rows += 1
        }
        let total = try json.array("totals").first { $0["currency"] as? String == currency }
        #expect(shown.last?.last.flatMap { Double($0) } == total?["amount"] as? Double)
      }
    }
    #expect(rows == 9)
  }

  private static let unnamed = [
    "noCategory": "(without a category)", "rest": "(on no line with a price)",
  ]

  @Test("every text has a contrast of 4.5 to what is behind it, in light and dark")
  func contrast() throws {
    let (nest, address) = try page()
    defer { withExtendedLifetime(nest) {} }
    let browser = try Chromium()
    for isDark in [false, true] {
      try browser.open(address, width: 1280, isDark: isDark)
      let low = try #require(try browser.value(of: Self.lowContrasts) as? [String])
      #expect(low.isEmpty, "\(isDark ? "dark" : "light"): \(low.prefix(5))")
      let count = try #require(
        try browser.value(of: "document.querySelectorAll('svg text, td, th, p, dd, dt').length")
          as? Int)
      #expect(count > 100)
    }
  }

  /// Returns the texts whose contrast (WCAG 2.2) to their background is below 4.5.
  private static let lowContrasts = """
    (() => {
      const parts = c => c.match(/[0-9.]+/g).map(Number);
      const light = c => {
        const [r, g, b] = parts(c).slice(0, 3).map(v => v / 255)
          .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ratio = (a, b) => {
        const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05);
      };
      const paper = getComputedStyle(document.body).backgroundColor;
      // The last rectangle that is drawn before a text, and behind its middle.
      const behind = text => {
        const box = text.getBBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
        let found = paper;
        for (const shape of text.ownerSVGElement.querySelectorAll('rect, text')) {
          if (shape === text) break;
          if (shape.tagName != 'rect') continue;
          const b = shape.getBBox(), fill = getComputedStyle(shape).fill;
          const isIn = x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height;
          if (isIn && fill != 'none') found = fill;
        }
        return found;
      };
      const low = [];
      const check = (text, color, ground) => {
        if (ratio(color, ground) < 4.5) low.push(`${text}: ${color} on ${ground}`);
      };
      for (const t of document.querySelectorAll('svg text'))
        check(t.textContent, getComputedStyle(t).fill, behind(t));
      for (const e of document.querySelectorAll('body *')) {
        if (e.closest('svg')) continue;
        const own = [...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim());
        if (own) check(e.textContent.slice(0, 20), getComputedStyle(e).color, paper);
      }
      return low;
    })()
    """

  @Test("each picture has a title, a summary and a table, and the page prints on A4")
  func accessible() throws {
    let (nest, address) = try page()
    defer { withExtendedLifetime(nest) {} }
    let browser = try Chromium()
    try browser.open(address, width: 390, isDark: false)
    let figures = try #require(
      try browser.value(
        of: """
          [...document.querySelectorAll('figure')].map(f => [
            f.querySelector('svg')?.getAttribute('aria-labelledby').split(' ')
              .every(id => document.getElementById(id).textContent.length > 3) ?? true,
            f.querySelectorAll('table caption').length == 1,
            f.querySelectorAll('tbody th[scope=row]').length > 0])
          """) as? [[Bool]])
    #expect(figures.count >= 10)
    #expect(figures.allSatisfy { $0 == [true, true, true] }, "\(figures)")
    let print = try browser.call("Page.printToPDF", ["preferCSSPageSize": true])
    let paper = try #require((print["data"] as? String).flatMap { Data(base64Encoded: $0) })
    let text = String(decoding: paper, as: UTF8.self)
    let pages = text.components(separatedBy: "/MediaBox [0 0 ").dropFirst()
      .map { $0.prefix(7) }
    // 210 by 297 millimetres, in points.
    #expect(
      (1...8).contains(pages.count)
        && pages.allSatisfy { $0.hasPrefix("594.9") || $0.hasPrefix("595") })
  }
}
