import Foundation
import Testing

@testable import LarderGit

@Suite struct RemoteTests {
  let sandbox: Sandbox
  let repository: Repository

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
  }

  @Test("configuration is read from all levels and written to the repository's own")
  func configuration() throws {
    #expect(try repository.configuration("larder.device") == nil)
    try repository.setConfiguration("larder.device", "kitchen = \"big\" #1")
    #expect(try repository.configuration("larder.device") == "kitchen = \"big\" #1")
    #expect(try sandbox.git("config", "--local", "larder.device") == "kitchen = \"big\" #1")
    try sandbox.git("config", "larder.device", "cellar")
    #expect(try repository.configuration("larder.device") == "cellar")
    try repository.setConfiguration("larder.device", nil)
    try repository.setConfiguration("larder.device", nil)
    #expect(try repository.configuration("larder.device") == nil)
    try repository.setConfiguration("merge.larder.driver", "larder merge %O %A %B %P")
    #expect(try sandbox.git("config", "merge.larder.driver") == "larder merge %O %A %B %P")
    let error = #expect(throws: GitError.self) { try repository.setConfiguration("nodots", "x") }
    #expect(error?.code == .invalid)
  }

  @Test("a lock on the settings that stays was left by somebody who was killed, and goes")
  func lockedConfiguration() throws {
    let lock = sandbox.path("household/.git/config.lock")
    try Data().write(to: URL(fileURLWithPath: lock))
    try repository.setConfiguration("larder.device", "kitchen")
    #expect(try repository.configuration("larder.device") == "kitchen")
    #expect(!FileManager.default.fileExists(atPath: lock))
  }

  @Test("remotes are added, listed and read")
  func remotes() throws {
    #expect(try repository.remotes() == [])
    try repository.addRemote("origin", url: "https://example.org/household.git")
    try sandbox.git("remote", "add", "usb", "/media/usb")
    #expect(try repository.remotes() == ["origin", "usb"])
    #expect(try repository.remoteURL("origin") == "https://example.org/household.git")
    #expect(try repository.remoteURL("usb") == "/media/usb")
    #expect(try repository.remoteURL("cloud") == nil)
    #expect(
      try sandbox.git("config", "remote.origin.fetch") == "+refs/heads/*:refs/remotes/origin/*")
    let error = #expect(throws: GitError.self) { try repository.addRemote("origin", url: "x") }
    #expect(error?.code == .exists)
  }

  @Test("URLs are what git makes of them with insteadOf and pushInsteadOf")
  func substitutedURLs() throws {
    try sandbox.git("config", "url./srv/.insteadOf", "home:")
    try sandbox.git("config", "url./srv/all/.insteadOf", "home:all/")
    try sandbox.git("config", "url./mnt/.pushInsteadOf", "usb:")
    let urls = ["home:x", "home:all/x", "usb:x", "other:x"]
    for (index, url) in urls.enumerated() {
      try repository.addRemote("r\(index)", url: url)
      let remote = try repository.remote("r\(index)", action: "test")
      #expect(try sandbox.git("remote", "get-url", "r\(index)") == remote.url)
      #expect(
        try sandbox.git("remote", "get-url", "--push", "r\(index)")
          == remote.pushURL ?? remote.url)
    }
    try sandbox.git("config", "remote.r0.pushurl", "home:pushed")
    #expect(try repository.remote("r0", action: "test").pushURL == "/srv/pushed")
    #expect(try repository.remotes() == ["r0", "r1", "r2", "r3"])
  }

  #if !canImport(Darwin)
    @Test("asking for a remote takes no memory for good, however often")
    func memory() throws {
      try repository.addRemote("origin", url: "/srv/x")
      func pages() throws -> Int {
        let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
          separator: " ")
        return try #require(Int(words[1]))
      }
      let before = try pages()
      for _ in 0..<3000 {
        #expect(try repository.remotes() == ["origin"])
        #expect(try repository.remoteURL("origin") == "/srv/x")
      }
      // Other tests are at work beside this one, but take less; libgit2's own way takes 250 MB.
      #expect(try pages() - before < 100_000_000 / 4096)
    }
  #endif

  @Test(
    "names and URLs that git would take for options are refused",
    arguments: [("-x", "url"), ("a", "--upload-pack=evil"), ("", "x"), ("a b", "x")])
  func badRemotes(name: String, url: String) throws {
    let error = #expect(throws: GitError.self) { try repository.addRemote(name, url: url) }
    #expect(error?.code == .invalid)
    if url.hasPrefix("-") {
      let error = #expect(throws: GitError.self) {
        try Repository.clone(url, to: sandbox.path("clone"))
      }
      #expect(error?.code == .invalid)
    }
  }

  @Test("a branch's upstream is what git says")
  func upstream() throws {
    try sandbox.commit(["a": "1"])
    try sandbox.create("remote", bare: true)
    #expect(try repository.upstream(ofBranch: "main") == nil)
    try repository.addRemote("origin", url: sandbox.path("remote"))
    try sandbox.git("push", "--quiet", "origin", "main:stock")
    try repository.setUpstream(ofBranch: "main", remote: "origin", branch: "stock")
    let upstream = try #require(try repository.upstream(ofBranch: "main"))
    #expect(upstream.remote == "origin")
    #expect(upstream.reference == "refs/heads/stock")
    #expect(upstream.tracking == "refs/remotes/origin/stock")
    #expect(try sandbox.git("rev-parse", "--symbolic-full-name", "main@{u}") == upstream.tracking)
    try sandbox.git("config", "--unset", "remote.origin.fetch")
    #expect(try repository.upstream(ofBranch: "main")?.tracking == nil)
    try sandbox.git("config", "branch.main.remote", ".")
    #expect(try repository.upstream(ofBranch: "main") == nil)
  }

  @Test(
    "URLs of other machines are told apart as git does",
    arguments: [
      ("/srv/x", false), ("../x", false), ("file:///srv/a%20b", false),
      ("file://host/srv/x", false),
      ("ssh://host/x", true), ("host:x", true), ("git@host:a/b", true), ("./a:b", false),
      ("https://host/x", true),
    ])
  func locations(url: String, isElsewhere: Bool) {
    #expect(GitProgram.isElsewhere(url) == isElsewhere)
  }
}
