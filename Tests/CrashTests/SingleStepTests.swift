import Foundation
import TestSupport
import Testing

/// The steps at which most can go wrong, each time.
@Suite(
  "Single steps", .enabled(if: Faults.missing == nil, "no C compiler for the library of faults"))
struct SingleStepTests {
  private let rehearsal: Rehearsal

  init() throws {
    rehearsal = try Rehearsal(Scenario.local[0])
  }

  @Test("a commit that libgit2 could not store is never the branch's")
  func storedCommit() throws {
    let journal = try rehearsal.first("open", /larder\/journal/)
    let last = try #require(
      rehearsal.steps[..<journal].lastIndex { $0.call == "write" && $0.path.contains("/objects/") })
    for fault in [Fault.failure(EIO), .failures(ENOSPC)] {
      try Trial(rehearsal, fault, at: last + 1).runFailing()
    }
  }

  @Test("no room for a file stops the command before its commit")
  func temporaryFile() throws {
    for call in ["open", "write", "sync_file_range"] {
      let step = try rehearsal.first(call, /stock\/.*larder-new/)
      try Trial(rehearsal, .failures(ENOSPC), at: step).runFailing()
    }
  }

  @Test("a branch that moved though the disk failed is not taken back")
  func movedBranch() throws {
    let step = try rehearsal.first("sync_file_range", /\.git\/refs\/heads\/main$/)
    try Trial(rehearsal, .failure(EIO), at: step).runToTheEnd()
  }

  @Test("a file that can't be exchanged after the commit is named, and the next command does it")
  func exchange() throws {
    let step = try rehearsal.first("renameat2", /stock\/milk/)
    try Trial(rehearsal, .failures(EIO), at: step).runAfterCommit()
  }

  @Test("a full disk at the index, which comes last, fails no command")
  func index() throws {
    let lock = try rehearsal.first("link", /\.git\/index\.lock$/)
    try Trial(rehearsal, .failures(ENOSPC), at: lock).runToTheEnd()
  }

  @Test("a process killed with the index locked keeps nobody from it")
  func indexLock() throws {
    let lock = try rehearsal.first("link", /\.git\/index\.lock$/)
    for step in lock...rehearsal.steps.count {
      try Trial(rehearsal, .kill(.one), at: step).runKilled()
    }
  }

  @Test("a process killed with the mark of what is adopted locked keeps nobody from it")
  func adoptedLock() throws {
    let plain = try Rehearsal(
      try #require(Scenario.local.first { $0.name.hasPrefix("a plain commit") }))
    let lock = try plain.first("open", /refs\/larder\/adopted\.lock$/)
    for step in (lock + 1)...plain.steps.count {
      try Trial(plain, .kill(.one), at: step).runKilled()
    }
  }
}
