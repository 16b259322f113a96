import Foundation
import LarderCloud
import LarderModel
import TestSupport
import Testing

@Suite("Signing in and staying so")
struct SessionTests {
  private func code(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch CloudError.signInAgain(let code) {
      return code
    } catch CloudError.rejected(let refusal) {
      return refusal.code ?? "\(refusal.status)"
    } catch {
      return "\(error)"
    }
  }

  @Test("a password signs in, a wrong one is refused and nothing is kept")
  func signIn() async throws {
    let device = try Device()
    let session = device.session()
    #expect(
      await code { try await session.signIn(email: "ada@example.org", password: Secret("x")) }
        == "invalid_credentials")
    #expect(device.kept == "")
    await #expect(throws: CloudError.self) { try await session.accessToken() }
    try await session.signIn(email: "ADA@example.org", password: Secret(Cloud.password))
    #expect(try await session.accessToken() == Secret("access-TOKEN-1"))
    #expect(try session.credentials()?.email == "ada@example.org")
    #expect(try session.credentials()?.userID == "u-1")
    let request = try #require(device.cloud.requests.last)
    #expect(request.target == "/auth/v1/token?grant_type=password")
    #expect(request["X-Supabase-Api-Version"] == "2024-01-01")
    #expect(request["X-Larder-Client"] == "larder/1.2.3")
    #expect(request["apikey"] == Cloud.anonKey)
  }

  @Test("signing up signs in, or asks for the e-mail address to be confirmed first")
  func signUp() async throws {
    let device = try Device()
    let session = device.session()
    device.cloud.answerNext(.answer(200, #"{"id":"u-1","email":"ada@example.org"}"#))
    let password = Secret(Cloud.password)
    #expect(try await session.signUp(email: "ada@example.org", password: password) == false)
    #expect(try session.credentials() == nil)
    #expect(try await session.signUp(email: "ada@example.org", password: password))
    #expect(try session.credentials()?.tokens?.access == Secret("access-TOKEN-1"))
  }

  @Test("a token with less than a minute left is refreshed, once for all who ask")
  func expiry() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    device.clock.advance(seconds: 3539)
    #expect(try await session.accessToken() == Secret("access-TOKEN-1"))
    device.clock.advance(seconds: 1)
    device.cloud.delay = 0.05
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { try await session.accessToken() } }
      for try await token in group { #expect(token == Secret("access-TOKEN-2")) }
    }
    #expect(device.cloud.refreshCount == 1)
    #expect(device.kept.contains("refresh-TOKEN-2"))
  }

  @Test("sessions on one file that refresh at once ask once", arguments: 1...5)
  func together(_ round: Int) async throws {
    let device = try Device()
    _ = try await device.signedIn()
    device.clock.advance(seconds: 7200)
    device.cloud.delay = 0.1
    let sessions = (0..<8).map { _ in device.session() }
    try await withThrowingTaskGroup { group in
      for session in sessions { group.addTask { try await session.accessToken() } }
      for try await token in group { #expect(token == Secret("access-TOKEN-2")) }
    }
    #expect(device.cloud.refreshCount == 1)
    try await withThrowingTaskGroup { group in
      for session in sessions {
        group.addTask { try await session.accessToken(insteadOf: Secret("access-TOKEN-2")) }
      }
      for try await token in group { #expect(token == Secret("access-TOKEN-3")) }
    }
    #expect(device.cloud.refreshCount == 2)
  }

  @Test("a refused token is refreshed though it looks good, and never twice for one refusal")
  func refused() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    let first = Secret("access-TOKEN-1")
    #expect(try await session.accessToken(insteadOf: first) == Secret("access-TOKEN-2"))
    #expect(try await session.accessToken(insteadOf: first) == Secret("access-TOKEN-2"))
    #expect(device.cloud.refreshCount == 1)
  }

  @Test(
    "a clock that is wrong, or set while signed in, makes no loop", arguments: [-86_400, 86_400])
  func clocks(_ seconds: Int64) async throws {
    let device = try Device()
    let session = try await device.signedIn()
    device.clock.advance(seconds: seconds)
    for _ in 0..<5 { _ = try await session.accessToken() }
    // Ahead, the token seems to be over: once. Behind, only the server can tell.
    #expect(device.cloud.refreshCount == (seconds > 0 ? 1 : 0))
    let token = try await session.accessToken()
    #expect(try await session.accessToken(insteadOf: token) != token)
    for _ in 0..<5 { _ = try await session.accessToken() }
    #expect(device.cloud.refreshCount == (seconds > 0 ? 2 : 1))
  }

  @Test(
    "a session that is over takes the tokens with it, and leaves the rest",
    arguments: [
      (400, #"{"code":"refresh_token_not_found","message":"x"}"#, "refresh_token_not_found"),
      (
        400, #"{"error_code":"refresh_token_already_used","code":400,"msg":"x"}"#,
        "refresh_token_already_used"
      ),
      (403, #"{"code":"session_not_found","message":"x"}"#, "session_not_found"),
      (400, #"{"code":"session_expired","message":"x"}"#, "session_expired"),
      (403, #"{"code":"user_banned","message":"x"}"#, "user_banned"),
      (
        400, #"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#,
        "invalid_grant"
      ),
    ])
  func over(_ status: Int, _ body: String, _ expected: String) async throws {
    let device = try Device()
    let session = try await device.signedIn()
    device.clock.advance(seconds: 7200)
    device.cloud.answerNext(.answer(status, body))
    #expect(await code { _ = try await session.accessToken() } == expected)
    #expect(!device.kept.contains("TOKEN"))
    let kept = try #require(try session.credentials())
    #expect(kept.email == "ada@example.org" && kept.userID == "u-1" && kept.tokens == nil)
    guard
      case .notSignedIn? = await #expect(
        throws: CloudError.self,
        performing: {
          try await session.accessToken()
        })
    else {
      Issue.record("signed in still")
      return
    }
  }

  @Test("what passes, and what nobody understands, takes nothing")
  func passing() async throws {
    let replies: [WebServer.Reply] = [
      .drop, .silence, .answer(500, "<html>"), .answer(503, "{}"), .answer(429, "{}"),
      .answer(409, #"{"code":"conflict"}"#), .answer(400, "[]"), .answer(200, "no"),
      .answer(200, "{}"), .answer(200, #"{"access_token":"a","refresh_token":"b"}"#),
      .answer(401, #"{"message":"Invalid API key"}"#), .answer(302, headers: ["Location": "/"]),
    ]
    let device = try Device()
    let session = try await device.signedIn()
    device.clock.advance(seconds: 7200)
    let before = device.kept
    for (index, reply) in replies.enumerated() {
      device.cloud.answerNext(reply)
      let error = await #expect(throws: CloudError.self) { try await session.accessToken() }
      #expect(error?.isRetryable == (index < 6), "\(index): \(error as Any)")
      #expect(device.kept == before)
    }
    #expect(try await session.accessToken() == Secret("access-TOKEN-2"))
  }

  @Test("new tokens are on the disk before anybody has them, and not used where they can't be")
  func savedFirst() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    device.clock.advance(seconds: 7200)
    device.cloud.delay = 0.2
    let path = device.file.path
    let waiting = Task { try await session.accessToken() }
    try await Task.sleep(for: .milliseconds(80))
    try FileManager.default.createDirectory(
      atPath: path + ".new", withIntermediateDirectories: true)
    await #expect(throws: CloudError.self) { try await waiting.value }
    #expect(device.kept.contains("refresh-TOKEN-1"))
  }

  @Test("a refresh goes on where whoever asked for it is cancelled")
  func cancelled() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    device.clock.advance(seconds: 7200)
    device.cloud.delay = 0.1
    let waiting = Task { try await session.accessToken() }
    try await Task.sleep(for: .milliseconds(30))
    waiting.cancel()
    _ = await waiting.result
    #expect(device.kept.contains("refresh-TOKEN-2"))
    #expect(device.cloud.refreshCount == 1)
  }

  @Test("another process that refreshes is waited for, and its tokens are used")
  func otherProcess() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    device.clock.advance(seconds: 7200)
    // What another process does: it takes the lock, writes the new tokens, and ends.
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let script = """
      exec 9>>"$1.lock"; perl -e 'open(L, ">&=9") && flock(L, 2) or die'; echo locked; sleep 0.5
      sed -e 's/-TOKEN-1/-TOKEN-other/' -e 's/expiresAt": "2026/expiresAt": "2027/' "$1.json" >"$1.x"
      chmod 600 "$1.x"; mv "$1.x" "$1.json"
      """
    process.arguments = ["-c", script, "sh", device.folder("larder/credentials")]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    #expect(try output.fileHandleForReading.read(upToCount: 6) == Data("locked".utf8))
    #expect(try await session.accessToken() == Secret("access-TOKEN-other"))
    #expect(device.cloud.refreshCount == 0)
    process.waitUntilExit()
  }

  @Test("signing out ends this session only, and works offline too")
  func signOut() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    #expect(try await session.signOut())
    let request = try #require(device.cloud.requests.last)
    #expect(request.target == "/auth/v1/logout?scope=local")
    #expect(request["Authorization"] == "Bearer access-TOKEN-1")
    #expect(!device.kept.contains("TOKEN"))
    try await session.signIn(email: "ada@example.org", password: Secret(Cloud.password))
    device.cloud.answerNext(.drop)
    #expect(try await session.signOut() == false)
    #expect(!device.kept.contains("TOKEN"))
  }
}
