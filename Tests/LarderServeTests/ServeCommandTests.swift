import Foundation
import TestSupport
import Testing

@OwnThread @Suite("serve")
struct ServeCommandTests {
  private let larder: CommandRunner

  init() throws {
    larder = try CommandRunner()
    let made = try larder(
      "init", "nest", "--name", "12 Ashgrove Road", "--time-zone", "UTC", "--currency", "EUR",
      in: "home")
    try #require(made.code == 0, "\(made.errors)")
  }

  private func serve() throws -> (running: RunningLarder, port: Int) {
    let running = try larder.start("serve", "--port", "0", in: "home/nest")
    try #require(try running.says("watching"))
    let match = try running.errors().firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)\//)
    return (running, try #require(match.flatMap { Int($0.1) }))
  }

  private func ask(_ port: Int, _ head: String, _ body: String = "") throws -> String {
    let client = try RawClient(port: port)
    client.send(
      "\(head)\r\nHost: localhost:\(port)\r\nConnection: close\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return client.rest()
  }

  private func value(_ pattern: String, _ text: String) throws -> String {
    let match = try #require(text.firstMatch(of: try Regex("\"\(pattern)\": \"(.*?)\"")))
    return String(try #require(match.output[1].substring))
  }

  @Test(
    "a phone is paired, listed and forgotten while the server runs, which adopts edits and ends")
  func day() throws {
    let none = try larder("serve", "--pair", in: "home/nest")
    #expect(none.code != 0 && none.errors.contains("no server of this household is running here"))
    let (running, port) = try serve()
    #expect(try running.errors().contains("only this machine reaches it"))
    let told = try larder("serve", "--pair", in: "home/nest").output
    #expect(told.contains("open http://127.0.0.1:\(port)/ in a browser of this machine, and type"))
    #expect(try ask(port, "GET / HTTP/1.1").contains("200 OK"))

    let shown = try larder("serve", "--pair", "--json", in: "home/nest").output
    let code = try value("code", shown)
    let link = try value("address", shown)
    #expect(link.hasPrefix("http://127.0.0.1:\(port)/#pair="))
    let answer = try ask(
      port, "POST /api/1/pair HTTP/1.1", "{\"code\": \"\(code)\", \"name\": \"Mira's phone\"}")
    #expect(answer.contains("200 OK") && answer.contains("12 Ashgrove Road"), "\(answer)")
    let bearer = "GET /api/1/none HTTP/1.1\r\nAuthorization: Bearer \(try value("token", answer))"
    #expect(status(try ask(port, bearer)) != 401)
    #expect(try running.says("paired Mira's phone"))

    let unknown = try larder("serve", "--pair", "Mira's fone", in: "home/nest")
    #expect(unknown.code != 0 && unknown.errors.contains("no phone is called 'Mira's fone'"))
    let own = try larder("serve", "--pair", "mira's phone", "--json", in: "home/nest").output
    #expect(try value("replaces", own) == "Mira's phone")
    let spelled = try larder("serve", "--pair", "Mira's phone", in: "home/nest").output
    #expect(spelled.contains("with the name Mira's phone it takes that one's place"))

    let listed = try larder("serve", "--phones", "--plain", in: "home/nest")
    #expect(listed.output == "Mira's phone\t2026-11-21\t2026-11-21\n")
    #expect(try larder("serve", "--forget", "mira's phone", in: "home/nest").code == 0)
    #expect(status(try ask(port, bearer)) == 401)
    #expect(try larder("serve", "--forget", "Mira's phone", in: "home/nest").code != 0)
    #expect(try larder("serve", "--phones", in: "home/nest").errors.contains("no phone is paired"))

    let second = try larder("serve", "--port", "0", in: "home/nest")
    #expect(second.code == 7 && second.errors.contains("another 'larder serve' is at work"))
    try larder.folder.write(
      "{\"name\": \"Milk\", \"unit\": \"l\"}", to: "home/nest/stock/milk.json")
    #expect(try running.says("adopted new item Milk"))
    #expect(running.end() == 0)
    #expect(try running.errors().hasSuffix("ended\n"))
  }

  @Test("it waits for a folder that is gone or has another household, and watches what comes back")
  func changedFolder() throws {
    let (running, port) = try serve()
    let (nest, beside) = (larder.folder("home/nest"), larder.folder("home/beside"))
    let files = FileManager.default
    func saffron(_ name: String) throws {
      try larder.folder.write(
        "{\"name\": \"\(name)\", \"unit\": \"gram\"}", to: "home/nest/stock/\(name).json")
    }
    try files.moveItem(atPath: nest, toPath: beside)
    #expect(try running.says("waiting: there is no household in"))
    try files.moveItem(atPath: beside, toPath: nest)
    try saffron("Saffron")
    #expect(try running.says("adopted new item Saffron"))

    // A backup takes the place of the folder, with no moment in which there is none.
    try #require(try run("cp", "-a", nest, beside).code == 0)
    try saffron("Thyme")
    #expect(try running.says("adopted new item Thyme"))
    try files.moveItem(atPath: nest, toPath: nest + "-old")
    try files.moveItem(atPath: beside, toPath: nest)
    Thread.sleep(forTimeInterval: 2)
    try saffron("Sage")
    #expect(try running.says("adopted new item Sage"))

    try files.moveItem(atPath: nest, toPath: beside)
    let other = try larder("init", "nest", "--name", "Next door", "--currency", "EUR", in: "home")
    try #require(other.code == 0)
    try saffron("Cumin")
    #expect(try running.says("waiting: another household is in"))
    #expect(try run("git", "-C", nest, "rev-list", "--count", "HEAD").output == "1\n")
    try files.moveItem(atPath: nest, toPath: nest + "-door")
    try files.moveItem(atPath: beside, toPath: nest)
    try saffron("Mace")
    #expect(try running.says("adopted new item Mace"))
    #expect(try ask(port, "GET / HTTP/1.1").contains("200 OK"))
    #expect(running.end() == 0)
  }

  @Test("a port in use, half a certificate and a name that is none are told")
  func refusals() throws {
    let (running, port) = try serve()
    let other = try larder(
      "init", "shed", "--name", "Shed", "--time-zone", "UTC", "--currency", "EUR", in: "home")
    try #require(other.code == 0)
    let used = try larder("serve", "--port", "\(port)", in: "home/shed")
    #expect(used.code == 7 && used.errors.contains("another program uses the port \(port)"))
    for words in [["--certificate", "a.pem"], ["--name", "a b"], ["--port", "70000"]] {
      #expect(try larder.run(["serve"] + words, in: "home/shed").code == 2, "\(words)")
    }
    #expect(running.end() == 0)
  }
}
