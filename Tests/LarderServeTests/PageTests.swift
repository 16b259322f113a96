import Foundation
import TestSupport
import Testing

@OwnThread @Suite("The files of the page")
struct PageTests {
  private static let folder = Checkout.root.appending(path: "Sources/LarderServe/Page")

  @Test("each file is served as it is, and asked for anew it is not sent again")
  func served() async throws {
    let server = try RunningServer()
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
    #expect(names.count > 20)
    for name in names {
      let answer = try server.ask("GET", "/\(name)")
      #expect(status(answer) == 200, "\(name)")
      let size = try Data(contentsOf: Self.folder.appending(path: name)).count
      #expect(answer.contains("Content-Length: \(size)"), "\(name)")
      let tag = try #require(answer.firstMatch(of: /ETag: (\S+)/)?.output.1)
      let again = try server.ask("GET", "/\(name)", ["If-None-Match: \(tag)"])
      #expect(status(again) == 304, "\(name)")
    }
    await server.stop()
  }

  @Test("the service worker keeps every file of the page")
  func kept() throws {
    let worker = try String(contentsOf: Self.folder.appending(path: "sw.js"), encoding: .utf8)
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
    for name in names where name.hasSuffix(".js") && name != "sw.js" {
      #expect(worker.contains("'\(name.dropLast(3))'"), "\(name)")
    }
    for name in ["'./'", "'look.css'", "'manifest.webmanifest'", "'icon.svg'"] {
      #expect(worker.contains(name), "\(name)")
    }
  }

  @Test("no script of the page writes markup, and nothing of it is from elsewhere")
  func ofItself() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
    where name.hasSuffix(".js") || name.hasSuffix(".html") || name.hasSuffix(".css") {
      let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
        #expect(!text.contains(word), "\(name): \(word)")
      }
      let addresses = text.matches(of: /https?:\/\/[a-z][a-z.]*/).map { String($0.output) }
      #expect(addresses.allSatisfy { $0 == "http://www.w" }, "\(name)")
    }
  }
}
