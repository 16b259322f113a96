import Foundation
import LarderCloud
import LarderJSON
import LarderModel
import TestSupport
import Testing

/// A GoTrue in short: it gives tokens that count up, and lets each refresh token serve once.
final class Cloud: @unchecked Sendable {
  static let anonKey = "anon-KEY-anon"
  static let password = "word-PASS-word"

  private let lock = NSLock()
  private var number = 0
  private var refreshes = 0
  private var live: Set<String> = []
  private var seen: [WebServer.Request] = []
  /// How long an access token lasts, in seconds.
  var lifetime: Int = 3600
  /// Who signs in next.
  var userID = "u-1"
  /// What is said to the next requests instead, the first first.
  private var instead: [WebServer.Reply] = []
  /// What tables and functions say.
  var rest: @Sendable (WebServer.Request) -> WebServer.Reply = { _ in .answer(200, "[]") }
  /// How long a refresh takes.
  var delay: TimeInterval = 0

  var refreshCount: Int { lock.withLock { refreshes } }
  var requests: [WebServer.Request] { lock.withLock { seen } }
  func answerNext(_ replies: WebServer.Reply...) { lock.withLock { instead += replies } }
  /// Ends all sessions.
  func revoke() { lock.withLock { live = [] } }

  func reply(to request: WebServer.Request) -> WebServer.Reply {
    lock.lock()
    seen.append(request)
    let path = request.path
    if path.hasSuffix("/token") { refreshes += request.target.contains("refresh_token") ? 1 : 0 }
    if !instead.isEmpty {
      defer { lock.unlock() }
      return instead.removeFirst()
    }
    lock.unlock()
    guard path.hasPrefix("/auth/") else { return rest(request) }
    if path.hasSuffix("/logout") { return .answer(204) }
    if delay > 0, request.target.contains("refresh_token") { Thread.sleep(forTimeInterval: delay) }
    return lock.withLock { token(request) }
  }

  private func token(_ request: WebServer.Request) -> WebServer.Reply {
    let body = try? JSON(parsing: request.body)
    if let refresh = body?["refresh_token"]?.string {
      guard live.remove(refresh) != nil else {
        return .answer(400, #"{"code":"refresh_token_not_found","message":"no"}"#)
      }
    } else if body?["password"]?.string != Self.password {
      return .answer(400, #"{"code":"invalid_credentials","message":"Invalid login credentials"}"#)
    }
    number += 1
    live.insert("refresh-TOKEN-\(number)")
    return .answer(
      200,
      """
      {"access_token":"access-TOKEN-\(number)","refresh_token":"refresh-TOKEN-\(number)",
      "expires_in":\(lifetime),"expires_at":1,"user":{"id":"\(userID)","email":"ada@example.org"}}
      """)
  }
}

/// A device with credentials of its own, and a cloud.
struct Device {
  let folder: Folder
  let cloud: Cloud
  let file: CredentialsFile
  let project: CloudProject
  let clock: TestClock

  init() throws {
    folder = try Folder()
    cloud = Cloud()
    file = CredentialsFile(folder: folder("larder"))
    project = try CloudProject(url: "http://127.0.0.1:1", key: Cloud.anonKey)
    clock = TestClock()
  }

  var transport: Transport { .inProcess(patience: .seconds(1)) { [cloud] in cloud.reply(to: $0) } }

  func session(_ transport: Transport? = nil) -> Session {
    Session(
      project: project, file: file, transport: transport ?? self.transport, version: "1.2.3",
      now: { [clock] in clock.now })
  }

  func signedIn() async throws -> Session {
    let session = session()
    try await session.signIn(email: "ada@example.org", password: Secret(Cloud.password))
    return session
  }

  func client(_ session: Session, _ retries: RetryPolicy = RetryPolicy(repetitions: 0))
    -> RestClient
  {
    RestClient(
      session: session, transport: transport, retries: retries, version: "1.2.3",
      now: { [clock] in clock.now })
  }

  var kept: String { (try? folder.read("larder/credentials.json")) ?? "" }
}

final class TestClock: @unchecked Sendable {
  private let lock = NSLock()
  private var instant = Instant(milliseconds: 1_795_000_000_000)
  var now: Instant { lock.withLock { instant } }
  func advance(seconds: Int64) {
    lock.withLock { instant = instant.adding(milliseconds: seconds * 1000) }
  }
}
