import Foundation
public import LarderJSON
import LarderKit
import LarderServe
import TestSupport
import Testing

/// The sample household as a server on this machine gives it to a phone.
final class ServedHousehold: Sendable {
  let larder: CommandRunner
  let server: RunningServer
  let clock: Locked<Instant>
  private let token: String
  private let port: Int

  init() async throws {
    larder = try CommandRunner(now: "2026-11-21T12:00:00Z")
    try FileManager.default.copyItem(atPath: Checkout.sample.path(), toPath: larder.folder("home"))
    let made = try larder.run(["init", "--sample"], in: "home")
    try #require(made.code == 0, "\(made.errors)")
    try #require(try larder.run(["adopt"], in: "home").code == 0)
    let start = try #require(Instant("2026-11-21T12:00:00Z"))
    let clock = Locked(start)
    self.clock = clock
    let api = try await HouseholdAPI(try await Self.open(larder.folder("home"), clock))
    server = try RunningServer(hurry: api.hurry, handler: { try await api.answer($0) })
    token = try server.token()
    port = server.port
  }

  private static func open(_ folder: String, _ clock: Locked<Instant>) async throws -> Larder {
    var context = LarderContext(environment: [:])
    context.now = { clock.change { $0 } }
    context.device = "server"
    return try await Larder.open(from: folder, context)
  }

  /// Opens the household once more, beside the server.
  func open() async throws -> Larder { try await Self.open(root, clock) }

  var root: String { larder.folder("home") }

  func stop() async { await server.stop() }

  func pass(minutes: Int64) {
    clock.change { $0 = $0.adding(milliseconds: minutes * 60_000) }
  }

  /// Asks for something below `/api/1/`, and returns its JSON.
  func ask(_ path: String, _ body: JSON? = nil, headers: [String] = []) throws -> (Int, JSON) {
    let answer = try server.ask(
      body == nil ? "GET" : "POST", "/api/1/\(path)", headers, token: token,
      body: body.map { String(decoding: $0.written(), as: UTF8.self) } ?? "")
    let text = answer.firstRange(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
    return (status(answer), text.isEmpty ? .null : try JSON(parsing: Array(text.utf8)))
  }

  /// Does acts that were made now, or some minutes ago; returns their answers.
  func act(_ acts: JSON..., minutesAgo: Int64 = 0) throws -> [JSON] {
    let at = clock.change { $0 }.adding(milliseconds: -minutesAgo * 60_000)
    let all = acts.map { act -> JSON in
      var members = act.members ?? []
      if act["id"] == nil { members.append(JSONMember("id", .string(UUID().uuidString))) }
      if act["at"] == nil { members.append(JSONMember("at", .string(at.description))) }
      return .object(members)
    }
    let (status, answer) = try ask("acts", ["acts": .array(all)])
    try #require(status == 200, "\(answer)")
    return answer["answers"]?.array ?? []
  }

  /// Sends an act that is complete, and returns the status and its answer, if it has one.
  func send(_ act: JSON) throws -> (status: Int, answer: String?) {
    let (status, answer) = try ask("acts", ["acts": .array([act])])
    return (status, answer["answers"]?.array?.first?["answer"]?.string)
  }

  func item(_ name: String) throws -> JSON {
    try #require(
      try ask("state").1["items"]?.array?.first { $0["name"]?.string == name }, "\(name)")
  }

  func entry(_ name: String) throws -> JSON? {
    try ask("state").1["entries"]?.array?.first { $0["name"]?.string == name }
  }
}

extension JSON: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self = .string(text) }
}
