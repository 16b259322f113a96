import Foundation
import TestSupport
import Testing

/// `UPDATE_GOLDEN=1` writes the answers of the sessions anew.
@Suite("Sessions")
struct SessionTests {
  @Test("there are sessions")
  func there() { #expect(!Session.names.isEmpty, "\(Session.folder.path()) can be read") }

  @Test("every command of a session answers as it was reviewed", arguments: Session.names)
  func session(_ name: String) throws {
    let session = try Session(name)
    var run = try SessionRun()
    let now = try run.replay(session)
    if Golden.isUpdating {
      try Data(now.utf8).write(to: Session.folder.appending(path: name))
    } else {
      session.expect(now)
    }
  }

  @Test(
    "they answer the same where the cache is gone, damaged or of another version",
    arguments: Session.names.filter { $0.hasPrefix("daily/") },
    CacheFault.allCases.filter { $0 != .none })
  func withoutCache(_ name: String, fault: CacheFault) throws {
    let session = try Session(name)
    var run = try SessionRun(fault: fault)
    session.expect(try run.replay(session), "the cache: \(fault)")
    guard fault != .blocked else { return }
    // What is not there can't be damaged.
    #expect(try run.nest.larder.folder.read("nest/.git/larder/cache").utf8.count > 32)
  }
}

extension Session {
  /// Expects that the session is as it is written, and tells the first line that is not.
  fileprivate func expect(_ now: String, _ circumstance: String = "") {
    guard now != text else { return }
    let lines = [text, now].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    let pairs = zip(lines[0], lines[1])
    let same = pairs.prefix { $0 == $1 }.count
    let command = lines[0].prefix(same + 1).last { $0.hasPrefix("$ ") } ?? ""
    let (kept, came) = (lines[0].dropFirst(same).first, lines[1].dropFirst(same).first)
    Issue.record(
      """
      \(circumstance)
      \(command)
      expected: \(kept ?? "(the end)")
      came:     \(came ?? "(the end)")
      """,
      sourceLocation: SourceLocation(
        fileID: "Sessions/\(name)", filePath: Self.folder.appending(path: name).path(),
        line: same + 1, column: 1))
  }
}
