import Foundation
import TestSupport
import Testing

@Suite("A remote that fails")
struct RemoteFailureTests {
  @Test(
    "says what is wrong and what to do, and gets what was done here with the next sync",
    arguments: RemoteFailureCase.all)
  func failure(_ failure: RemoteFailureCase) throws {
    let household = try RemoteHousehold(GitHost.shared(failure.transport))
    try expectToRecover(household, failure)
  }

  @Test("is the same where the server dies while it takes our commits")
  func killedServer() throws {
    let household = try RemoteHousehold(GitHost(.http))
    let failure = RemoteFailureCase("dropped", .http, code: 6) {
      try $0.addHook(
        "pre-receive", "kill -9 $(cat '\($0.host.folder("server.pid"))'); sleep 1; exit 1")
    } mend: {
      try $0.removeHook("pre-receive")
      $0.host.server.stop()
      try $0.host.server.start()
    }
    try expectToRecover(household, failure)
  }

  private func expectToRecover(
    _ household: RemoteHousehold, _ failure: RemoteFailureCase
  ) throws {
    try #require(household("sync").code == 0)
    try household.nest.write(Written.item(1, "Bread"), to: "stock/bread.json")
    try failure.fail(household)
    let outcome = try household("sync")
    #expect(outcome.code == failure.code)
    let text = household.normalized(
      "$ larder sync\n\(outcome.output)\(outcome.errors)(exit code \(outcome.code))\n")
    #expect(try Golden.kept("remotes/\(failure.name).txt", now: text) == text)
    expectNoSecret(outcome)
    #expect(try household.nest.git("status", "--porcelain") == "")
    #expect(try household.nest.git("log", "-1", "--format=%s").contains("bread"))
    #expect(try !household.isSent())

    try household.setURL(household.url)
    if failure.transport == .ssh {
      try household.configureShell()
      try household.know(household.host.hostKeyLine())
    }
    try failure.mend(household)
    let again = try household("sync")
    #expect(again.code == 0, "\(again.errors)")
    #expect(try household.isSent())
  }

  @Test(
    "that says nothing is given up as people configured it", arguments: GitHost.Transport.allCases)
  func silent(transport: GitHost.Transport) throws {
    let household = try RemoteHousehold(GitHost.shared(transport))
    let silence = try SilentServer()
    try household.setURL(household.host.url(of: household.repository, port: silence.port))
    try household.nest.git("config", "http.lowSpeedLimit", "1")
    try household.nest.git("config", "http.lowSpeedTime", "1")
    if transport == .ssh { try household.configureShell("ConnectTimeout 1") }
    let outcome = try household("sync")
    #expect(outcome.code == 6, "\(outcome.errors)")
    let words = transport == .ssh ? "timed out" : "Operation too slow"
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    try household.setURL(household.url)
    try household.configureShell()
    #expect(try household("sync").code == 0)
  }

  @Test("that keeps silent for long is told of while larder waits")
  func patience() throws {
    let household = try RemoteHousehold(GitHost.shared(.http))
    let silence = try SilentServer()
    try household.setURL("http://127.0.0.1:\(silence.port)/home.git")
    try household.nest.git("config", "http.lowSpeedLimit", "1")
    try household.nest.git("config", "http.lowSpeedTime", "6")
    let outcome = try household("sync")
    #expect(outcome.code == 6)
    #expect(
      outcome.errors.hasPrefix(
        "fetching from origin\norigin has said nothing yet; Ctrl-C stops waiting"))
  }

  @Test("git and ssh get bounds for silence where nobody has set any")
  func bounds() throws {
    let household = try RemoteHousehold(GitHost.shared(.ssh))
    household.larder.variables["GIT_TRACE2"] = household.larder.folder("trace")
    household.larder.variables["GIT_TRACE2_ENV_VARS"] = "GIT_HTTP_LOW_SPEED_TIME"
    #expect(try household("sync").code == 0)
    #expect(try household.larder.folder.read("trace").contains("GIT_HTTP_LOW_SPEED_TIME=60"))
    let calls = try household.shellCalls()
    #expect(calls.contains("-oConnectTimeout=30") && calls.contains("-oServerAliveInterval=20"))
    #expect(calls.contains("-o BatchMode=yes"))

    try household.nest.git("config", "http.lowSpeedTime", "5")
    try household.larder.folder.write("", to: "trace")
    try household.larder.folder.write("", to: "ssh-calls")
    try household.configureShell("ConnectTimeout 7\nServerAliveInterval 8")
    #expect(try household("sync").code == 0)
    #expect(try !household.larder.folder.read("trace").contains("GIT_HTTP_LOW_SPEED_TIME=60"))
    #expect(try !household.shellCalls().contains("-oConnectTimeout"))
  }

  @Test("a command for ssh that people configured is used as it is, but asks nobody")
  func ownShell() throws {
    let household = try RemoteHousehold(GitHost.shared(.ssh))
    try household.nest.git("config", "core.sshCommand", "ssh -o LogLevel=ERROR")
    #expect(try household("sync").code == 0)
    let calls = try household.shellCalls().split(separator: "\n")
    #expect(!calls.isEmpty)
    #expect(calls.allSatisfy { $0.hasPrefix("-o LogLevel=ERROR -o BatchMode=yes ") })
  }

  @Test("a larder that is killed while it waits takes its git along and leaves nothing behind")
  func terminated() throws {
    let household = try RemoteHousehold(GitHost.shared(.http))
    try household.nest.write(Written.item(1, "Bread"), to: "stock/bread.json")
    let silence = try SilentServer()
    try household.setURL("http://127.0.0.1:\(silence.port)/home.git")
    let process = try household.larder.start(["sync"], in: "home/nest")
    #expect(try silence.hasLost { process.terminate() })
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    try household.setURL(household.url)
    #expect(try household("sync").code == 0)
    #expect(try household.isSent())
  }

  private func expectNoSecret(_ outcome: CommandRunner.Outcome) {
    for secret in [GitHost.password, "wr0ng", "anna"] {
      #expect(!(outcome.output + outcome.errors).contains(secret))
    }
  }

  @Test(
    "joining fails as clearly, and shows no password of the URL",
    arguments: [
      (name: "wrong-password", secret: "wr0ng", repository: "own", code: Int32(4)),
      (name: "no-repository", secret: GitHost.password, repository: "gone", code: 6),
      (name: "empty", secret: GitHost.password, repository: "own", code: 3),
    ])
  func join(name: String, secret: String, repository: String, code: Int32) throws {
    let household = try RemoteHousehold(GitHost.shared(.http))
    let path = repository == "own" ? household.repository : household.host.folder("gone.git")
    let url = household.host.url(of: path, as: "anna:\(secret)")
    for mode in [[], ["--json"]] {
      let outcome = try household.larder.run(["join", url, "other"] + mode, in: "home")
      #expect(outcome.code == code)
      expectNoSecret(outcome)
      guard mode.isEmpty else { continue }
      let text = household.normalized(
        "$ larder join URL other\n\(outcome.output)\(outcome.errors)(exit code \(outcome.code))\n")
      #expect(try Golden.kept("remotes/join-\(name).txt", now: text) == text)
    }
    #expect(!FileManager.default.fileExists(atPath: household.larder.folder("home/other")))
    expectNoSecret(try household("join", "elsewhere", url, in: "home"))
    expectNoSecret(try household("join", "one", "two", url, in: "home"))
  }

  @Test("no golden text lacks its case")
  func names() throws {
    guard !Golden.isUpdating else { return }
    let kept = try FileManager.default.contentsOfDirectory(
      atPath: Golden.folder.appending(path: "remotes").path())
    let others = ["http-dropped", "join-wrong-password", "join-no-repository", "join-empty"]
    #expect(Set(kept) == Set((RemoteFailureCase.all.map(\.name) + others).map { $0 + ".txt" }))
  }
}
