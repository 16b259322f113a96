import Foundation
import LarderModel
import TestSupport
import Testing

@Suite("What people really did, against what the program says in the end")
struct RealWorldTests {
  @Test(
    "by git: every total is what is there, however late it arrives what anybody did",
    arguments: 0..<5)
  func git(_ number: UInt64) throws {
    let pair = try Pair()
    for line in RealWorld.beginning { try pair.prepare("laptop", line) }
    try pair.prepare("laptop", "sync", "join ../hub.git ../tablet")
    try pair.prepare("phone", "sync")
    let names = ["laptop", "phone", "tablet"]
    var world = RealWorld(
      seed: Seed.ofRun &+ number, devices: 3,
      time: { String(pair.larder.now.prefix(16)).replacing("T", with: " ") },
      file: { try pair.file(names[$0], "stock/eggs") },
      run: { try pair(names[$0], $1, input: $2) })
    for _ in 1...24 { try world.act() }
    try world.putRight()
    for name in names + names + names { try pair.prepare(name, "sync") }
    try world.compare()
    #expect(Set(try names.map { try pair.git($0, "rev-parse", "HEAD") }).count == 1)
    for name in names { #expect(try pair(name, "check").code == 0) }
  }
}
