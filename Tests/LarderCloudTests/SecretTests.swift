import Foundation
import LarderCloud
import LarderJSON
import LarderModel
import TestSupport
import Testing

@Suite("Nothing tells a secret")
struct SecretTests {
  /// All ways in which a value is commonly printed.
  private func texts(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return [
      String(describing: value), String(reflecting: value), dumped, "\([value])",
      (value as? any Error)?.localizedDescription ?? "",
    ].joined(separator: "\n")
  }

  private func tells(_ value: Any) -> Bool {
    let text = texts(value)
    return ["TOKEN", "KEY", "PASS"].contains { text.contains($0) }
  }

  @Test("no key, token or password is in the description of anything that has one")
  func values() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    let request = CloudRequest(
      .post, "https://abc.co/x?token=TOKEN", headers: ["Authorization": "Bearer TOKEN"],
      body: Array("TOKEN".utf8))
    let response = CloudResponse(
      status: 200, headers: ["X": "TOKEN"], body: Array("TOKEN".utf8))
    let values: [Any] = [
      request, response, request.headers, device.project, Secret("TOKEN"), session,
      try session.credentials() as Any, device.client(session), device.file,
    ]
    for value in values { #expect(!tells(value), "\(type(of: value))") }
  }

  @Test("no error has one, though the server says all it was told", arguments: Way.allCases)
  func errors(_ way: Way) async throws {
    let device = try Device()
    let statuses = [302, 400, 401, 403, 404, 409, 422, 429, 500, 503]
    let codes = ["42501", "PGRST204", "23505", "23514", "session_not_found", "x"]
    let next = Recorder<Void>()
    let echo: @Sendable (WebServer.Request) -> WebServer.Reply = { request in
      let index = next.all.count
      next.add(())
      let told =
        request.headers.map(\.value).joined(separator: " ")
        + String(decoding: request.body, as: UTF8.self).replacing("\"", with: "'")
      return .answer(
        statuses[index % statuses.count],
        #"{"code":"\#(codes[index % codes.count])","message":"\#(told)","details":"\#(told)","hint":"\#(told)"}"#
      )
    }
    let (transport, url, server) = try way.open(echo)
    let project = try CloudProject(url: url, key: Cloud.anonKey)
    let file = CredentialsFile(folder: device.folder("other"))
    let session = Session(
      project: project, file: file, transport: transport, version: "1",
      now: { [clock = device.clock] in clock.now })
    for _ in 0..<60 {
      try device.folder.write(
        """
        {"projects":{"\(url)":{"anonKey":"\(Cloud.anonKey)","accessToken":"access-TOKEN",
        "refreshToken":"refresh-TOKEN","expiresAt":"2027-01-01T00:00:00.000Z"}}}
        """, to: "other/credentials.json")
      chmod(file.path, 0o600)
      chmod(device.folder("other"), 0o700)
      let client = RestClient(
        session: session, transport: transport, retries: RetryPolicy(repetitions: 0), version: "1",
        now: { [clock = device.clock] in clock.now })
      await expectSilence { _ = try await client.select("receipts", [.equal("a", "b")]) }
      await expectSilence {
        _ = try await session.accessToken(insteadOf: Secret("access-TOKEN"))
      }
      await expectSilence {
        try await session.signIn(email: "ada@example.org", password: Secret(Cloud.password))
      }
    }
    withExtendedLifetime(server) {}
  }

  private func expectSilence(_ body: () async throws -> Void) async {
    do {
      try await body()
      Issue.record("no error")
    } catch {
      #expect(!tells(error), "\(error)")
    }
  }

  @Test("a short password is hidden where a server says it back, and changes no other word")
  func shortPassword() async throws {
    let device = try Device()
    device.cloud.answerNext(
      .answer(422, #"{"code":"weak_password","message":"a password is more than 'a'"}"#))
    do {
      try await device.session().signIn(email: "ada@example.org", password: Secret("a"))
      Issue.record("no error")
    } catch .rejected(let refusal) {
      #expect(refusal.code == "weak_password")
      #expect(refusal.message == "••• password is more than '•••'")
    }
  }

  @Test("an error about a damaged credentials file quotes none of it")
  func damaged() async throws {
    let device = try Device()
    for text in [
      "{\"projects\": {\"http://127.0.0.1:1\": {\"accessToken\": access-TOKEN}}}",
      "{\"projects\": {\"http://127.0.0.1:1\": {\"anonKey\": 'anon-KEY'}}}",
      "{\"anonKey\": \"KEY\" \"TOKEN\"}",
    ] {
      try device.folder.write(text, to: "larder/credentials.json")
      chmod(device.file.path, 0o600)
      chmod(device.folder("larder"), 0o700)
      await expectSilence { _ = try device.session().credentials() }
    }
  }
}
