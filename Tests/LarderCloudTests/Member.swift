import Foundation
import LarderJSON
import LarderModel
import TestSupport
import Testing

@testable import LarderCloud

/// Somebody with an account of their own in the local Supabase.
struct Member {
  let supabase: LocalSupabase
  let client: RestClient
  let email: String
  private let folder: Folder

  init(_ supabase: LocalSupabase) async throws {
    self.supabase = supabase
    folder = try Folder()
    email = "\(UUID().uuidString.lowercased())@example.org"
    let session = Session(
      project: try CloudProject(url: supabase.url, key: supabase.anonKey),
      file: CredentialsFile(folder: folder("larder")), transport: .network(), version: "test",
      now: { .current })
    _ = try await session.signUp(email: email, password: Secret("a long password"))
    client = RestClient(
      session: session, transport: .network(), version: "test", now: { .current })
  }

  /// Makes a household in the cloud, and gives its id.
  func makeHousehold(_ name: String = "Home") async throws -> String {
    let id = Identifier.random(at: .current)
    var household = Entity(.household, id: id, createdAt: Instant(milliseconds: 0))
    household.write("name", .string(name), at: household.createdAt)
    _ = try await send([household], to: id)
    return id
  }

  /// Writes entities with their ledgers, as a push does, and gives what the cloud gives back.
  @discardableResult
  func send(_ entities: [Entity], to household: String) async throws -> [Entity] {
    let changes = entities.flatMap { entity in
      entity.ledger.entries.map { Row.of($0, of: entity.key, in: household) }
    }
    var ledgers: [EntityKey: [LedgerEntry]] = [:]
    for rows in changes.chunked(500) {
      let answer = try await client.upsert(
        ChangeTable.name, rows, columns: ChangeTable.written, onConflict: ChangeTable.key)
      try #require(answer.count == rows.count)
      for row in answer {
        let (key, entry) = try Row.change(row)
        ledgers[key, default: []].append(entry)
      }
    }
    var held: [Entity] = []
    for table in CloudTable.all {
      let rows = entities.filter { $0.kind == table.kind }.map {
        Row.of($0, in: household, at: nil, table)
      }
      for rows in rows.chunked(500) {
        let answer = try await client.upsert(
          table.name, rows, columns: table.written, onConflict: CloudTable.key)
        try #require(answer.count == rows.count)
        for row in answer {
          var entity = try Row.entity(row, table)
          for entry in ledgers[entity.key] ?? [] { entity.record(entry) }
          held.append(entity)
        }
      }
    }
    return held
  }
}

extension Array {
  func chunked(_ size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

extension Instant {
  static var current: Instant {
    Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
  }
}
