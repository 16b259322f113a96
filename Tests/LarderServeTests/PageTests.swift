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

  @Test(
    "it is compressed for who takes gzip, and is the same then",
    arguments: ["gzip", "br;q=1.0, GZIP; q=0.8", "identity", "gzip;q=0", "gzip; q=0.000, br", ""])
  func compressed(_ accepted: String) async throws {
    let server = try RunningServer()
    let folder = try Folder()
    let first = try Self.first()
    var sizes = (sent: 0, whole: 0, first: 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path()) {
      let client = try server.client()
      client.send(
        "GET /\(name) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n"
          + (accepted.isEmpty ? "" : "Accept-Encoding: \(accepted)\r\n") + "\r\n")
      let answer = Data(client.restBytes())
      let end = try #require(answer.firstRange(of: Data("\r\n\r\n".utf8))).upperBound
      let head = String(decoding: answer[..<end], as: UTF8.self)
      let body = answer[end...]
      let file = try Data(contentsOf: Self.folder.appending(path: name))
      sizes.sent += body.count
      sizes.whole += file.count
      if first.contains(name) { sizes.first += body.count }
      #expect(head.contains("Content-Length: \(body.count)\r\n"), "\(name)")
      if head.contains("Content-Encoding: gzip") {
        try body.write(to: URL(filePath: folder("page.gz")))
        #expect(try run("gzip", "-df", folder("page.gz")).code == 0)
        #expect(try Data(contentsOf: URL(filePath: folder("page"))) == file, "\(name)")
      } else {
        #expect(body == file, "\(name)")
      }
    }
    let isCompressed =
      accepted.hasPrefix("gzip") && !accepted.contains("q=0") || accepted.hasPrefix("br")
    #expect(isCompressed ? sizes.first <= 45 * 1024 : sizes.sent == sizes.whole, "\(sizes)")
    await server.stop()
  }

  /// The files without which the list is not seen.
  ///
  /// All others come when they are needed, or when the phone has time for them.
  private static func first() throws -> Set<String> {
    var found: Set<String> = ["index.html", "look.css"]
    var next = ["app.js"]
    while let name = next.popLast() {
      guard found.insert(name).inserted else { continue }
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      next += text.matches(of: /import (?:[^;()]* from )?'\.\/([a-z-]+\.js)'/).map {
        String($0.output.1)
      }
    }
    return found
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
