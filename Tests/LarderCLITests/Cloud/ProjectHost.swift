import Foundation
import TestSupport

/// A project whose server stops and starts again with what it held.
struct ProjectHost {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private var state: String { folder("state") }

  /// Starts the server, with only so many of the migrations and with another one, where it was before
  /// or anywhere.
  func start(
    _ options: String..., migrations count: Int = .max, also sql: String? = nil, at port: Int = 0
  ) throws -> LocalSupabase {
    let all = Checkout.root.appending(path: "supabase/migrations").path()
    let names = try FileManager.default.contentsOfDirectory(atPath: all)
      .filter { $0.hasSuffix(".sql") }.sorted()
    let some = folder("migrations")
    try? FileManager.default.removeItem(atPath: some)
    try FileManager.default.createDirectory(atPath: some, withIntermediateDirectories: true)
    for name in names.prefix(count) {
      try FileManager.default.copyItem(atPath: "\(all)/\(name)", toPath: "\(some)/\(name)")
    }
    if let sql {
      try sql.write(toFile: some + "/20991231235959_more.sql", atomically: true, encoding: .utf8)
    }
    return try LocalSupabase(
      port: port,
      options: ["--faults", "--folder", state, "--migrations", some] + options)
  }

  /// Keeps a copy of what a stopped server keeps.
  func backUp() throws { try copy(state, to: state + ".backup") }

  /// Has what was kept, and nothing of what came since.
  func restore() throws {
    try FileManager.default.removeItem(atPath: state)
    try copy(state + ".backup", to: state)
  }

  /// With owners and rights, without which PostgreSQL does not start.
  private func copy(_ source: String, to target: String) throws {
    let process = try Process.run(
      URL(filePath: "/bin/cp"), arguments: ["-a", source, target], terminationHandler: nil)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
