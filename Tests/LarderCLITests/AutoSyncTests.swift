import Foundation
import TestSupport
import Testing

/// What commands do with git's remote behind them, if `autoSync` is on.
@Suite("git's remote behind commands")
struct AutoSyncTests {
  private static func comesAbout(_ what: () throws -> Bool) throws -> Bool {
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end {
      if try what() { return true }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return try what()
  }

  private func synced() throws -> HouseholdFixture {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    try nest.addOrigin()
    #expect(try nest("put", "milk", "30").code == 0)
    #expect(try nest("sync").code == 0)
    #expect(try nest("config", "autoSync", "yes").code == 0)
    return nest
  }

  private func isSent(_ nest: HouseholdFixture) throws -> Bool {
    try Git.run("rev-parse", "main", in: nest.larder.folder("home/origin.git"))
      == nest.git("rev-parse", "HEAD")
  }

  @Test("what a command did is sent, and what others did is brought")
  func sends() throws {
    let nest = try synced()
    try nest.join("phone")
    var phone = nest.larder
    phone.device = "phone"
    #expect(try phone("use", "milk", "2", in: "home/phone").code == 0)
    #expect(try phone("sync", in: "home/phone").code == 0)
    #expect(try nest("use", "milk", "1").code == 0)
    #expect(
      try Self.comesAbout { try isSent(nest) && nest.git("rev-list", "--merges", "HEAD") != "" })
    #expect(try nest("stock", "--plain").output.contains("27"))
  }

  @Test("changes one after the other are all sent, by processes that don't fight")
  func many() throws {
    let nest = try synced()
    for _ in 1...12 { #expect(try nest("use", "milk", "1").code == 0) }
    #expect(try Self.comesAbout { try isSent(nest) })
    let status = try nest("status")
    #expect(!status.output.contains("failed"), "\(status.output)")
    #expect(try nest("stock", "--plain").output.contains("18"))
  }

  @Test("a failure is told once by the next command and always by status, until a sync succeeds")
  func failing() throws {
    let nest = try synced()
    let (hub, away) = (nest.larder.folder("home/origin.git"), nest.larder.folder("home/away.git"))
    try FileManager.default.moveItem(atPath: hub, toPath: away)
    #expect(try nest("use", "milk", "1").code == 0)
    let sentence = "not synced with the remote since "
    #expect(try Self.comesAbout { try nest("status").output.contains(sentence) })
    let told = try nest("stock")
    #expect(told.errors.contains(sentence), "\(told.errors)")
    #expect(try !nest("stock").errors.contains(sentence))
    #expect(try nest("status").output.contains(sentence))
    try FileManager.default.moveItem(atPath: away, toPath: hub)
    #expect(try nest("use", "milk", "1").code == 0)
    #expect(try Self.comesAbout { try isSent(nest) })
    #expect(try Self.comesAbout { try !nest("status").output.contains(sentence) })
  }

  @Test("a remote that never answers holds neither a command nor the end of its output")
  func silent() throws {
    let nest = try synced()
    try nest.git("remote", "set-url", "origin", "ssh://nobody@example.invalid/home.git")
    try nest.larder.folder.write("#!/bin/sh\nsleep 20\n", to: "ssh")
    let ssh = nest.larder.folder("ssh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: ssh)
    try nest.git("config", "core.sshCommand", ssh)
    for _ in 1...3 {
      let began = Date()
      let process = Process()
      let output = Pipe()
      process.executableURL = CommandRunner.program
      process.arguments = ["-C", nest.root, "use", "milk", "1"]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["HOME": nest.larder.folder("home"), "LARDER_DEVICE": "laptop"]) { $1 }
      process.standardOutput = output
      process.standardError = output
      try process.run()
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(String(decoding: text, as: UTF8.self))")
      #expect(Date().timeIntervalSince(began) < 10)
    }
  }

  @Test("without a remote, and with autoSync off, nothing is started")
  func off() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    #expect(try nest("config", "autoSync", "yes").code == 0)
    #expect(try nest("put", "milk", "3").code == 0)
    try nest.addOrigin()
    #expect(try nest("config", "autoSync", "no").code == 0)
    #expect(try nest("use", "milk", "1").code == 0)
    #expect(!FileManager.default.fileExists(atPath: nest.root + "/.git/larder/asked"))
  }
}
