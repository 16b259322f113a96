import Foundation
import LarderJSON
import TestSupport
import Testing

@OwnThread @Suite("Waiting for the news of a household")
struct NewsTests {
  @Test("news are told when there are some, whoever made them, and else after a while")
  func news() async throws {
    let home = try await ServedHousehold()
    let answer = try home.server.ask("GET", "/api/1/state", token: home.server.token("Tom"))
    let tag = "If-None-Match: " + (try #require(answer.firstMatch(of: /ETag: (\S+)/)).output.1)
    #expect(try home.ask("news").0 == 200, "without a state all is news")
    let milk = try home.item("Milk")["id"]
    for change in ["a phone", "a command", "an editor"] {
      let state = try home.server.ask("GET", "/api/1/state", token: home.server.token(change))
      let tag = "If-None-Match: " + (try #require(state.firstMatch(of: /ETag: (\S+)/)).output.1)
      // The thread that waits says when it heard: this one does other tests' work meanwhile.
      let waiting = Waiting { (try home.ask("news", headers: [tag]).0, ContinuousClock.now) }
      pause()
      let began = ContinuousClock.now
      switch change {
      case "a phone": _ = try home.act(["kind": "use", "item": milk, "quantity": .number("0.25")])
      case "a command": _ = try home.larder.run(["buy", "soap"], in: "home")
      default:
        try Data(#"{"name": "Saffron", "unit": "gram"}"#.utf8)
          .write(to: URL(filePath: home.root + "/stock/saffron.json"))
      }
      let (answer, heard) = try await waiting.value()
      #expect(answer == 200, "\(change)")
      #expect(heard - began < .seconds(10))
    }
    #expect(try home.ask("news", headers: [tag]).0 == 200)
    await home.stop()
  }

  @Test("a phone hears at once of another one's tick, also while two hundred requests wait")
  func tickOfAnother() async throws {
    let home = try await ServedHousehold()
    let tom = try home.server.token("Tom")
    let entry = try #require(try home.entry("Bananas"))
    let state = try home.server.ask("GET", "/api/1/state", token: tom)
    let tag = "If-None-Match: " + (try #require(state.firstMatch(of: /ETag: (\S+)/)).output.1)
    func news(_ token: String) -> String {
      "GET /api/1/news HTTP/1.1\r\nHost: 127.0.0.1:\(home.server.port)\r\nConnection: close\r\n"
        + "Authorization: Bearer \(token)\r\n\(tag)\r\n\r\n"
    }
    let eve = try home.server.token("Eve")
    let crowd = try (0..<200).map { _ in
      let client = try home.server.client()
      client.send(news(eve))
      return client
    }
    let waiting = try home.server.client()
    waiting.send(news(tom))
    pause()
    let began = ContinuousClock.now
    #expect(try home.act(["kind": "got", "entry": entry["id"]]).map { $0["answer"] } == ["done"])
    #expect(status(waiting.rest()) == 200)
    let seen = try home.server.ask("GET", "/api/1/state", token: tom)
    #expect(seen.contains("\"isCompleted\": true"))
    #expect(.now - began < .seconds(10))
    let answers = crowd.map { status($0.rest(within: 5)) }
    #expect(answers.count { $0 == 429 } >= 100 && answers.count { $0 == 200 } == 8, "\(answers)")
    await home.stop()
  }

  @Test("the server ends at once, also while phones wait for news")
  func endingWithWaiting() async throws {
    let home = try await ServedHousehold()
    let state = try home.server.ask("GET", "/api/1/state", token: home.server.token("Tom"))
    let tag = "If-None-Match: " + (try #require(state.firstMatch(of: /ETag: (\S+)/)).output.1)
    let began = ContinuousClock.now
    let waiting = Waiting { (try home.ask("news", headers: [tag]).0, ContinuousClock.now) }
    pause()
    await home.stop()
    let (answer, heard) = try await waiting.value()
    #expect(answer == 304)
    #expect(heard - began < .seconds(24), "without the end of the server it waits for 25")
  }

  /// Waits until a request that was sent waits too, on the test's own thread: others are busy.
  private func pause() { Thread.sleep(forTimeInterval: 0.5) }
}
