import Foundation
import LarderCloud
import LarderJSON
import LarderModel
import TestSupport

/// A Supabase project in memory: the answers of PostgREST and GoTrue for tables with the
/// migrations.
///
/// It has one household, and accepts every user with a token.
final class CloudModel: @unchecked Sendable {
  static let url = "http://127.0.0.1:1"

  /// A fault of a request.
  enum Fault: CaseIterable {
    /// The request never arrives.
    case lost
    /// The request is carried out, but the answer never arrives.
    case answerLost
    /// Only half of the answer arrives.
    case answerTorn
    case unavailable, tooMany, unauthorized
    /// This request and all later ones are lost.
    case gone
  }

  private let lock = NSLock()
  private(set) var tables: CloudTables
  let clock: DeviceClock
  /// The largest number of rows in an answer; nil for no limit.
  let cap: Int?
  /// Whether it has the function that answers all news at once.
  let hasNews: Bool
  private(set) var requestCount = 0
  /// A token that is no longer valid.
  private var refused: String?
  private var fault: (kind: Fault, request: Int)?
  /// Whether a fault has happened since ``begin(_:at:)``.
  private(set) var hasFailed = false

  init(_ tables: CloudTables, clock: DeviceClock, cap: Int?, hasNews: Bool) {
    self.tables = tables
    self.clock = clock
    self.cap = cap
    self.hasNews = hasNews
  }

  /// Sets a fault for one of the next requests, or none.
  func begin(_ kind: Fault?, at request: Int) {
    fault = kind.map { ($0, requestCount + request) }
    hasFailed = false
  }

  /// Writes like a client that knows neither ledgers nor stamps.
  func write(_ body: (inout CloudTables, Instant) -> Void) { body(&tables, clock.now()) }

  var transport: Transport {
    Transport { [self] request throws(TransportError) in
      let response = lock.withLock { answer(request) }
      guard let response else { throw .connectionLost(host: "127.0.0.1") }
      return response
    }
  }

  private func answer(_ request: CloudRequest) -> CloudResponse? {
    requestCount += 1
    guard let fault, requestCount >= fault.request else { return carriedOut(request) }
    hasFailed = true
    if fault.kind != .gone { self.fault = nil }
    switch fault.kind {
    case .lost, .gone: return nil
    case .answerLost:
      _ = carriedOut(request)
      return nil
    case .answerTorn:
      var response = carriedOut(request)
      response.body.removeLast(response.body.count / 2)
      return response
    case .unavailable: return CloudResponse(status: 503)
    case .tooMany: return CloudResponse(status: 429)
    case .unauthorized:
      refused = request.headers["Authorization"]
      return carriedOut(request)
    }
  }

  private func carriedOut(_ request: CloudRequest) -> CloudResponse {
    let path = request.url.dropFirst(Self.url.count)
    if path.hasPrefix("/auth/") { return Self.grant(request) }
    if let token = request.headers["Authorization"], token == refused {
      return CloudResponse(status: 401, body: Array(#"{"code":"PGRST301"}"#.utf8))
    }
    let parts = path.dropFirst("/rest/v1/".count).split(separator: "?", maxSplits: 1)
    let query = CloudQuery(parts.count > 1 ? parts[1] : "")
    let table = String(parts[0])
    if table == "rpc/larder_schema" {
      let number = JSON.string(CloudSync.neededMigration)
      return Self.success(
        .object([JSONMember("number", number), JSONMember("missing", .array([]))]))
    }
    if table == "rpc/news" {
      guard hasNews else {
        return CloudResponse(status: 404, body: Array(#"{"code":"PGRST202"}"#.utf8))
      }
      return Self.success(tables.news(asked: request.body ?? [], cap: cap))
    }
    if request.method == .get {
      return Self.success(.array(query.page(of: tables.rows(of: table), cap: cap)))
    }
    guard let rows = try? JSON(parsing: request.body ?? []).array,
      let written = try? tables.write(rows, into: table)
    else { return CloudResponse(status: 400, body: Array(#"{"code":"23514"}"#.utf8)) }
    return Self.success(.array(written))
  }

  /// Returns the next token for every request.
  private static func grant(_ request: CloudRequest) -> CloudResponse {
    let body = try? JSON(parsing: request.body ?? [])
    let last = body?["refresh_token"]?.string.flatMap { Int($0.dropFirst("refresh-".count)) }
    let number = (last ?? 0) + 1
    return success(
      .object([
        JSONMember("access_token", .string("access-\(number)")),
        JSONMember("refresh_token", .string("refresh-\(number)")),
        JSONMember("expires_in", .number("1000000000")),
      ]))
  }

  private static func success(_ json: JSON) -> CloudResponse {
    CloudResponse(status: 200, body: json.compact())
  }
}

/// A query in the syntax of PostgREST.
private struct CloudQuery {
  private var conditions: [(column: String, condition: String)] = []
  private var limit = Int.max

  init(_ text: Substring) {
    for item in text.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = parts[1].removingPercentEncoding else { continue }
      switch parts[0] {
      case "limit": limit = Int(value) ?? limit
      case "select", "order": break
      default: conditions.append((String(parts[0]), value))
      }
    }
  }

  func page(of rows: [JSON], cap: Int?) -> [JSON] {
    Array(rows.filter(matches).prefix(min(limit, cap ?? limit)))
  }

  private func matches(_ row: JSON) -> Bool {
    conditions.allSatisfy { column, condition in
      let words = condition.split(separator: ".", maxSplits: 1)
      guard words.count == 2, let value = row[column] else { return false }
      switch words[0] {
      case "eq": return value.string == String(words[1])
      case "gt": return Int64(value.number ?? "") ?? 0 > Int64(words[1]) ?? .max
      // Ids contain neither commas nor quotes.
      case "in": return value.string.map { words[1].contains("\"\($0)\"") } ?? false
      default: return false
      }
    }
  }
}
