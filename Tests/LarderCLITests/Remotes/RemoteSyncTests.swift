import Foundation
import TestSupport
import Testing
import Libc

@Suite("A remote on a server")
struct RemoteSyncTests {
  @Test("brings devices together, over ssh and http", arguments: GitHost.Transport.allCases)
  func works(transport: GitHost.Transport) throws {
    let household = try RemoteHousehold(GitHost.shared(transport))
    try household.nest.write(Written.item(1, "Milk"), to: "stock/milk.json")
    #expect(try household("sync").code == 0)
    let joined = try household("join", household.url, "phone", in: "home")
    #expect(joined.code == 0, "\(joined.errors)")
    try household.larder.folder.write(Written.item(2, "Bread"), to: "home/phone/stock/bread.json")
    try household.nest.write(Written.item(3, "Eggs"), to: "stock/eggs.json")
    for place in ["home/phone", "home/nest", "home/phone"] {
      let outcome = try household("sync", in: place)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(!outcome.errors.contains(GitHost.password))
    }
    let phone = household.larder.folder("home/phone")
    #expect(try household.head(of: phone) == household.head(of: household.nest.root))
    #expect(try household.isSent())
    #expect(try household.nest.read("stock/bread.json").contains("Bread"))
  }

  @Test("a password comes from git's credential helper")
  func helper() throws {
    let household = try RemoteHousehold(GitHost.shared(.http))
    try household.setURL(household.host.url(of: household.repository))
    let store = household.larder.folder("credentials")
    try household.larder.folder.write(
      "http://anna:\(GitHost.password)@127.0.0.1:\(household.host.server.port)\n",
      to: "credentials")
    try household.nest.git("config", "credential.helper", "store --file='\(store)'")
    #expect(try household("sync").code == 0)
    #expect(try household.isSent())
  }

  #if !canImport(Darwin)
    @Test("somebody at a terminal is asked for the password, and types it")
    func typedPassword() throws {
      let household = try RemoteHousehold(GitHost.shared(.http))
      try household.setURL(household.host.url(of: household.repository))
      // Fetching asks, and so does sending.
      let answers = [("Username for", "anna"), ("Password for", GitHost.password)]
      let screen = try household.larder.atTerminal(
        "sync", in: "home/nest", answers: answers + answers)
      #expect(screen.contains("in sync with origin/main"), "\(screen)")
      #expect(try household.isSent())
    }

    @Test("somebody at a terminal is shown an unknown host's key, and may accept it")
    func acceptedKey() throws {
      let household = try RemoteHousehold(GitHost.shared(.ssh))
      try household.know("")
      let screen = try household.larder.atTerminal(
        "sync", in: "home/nest", answers: [("continue connecting", "yes")])
      #expect(screen.contains("in sync with origin/main"), "\(screen)")
      #expect(try household.isSent())
      #expect(try household.larder.folder.read("known_hosts").contains("ssh-ed25519"))
    }

    @Test("with --no-input nobody is asked", arguments: GitHost.Transport.allCases)
    func noInput(transport: GitHost.Transport) throws {
      let household = try RemoteHousehold(GitHost.shared(transport))
      if transport == .ssh {
        try household.know("")
      } else {
        try household.setURL(household.host.url(of: household.repository))
      }
      let screen = try household.larder.atTerminal("sync --no-input", in: "home/nest", answers: [])
      #expect(screen.contains("could not fetch"), "\(screen)")
      #expect(!screen.contains("continue connecting") && !screen.contains("\nUsername for"))
    }
  #endif
}

extension CommandRunner {
  /// Runs larder at a terminal of its own, and answers each question as it comes up.
  func atTerminal(
    _ line: String, in place: String, answers: [(question: String, answer: String)]
  ) throws -> String {
    let program = Self.program.path(percentEncoded: false)
    let process = Process()
    process.executableURL = URL(filePath: try Programs.find("script"))
    process.arguments = ["-q", "-e", "-c", "'\(program)' \(line)", "/dev/null"]
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: folder(place))
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    var screen = ""
    var waiting = answers[...]
    var unseen = ""
    var entry = pollfd(
      fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    // A question that nobody expects would wait for ever.
    while poll(&entry, 1, 30_000) > 0, case let bytes = output.fileHandleForReading.availableData,
      !bytes.isEmpty
    {
      let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
      screen += text
      unseen += text
      guard let next = waiting.first, let found = unseen.firstRange(of: next.question)
      else { continue }
      unseen.removeSubrange(..<found.upperBound)
      // The question is not all of what it does before it reads.
      usleep(300_000)
      try input.fileHandleForWriting.write(contentsOf: Data((next.answer + "\n").utf8))
      waiting = waiting.dropFirst()
    }
    if process.isRunning, entry.revents == 0 { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return screen
  }
}
