import Foundation
import LarderCloud
import LarderJSON
import TestSupport
import Testing

@Suite("Tables and functions")
struct RestClientTests {
  /// What the server got of a request for rows.
  private func target(_ query: [QueryItem]) async throws -> String {
    let device = try Device()
    let client = device.client(try await device.signedIn())
    _ = try await client.select("stock_items", query)
    return try #require(device.cloud.requests.last?.target)
  }

  @Test("rows are asked for by conditions, with all the fields of a client")
  func select() async throws {
    let device = try Device()
    device.cloud.rest = { _ in .answer(200, #"[{"id":"a","n":1.50,"z":12345678901234567890.5}]"#) }
    let client = device.client(try await device.signedIn())
    let rows = try await client.select(
      "stock_items",
      [
        .equal("household_id", "h-1"), .greater("version", than: "17"), .ascending("version"),
        .limit(1000), .columns(["id", "n"]),
      ])
    #expect(rows[0]["n"]?.number == "1.50")
    #expect(rows[0]["z"]?.number == "12345678901234567890.5")
    let request = try #require(device.cloud.requests.last)
    #expect(request.method == "GET")
    #expect(
      request.target == "/rest/v1/stock_items?household_id=eq.h-1&version=gt.17"
        + "&order=version.asc&limit=1000&select=id%2Cn")
    #expect(request["apikey"] == Cloud.anonKey)
    #expect(request["Authorization"] == "Bearer access-TOKEN-1")
    #expect(request["X-Larder-Client"] == "larder/1.2.3")
    #expect(request["X-Client-Info"] == "larder/1.2.3")
    #expect(request["X-Supabase-Api-Version"] == "2024-01-01")
    #expect(request["Accept"] == "application/json")
  }

  @Test(
    "no name and no id changes what is asked for",
    arguments: [
      "Ben & Jerry's", "a=b", "1+1", "#1", "100%", "50%25", "f(x)", "a,b", "say \"hi\"",
      "back\\slash",
      "Käse 🧀 n\u{303}", "a b\t\n", "?x", ";", "/../", "*", "in.(1)", "null", "\u{0}",
    ])
  func encoding(_ name: String) async throws {
    let equal = try await target([.equal("name", name), .limit(1)])
    let query = try #require(equal.split(separator: "?").last)
    let items = query.split(separator: "&")
    #expect(items.count == 2)
    #expect(items[0].dropFirst(5).removingPercentEncoding == "eq.\(name)")
    #expect(items[0].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"+#\"(),;'*".utf8.contains($0) })
    let oneOf = try await target([.oneOf("name", [name, "x"])])
    let list = try #require(oneOf.split(separator: "=").last?.removingPercentEncoding)
    let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    #expect(list == "in.(\"\(escaped)\",\"x\")")
  }

  @Test("rows are written with their key and their columns, and come back as they are")
  func upsert() async throws {
    let device = try Device()
    device.cloud.rest = { request in
      .answer(
        201, headers: ["Preference-Applied": "resolution=merge-duplicates"], body: request.body)
    }
    let client = device.client(try await device.signedIn())
    let rows: [JSON] = [
      .object([JSONMember("id", .string("a")), JSONMember("n", .number("0.10"))]),
      .object([JSONMember("id", .string("ü\"\\\u{1F9C0}"))]),
    ]
    let result = try await client.upsert(
      "stock_items", rows, columns: ["id", "household_id", "n"], onConflict: ["household_id", "id"])
    #expect(result == rows)
    let request = try #require(device.cloud.requests.last)
    #expect(request.method == "POST")
    #expect(
      request.target.removingPercentEncoding
        == "/rest/v1/stock_items?on_conflict=household_id,id&columns=\"id\",\"household_id\",\"n\"")
    #expect(
      request["Prefer"] == "resolution=merge-duplicates,return=representation,missing=default")
    #expect(request["Content-Type"] == "application/json")
  }

  @Test("functions take arguments by name and may return nothing")
  func call() async throws {
    let device = try Device()
    let client = device.client(try await device.signedIn())
    device.cloud.rest = { request in
      request.path == "/rest/v1/rpc/leave" ? .answer(204) : .answer(200, body: request.body)
    }
    #expect(try await client.call("leave") == .null)
    let code: JSON = .object([JSONMember("code", .string("X-1"))])
    #expect(try await client.call("accept_invite", [JSONMember("code", .string("X-1"))]) == code)
  }

  @Test("a large answer is read exactly")
  func large() async throws {
    let device = try Device()
    let row = #"{"id":"0","note":"\#(String(repeating: "é", count: 2000))","n":0.1}"#
    let body = Array("[\(Array(repeating: row, count: 2000).joined(separator: ","))]".utf8)
    device.cloud.rest = { _ in .answer(200, body: body) }
    let rows = try await device.client(try await device.signedIn()).select("receipts", [])
    #expect(rows.count == 2000)
    #expect(rows[1999]["n"]?.number == "0.1")
  }

  @Test("a refused token is refreshed once, and the request repeated once")
  func refused() async throws {
    let device = try Device()
    let session = try await device.signedIn()
    let client = device.client(session)
    let expired = #"{"code":"PGRST303","message":"JWT expired","details":null,"hint":null}"#
    device.cloud.rest = { request in
      request["Authorization"] == "Bearer access-TOKEN-1"
        ? .answer(401, expired) : .answer(200, "[]")
    }
    // Each has the first token in hand when it is refused.
    try await withThrowingTaskGroup { group in
      for _ in 0..<10 { group.addTask { try await client.select("receipts", []) } }
      try await group.waitForAll()
    }
    #expect(device.cloud.refreshCount == 1)
    device.cloud.rest = { _ in .answer(401, expired) }
    let error = await #expect(throws: CloudError.self) { try await client.select("receipts", []) }
    guard case .rejected(let refusal) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(refusal.status == 401 && refusal.code == "PGRST303")
    #expect(device.cloud.refreshCount == 2)
  }

  @Test(
    "every refusal is told by what there is to do about it",
    arguments: [
      (403, "42501", "forbidden", false), (401, "42501", "forbidden", false),
      (404, "PGRST202", "schemaMismatch", false), (300, "PGRST203", "schemaMismatch", false),
      (400, "PGRST204", "schemaMismatch", false), (404, "PGRST205", "schemaMismatch", false),
      (400, "42703", "schemaMismatch", false), (404, "42P01", "schemaMismatch", false),
      (404, "42883", "schemaMismatch", false), (409, "23505", "conflict", false),
      (409, "23503", "conflict", false), (400, "23514", "rejected", false),
      (400, "22P02", "rejected", false), (500, "21000", "rejected", false),
      (413, "", "rejected", false), (404, "", "rejected", false),
      (429, "", "rateLimited", true), (408, "", "server", true), (500, "40P01", "server", true),
      (500, "57014", "server", true), (500, "XX000", "server", true),
      (503, "53300", "server", true),
      (503, "PGRST001", "server", true), (504, "PGRST003", "server", true),
      (502, "", "server", true),
    ])
  func refusals(_ status: Int, _ code: String, _ expected: String, _ isRetryable: Bool) async throws
  {
    let device = try Device()
    let client = device.client(try await device.signedIn())
    device.cloud.rest = { _ in
      code.isEmpty
        ? .answer(status, "<html>no</html>")
        : .answer(status, #"{"code":"\#(code)","message":"why","hint":"try"}"#)
    }
    let error = try #require(
      await #expect(throws: CloudError.self) { try await client.select("receipts", []) })
    #expect("\(error)".hasPrefix(expected))
    #expect(error.isRetryable == isRetryable)
    if !code.isEmpty, expected != "rateLimited" { #expect("\(error)".contains(code)) }
  }

  @Test(
    "an answer that the protocol does not have is told of",
    arguments: ["", "{}", "nonsense", "[", "null", "[1,]"])
  func malformed(_ body: String) async throws {
    let device = try Device()
    let client = device.client(try await device.signedIn())
    device.cloud.rest = { _ in .answer(200, body) }
    let error = await #expect(throws: CloudError.self) { try await client.select("receipts", []) }
    guard case .malformedAnswer = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test("who is not signed in sends nothing")
  func signedOut() async throws {
    let device = try Device()
    let client = device.client(device.session())
    guard
      case .notSignedIn? = await #expect(
        throws: CloudError.self,
        performing: {
          try await client.select("receipts", [])
        })
    else {
      Issue.record("sent")
      return
    }
    #expect(device.cloud.requests.isEmpty)
  }
}
