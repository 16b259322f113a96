import Foundation
import TestSupport
import Testing

@Suite(
  "Where the system gives little",
  .enabled(if: Mount.isPossible, "file systems can't be mounted here"))
struct ScarcityTests {
  /// A household with more files than are read by one thread, none of them known from before.
  private func household() throws -> World {
    var world = try World.first.get().copied()
    world.larder.now = "2026-11-21T12:05:00Z"
    for number in 1...600 {
      try world.larder.folder.write(
        #"{"name": "Thing \#(number)", "quantityInStock": 2}"#, to: "laptop/stock/t\(number).json")
    }
    try world.prepare("laptop", "adopt")
    return world
  }

  @Test("a command that may open few files does its work, or says why not; nothing is half done")
  func descriptors() throws {
    let world = try household()
    var left = 4.0
    var isDone = false
    for most in Array(4...20) + [24, 32, 64] {
      try? FileManager.default.removeItem(atPath: world.root("laptop") + "/.git/larder/cache")
      let outcome = try Mount.run(
        "touch laptop/stock/*; cd laptop; ulimit -n \(most); larder stock use milk 0.1", in: world)
      #expect((0...7).contains(outcome.code), "\(most): \(outcome.code) \(outcome.errors)")
      #expect(!outcome.errors.contains("broken or refused"), "\(most): \(outcome.errors)")
      if outcome.code == 0 {
        left -= 0.1
        isDone = true
      } else {
        #expect(outcome.errors.contains("Too many open files"), "\(most): \(outcome.errors)")
      }
      let stock = try world("laptop", ["stock", "list", "--json"]).json()["items"]
      let milk = (stock as? [[String: Any]])?.first { $0["name"] as? String == "Milk" }
      let total = try #require(milk?["total"] as? Double)
      #expect(abs(total - left) < 0.001, "\(most): \(total)")
    }
    #expect(isDone)
    #expect(try world("laptop", ["doctor"]).code == 0)
  }

  @Test("without /proc, the program knows its arguments")
  func arguments() throws {
    let world = try World.first.get().copied()
    for (line, code, part) in [
      ("stock use milk 1", 0, "used 1 of Milk"),
      ("stock use 'no such thing' 1", 3, "no such thing"),
      ("stock use milk $(printf '\\377')", 2, "UTF-8"), ("", 0, "Nest"), ("--help", 0, "Usage"),
    ] {
      let outcome = try Mount.run(
        "mount -t tmpfs tmpfs /proc; cd laptop; larder \(line)", in: world)
      #expect(outcome.code == code, "\(line): \(outcome.errors)")
      #expect((outcome.output + outcome.errors).contains(part), "\(line): \(outcome)")
    }
    #expect(try world("laptop", ["doctor"]).code == 0)
  }

  @Test(
    "a stick that forgets what nobody waited for, and comes back, has every act that was told of",
    .enabled(if: Stick.isPossible, "no loop devices can be shut down here"))
  func stick() throws {
    let world = try World.first.get().copied()
    let outcome = try Stick.run(
      """
      truncate -s 64m stick; mkfs.ext4 -q stick
      mkdir d; mount -o loop stick d; cp -r laptop d/home; sync; cd d/home
      larder stock use milk 1; sync
      larder stock use milk 0.5
      perl -e 'open F, "<", "." or die; $flag = pack("L", 2); ioctl(F, 0x8004587D, $flag) or die "$!"'
      cd ../..; umount d; mount -o loop stick d; cd d/home
      larder stock show milk; git status --porcelain; larder doctor; cd ../..; umount d
      """, in: world)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("2.5"), "\(outcome.output) \(outcome.errors)")
    #expect(outcome.output.contains("all is well"), "\(outcome.output) \(outcome.errors)")
  }
}
