import Foundation
import TestSupport
import Testing

@Suite("Syncing branches")
struct BranchSyncTests {
  /// A household with a remote that it has synced `main` with.
  private func synced() throws -> HouseholdFixture {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    try nest.addOrigin()
    #expect(try nest("sync").code == 0)
    return nest
  }

  private func there(_ branch: String, _ nest: HouseholdFixture) throws -> String {
    try Git.run("rev-parse", branch, in: nest.larder.folder("home/origin.git"))
  }

  @Test("a branch of one's own is synced as such, and main stays where it is")
  func otherBranch() throws {
    let nest = try synced()
    let main = try there("main", nest)
    try nest.git("switch", "-q", "-c", "holiday")
    _ = try nest("stock", "put", "milk", "3")
    let outcome = try nest("sync")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("in sync with origin/holiday"))
    #expect(try there("main", nest) == main)
    #expect(try there("holiday", nest) == nest.git("rev-parse", "HEAD"))
    #expect(try nest.git("rev-parse", "--abbrev-ref", "@{upstream}") == "origin/holiday\n")
    try nest.git("switch", "-q", "main")
    #expect(try nest("stock", "show", "milk", "--json").code == 0)
    #expect(try !nest.read("stock/milk.json").contains("\"quantityInStock\": 3"))
    #expect(try nest("sync").errors.contains("up to date with origin/main"))
  }

  @Test("a branch that follows one of another name is synced with that one, both ways")
  func otherName() throws {
    let nest = try synced()
    try nest.git("switch", "-q", "-c", "mine", "--track", "origin/main")
    _ = try nest("stock", "put", "milk", "3")
    #expect(try nest("status").output.contains("1 commit ahead of origin/main"))
    #expect(try nest("sync").errors.contains("in sync with origin/main"))
    #expect(try there("main", nest) == nest.git("rev-parse", "mine"))
    try nest.join("phone")
    var phone = nest.larder
    phone.device = "phone"
    _ = try phone("stock", "put", "milk", "2", in: "home/phone")
    #expect(try phone("sync", in: "home/phone").code == 0)
    #expect(try nest("sync").code == 0)
    #expect(try nest.read("stock/milk.json").contains("\"quantityInStock\": 5"))
    #expect(throws: Git.Failure.self) { try there("mine", nest) }
  }

  @Test("without an upstream, the branch of its name on the remote is joined, not overwritten")
  func noUpstream() throws {
    let nest = try synced()
    try nest.join("phone")
    var phone = nest.larder
    phone.device = "phone"
    _ = try phone("stock", "put", "milk", "2", in: "home/phone")
    _ = try phone("sync", in: "home/phone")
    try nest.git("branch", "--unset-upstream")
    _ = try nest("stock", "put", "milk", "3")
    #expect(try nest("sync").code == 0)
    #expect(try nest.read("stock/milk.json").contains("\"quantityInStock\": 5"))
    #expect(try there("main", nest) == nest.git("rev-parse", "HEAD"))
  }

  @Test("a plain clone works after one 'doctor --fix', which status says until then")
  func plainClone() throws {
    let nest = try synced()
    let folder = nest.larder.folder("home")
    try Git.run("clone", "-q", "origin.git", "clone", in: folder)
    let larder = nest.larder
    #expect(try larder("stock", "put", "milk", "1", in: "home/clone").code == 1)
    #expect(try larder("status", in: "home/clone").errors.contains("run 'larder doctor --fix'"))
    #expect(try larder("doctor", "--fix", in: "home/clone").code == 0)
    #expect(try !larder("status", in: "home/clone").errors.contains("doctor"))
    #expect(try larder("stock", "put", "milk", "1", in: "home/clone").code == 0)
    #expect(try larder("sync", in: "home/clone").code == 0)
    #expect(try nest("sync").code == 0)
    #expect(try nest.read("stock/milk.json").contains("\"quantityInStock\": 1"))
  }
}
