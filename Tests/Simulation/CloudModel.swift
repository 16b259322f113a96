import Foundation
import LarderCloud
import LarderJSON
import LarderModel
import TestSupport

/// A Supabase project in memory: what PostgREST and GoTrue say of tables that its migrations keep.
///
/// It has one household, and lets in whoever has a token.
final class CloudModel: @unchecked Sendable {
  static let url = "http://127.0.0.1:1"

  /// What goes wrong with a request.
  enum Fault: CaseIterable {
    /// It never arrives.
    case lost
    /// It is carried out, and the answer never arrives.
    case answerLost
    /// The answer arrives by half.
    case answerTorn
    case unavailable, tooMany, unauthorized
    /// It is lost, and so is all that follows.
    case gone
  }

  private let lock = NSLock()
  private(set) var tables: CloudTables
  let clock: DeviceClock
  /// The most rows that an answer has; nil for as many as are asked for.
  let cap: Int?
  private(set) var requestCount = 0
  /// A token that serves no more.
  private var refused: String?
  private var fault: (kind: Fault, request: Int)?
  /// Whether something has gone wrong since ``begin(_:at:)``.
  private(set) var hasFailed = false

  init(_ tables: CloudTables, clock: DeviceClock, cap: Int?) {
    self.tables = tables
    self.clock = clock
    self.cap = cap
  }

  /// Lets something go wrong with one of the next requests, or nothing.
  func begin(_ kind: Fault?, at request: Int) {
    fault = kind.map { ($0, requestCount + request) }
    hasFailed = false
  }

  /// What a client that knows neither ledgers nor stamps writes.
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
    if table == "rpc/larder_schema" { return Self.success(.string(CloudSync.neededMigration)) }
    if request.method == .get {
      return Self.success(.array(query.page(of: tables.rows(of: table), cap: cap)))
    }
    guard let rows = try? JSON(parsing: request.body ?? []).array,
      let written = try? tables.write(rows, into: table)
    else { return CloudResponse(status: 400, body: Array(#"{"code":"23514"}"#.utf8)) }
    return Self.success(.array(written))
  }

  /// The next token for each that comes.
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

/// What of a table is asked for, in PostgREST's words.
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
      // Ids have neither commas nor quotes in them.
      case "in": return value.string.map { words[1].contains("\"\($0)\"") } ?? false
      default: return false
      }
    }
  }
}
