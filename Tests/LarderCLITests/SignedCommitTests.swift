import Foundation
import TestSupport
import Testing

@Suite("Signed commits")
struct SignedCommitTests {
  /// A household with milk whose commits git signs with a new SSH key.
  private func signing() throws -> HouseholdFixture {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    let key = nest.larder.folder("key")
    try run("/usr/bin/env", "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
    let words = try String(contentsOfFile: key + ".pub", encoding: .utf8)
    try nest.larder.folder.write("ada@example.org \(words)", to: "signers")
    try nest.git("config", "user.email", "ada@example.org")
    try nest.git("config", "commit.gpgSign", "true")
    try nest.git("config", "gpg.format", "ssh")
    try nest.git("config", "gpg.ssh.allowedSignersFile", nest.larder.folder("signers"))
    try nest.git("config", "user.signingKey", key + ".pub")
    return nest
  }

  @discardableResult
  private func run(_ words: String..., with variables: [String: String] = [:]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test(
    "commands, adoptions and joins of one's own are signed, and are what they would be otherwise")
  func ssh() throws {
    let nest = try signing()
    try nest.addOrigin()
    #expect(try nest("put", "milk", "3").code == 0)
    #expect(try nest("use", "milk", "1").code == 0)
    #expect(try nest("undo").code == 0)
    #expect(try nest("sync").code == 0)
    #expect(try nest.git("log", "-5", "--format=%G?") == "G\nG\nG\nG\nN\n")
    #expect(try nest.git("fsck", "--strict") == "")
    let text = try nest.git("log", "-1", "--format=%B%an %ad")
    #expect(text.contains("Larder-Command: undo") && text.contains("+0000"))
    #expect(try nest("log").output.contains("2026-11-21 12:00"))
    #expect(try nest("doctor").code == 0)
  }

  @Test("what all devices write alike is not signed")
  func common() throws {
    let nest = try signing()
    #expect(try nest("put", "milk", "3").code == 0)
    try nest.write(Written.item(2, "Flour"), to: "stock/flour.json")
    try nest.git("add", ".")
    try nest.git("commit", "-qm", "flour")
    #expect(try nest("adopt").code == 0)
    #expect(
      try nest.git("log", "-2", "--format=%G? %s")
        == "N adopt what was committed with git\nG flour\n")
  }

  @Test("a signer that fails leaves nothing half done, and the message says what it said")
  func failing() throws {
    let nest = try signing()
    #expect(try nest("put", "milk", "3").code == 0)
    let before = try (nest.git("rev-parse", "HEAD"), nest.git("status", "--porcelain"))
    try FileManager.default.removeItem(atPath: nest.larder.folder("key"))
    let outcome = try nest("use", "milk", "1")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("could not sign the commit"), "\(outcome.errors)")
    #expect(outcome.errors.contains("commit.gpgSign false"))
    #expect(try (nest.git("rev-parse", "HEAD"), nest.git("status", "--porcelain")) == before)
    #expect(try nest("git", "--", "config", "commit.gpgSign", "false").code == 0)
    #expect(try nest("use", "milk", "1").code == 0)
    #expect(try nest("stock", "--plain").output.contains("2"))
  }

  @Test("OpenPGP signs too")
  func openPGP() throws {
    let nest = try signing()
    // The agent's socket has to have a short path.
    let home = "/tmp/larder-gpg-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: home) }
    let made = try run(
      "/usr/bin/env", "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key",
      "Ada <ada@example.org>", "ed25519", with: ["GNUPGHOME": home])
    try #require(made == 0, "gpg makes no key")
    defer { _ = try? run("/usr/bin/env", "gpgconf", "--kill", "all", with: ["GNUPGHOME": home]) }
    let wrapper = nest.larder.folder("gpg")
    try nest.larder.folder.write(
      "#!/bin/sh\nGNUPGHOME=\(home) exec gpg --batch \"$@\"\n", to: "gpg")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: wrapper)
    for (key, value) in [
      ("gpg.format", "openpgp"), ("gpg.program", wrapper), ("user.signingKey", "ada@example.org"),
    ] { try nest.git("config", key, value) }
    let outcome = try nest("put", "milk", "3")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(["G", "U"].contains(try nest.git("log", "-1", "--format=%G?").prefix(1)))
  }
}
