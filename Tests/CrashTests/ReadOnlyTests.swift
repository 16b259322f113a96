import Foundation
import TestSupport
import Testing

@Suite("A household that may only be read")
struct ReadOnlyTests {
  private static let reading = [
    ["stock"], ["shop"], ["check"], ["status"], ["log"], ["stock", "show", "Milk"],
  ]

  private static let writing = [
    ["stock", "use", "Milk"], ["shop", "buy", "Tea"], ["adopt"], ["undo"], ["sync"],
  ]

  /// A household with an edit that nobody has adopted.
  private func household() throws -> World {
    var world = try World.first.get().copied()
    world.larder.now = "2026-11-21T12:05:00Z"
    try world.edit("laptop", "stock/bread", "\"Bread\"", "\"Rye\"")
    return world
  }

  @Test(
    "is read as ever, and writing says why it can't",
    .enabled(if: Faults.missing == nil, "no C compiler for the library of faults"))
  func injected() throws {
    let world = try household()
    let before = try world.picture("laptop")
    for words in Self.reading {
      let expected = try world("laptop", words)
      let run = try Faults.run(words, in: "laptop", of: world, .failures(EROFS), at: 1)
      #expect(run.outcome == expected, "\(words)")
    }
    for words in Self.writing {
      let run = try Faults.run(words, in: "laptop", of: world, .failures(EROFS), at: 1)
      #expect((1...7).contains(run.outcome.code), "\(words)")
      #expect(
        run.outcome.errors.contains("Read-only file system"), "\(words): \(run.outcome.errors)")
      #expect(run.outcome.errors.contains("must belong to you and be writable"), "\(words)")
      #expect(try world.picture("laptop") == before)
    }
    #expect(try world("laptop", ["adopt"]).code == 0)
    #expect(try world("laptop", ["check"]).output == "")
  }

  @Test(
    "is the same on a file system that was mounted for reading",
    .enabled(if: Mount.isPossible, "file systems can't be mounted here"))
  func mounted() throws {
    let world = try household()
    let before = try world.picture("laptop")
    for words in Self.reading + Self.writing {
      let outcome = try Mount.run(
        "mount --bind laptop laptop && mount -o remount,ro,bind laptop && cd laptop && larder "
          + words.joined(separator: " "), in: world)
      if Self.reading.contains(words) {
        #expect(outcome.code == 0, "\(words): \(outcome.errors)")
      } else {
        #expect((1...7).contains(outcome.code), "\(words)")
        #expect(outcome.errors.contains("Read-only file system"), "\(words): \(outcome.errors)")
      }
    }
    #expect(try world.picture("laptop") == before)
  }
}

@Suite("A disk that is really full", .enabled(if: Mount.isPossible, "nothing can be mounted here"))
struct FullDiskTests {
  @Test("counts what was done and nothing else, however much room was left")
  func rooms() throws {
    let world = try World.first.get().copied()
    try world.prepare("laptop", "stock", "put", "Milk", "96")
    let rooms = [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 44, 52, 60, 80]
    let outcome = try Mount.run(
      """
      mkdir small && mount -t tmpfs -o size=3m tmpfs small && cp -a laptop/. small && cd small
      for room in \(rooms.map(String.init).joined(separator: " ")); do
        cat /dev/zero > .git/fill 2> /dev/null
        truncate -s -${room}K .git/fill
        larder stock use Milk > /dev/null 2> ../errors
        echo "$room $? $(larder stock --plain 2> /dev/null | wc -l)"
        grep error: ../errors >&2
        rm .git/fill
        larder check || echo check failed
      done
      echo "left $(larder stock show Milk --json | tr -d ' \\n' | grep -o '"total":[0-9]*' | tail -n 1)"
      git fsck --no-dangling --no-progress && git status --porcelain
      find . -name '*.lock' -o -name '*larder-new' -o -name 'tmp_*'
      """, in: world)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let done = lines.prefix(rooms.count).filter { $0.split(separator: " ")[1] == "0" }
    #expect(lines.count == rooms.count + 1, "\(outcome)")
    #expect(lines.last == "left \"total\":\(100 - done.count)", "\(outcome)")
    #expect((1..<rooms.count).contains(done.count), "some worked, some did not: \(outcome)")
    for line in lines.prefix(rooms.count) { #expect(line.hasSuffix(" 3"), "\(outcome)") }
    #expect(!outcome.errors.isEmpty)
    for line in outcome.errors.split(separator: "\n") {
      #expect(line.contains("No space left on device"), "\(outcome)")
    }
  }
}
