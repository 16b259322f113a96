import Foundation
import TestSupport
import Testing

/// A device that syncs by git and with a project, and another one that only has the project.
private struct GitAndCloud {
  static let password = "correct horse battery staple"

  let supabase: LocalSupabase
  var larder: CommandRunner
  private(set) var uses = 0

  init() throws {
    supabase = try LocalSupabase.shared.get()
    larder = try CommandRunner()
    // The clock of the computer, as the server has it.
    larder.variables["LARDER_NOW"] = ""
    try larder.folder.write(supabase.anonKey + "\n", to: "key")
    try Git.run("init", "--quiet", "--bare", "-b", "main", "hub.git", in: larder.folder.path)
    try prepare("init", "nest", "--name", "Nest", "--time-zone", "UTC", in: "")
    try Git.run("remote", "add", "origin", "../hub.git", in: larder.folder("nest"))
    try prepare("stock", "new", "Milk", "--unit", "liter", "--in-stock", "100")
    try prepare("cloud", "connect", supabase.url, "--anon-key-file", "../key")
    let signedIn = try larder.run(
      [
        "cloud", "login", "\(UUID().uuidString.lowercased())@example.org", "--password-stdin",
        "--sign-up",
      ], in: "nest", input: Self.password + "\n")
    try #require(signedIn.code == 0, "\(signedIn.errors)")
    try prepare("sync")
  }

  @discardableResult
  func prepare(_ words: String..., in place: String = "nest") throws -> String {
    let outcome = try larder.run(words, in: place)
    try #require(outcome.code == 0, "larder \(words): \(outcome.errors)\(outcome.output)")
    return outcome.output
  }

  /// Does what the next sync has to bring to both.
  mutating func use() throws {
    try prepare("stock", "use", "milk", "0.25")
    uses += 1
  }

  /// What has to hold after a kill, whenever it was.
  func expectRecovery(_ name: Comment) throws {
    let again = try larder.run(["sync"], in: "nest")
    #expect(again.code == 0, "\(name): \(again.errors)")
    let files = FileManager.default.enumerator(atPath: larder.folder("nest/.git"))
    let locks = (files?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".lock") }
    #expect(locks.isEmpty, name)
    let doctor = try larder.run(["doctor"], in: "nest")
    #expect(doctor.code == 0, "\(name): \(doctor.output)")
  }

  /// Every use has reached the remote and the project, each once.
  func expectAllThere() throws {
    let code = try prepare("cloud", "invite", "--plain").trimmingCharacters(in: .newlines)
    let joined = try larder.run(
      [
        "cloud", "join", supabase.url, "other", "--email",
        "\(UUID().uuidString.lowercased())@example.org", "--password-stdin", "--sign-up",
        "--anon-key-file", "key", "--invite", code,
      ], input: Self.password + "\n")
    try #require(joined.code == 0, "\(joined.errors)")
    let left = 100 - 0.25 * Double(uses)
    for place in ["nest", "other"] {
      let items =
        try larder.run(["stock", "--json"], in: place).json()["items"] as? [[String: Any]]
      #expect(items?.first?["total"] as? Double == left, "\(place)")
    }
    try prepare("sync")
    let heads = try ["nest", "hub.git"].map {
      try Git.run("rev-parse", "refs/heads/main", in: larder.folder($0))
    }
    #expect(heads[0] == heads[1])
  }
}

@Suite(
  "A sync with git and the project that is killed",
  .enabled(if: Faults.missing == nil, "no C compiler for the library of faults"))
struct CloudKillTests {
  @Test("at any step, the next one goes on, and every use reaches both once")
  func atSteps() throws {
    var nest = try GitAndCloud()
    try nest.use()
    let places = ["nest", "hub.git"]
    // What a git that is killed leaves is git's; the other scenarios have it.
    let steps = try Faults.run(["sync"], in: "nest", nest.larder, below: places, by: "larder").steps
    try #require(steps.count > 20)
    print("crash points of \(steps.count): LARDER_SEED=\(Seed.ofRun)")
    var generator = SeededGenerator(seed: Seed.ofRun)
    let all = Array(1...steps.count)
    let chosen = CrashTests.isThorough ? all : Array(all.shuffled(using: &generator).prefix(10))
    for step in chosen {
      try nest.use()
      _ = try Faults.run(
        ["sync"], in: "nest", nest.larder, below: places, by: "larder", .kill(.one), at: step)
      try nest.expectRecovery("step \(step), about \(steps[step - 1])")
    }
    try nest.expectAllThere()
  }

  @Test("at any moment, the next one goes on, and every use reaches both once")
  func atMoments() throws {
    var nest = try GitAndCloud()
    print("moments: LARDER_SEED=\(Seed.ofRun)")
    var generator = SeededGenerator(seed: Seed.ofRun)
    for _ in 0..<(CrashTests.isThorough ? 390 : 8) {
      try nest.use()
      let process = try nest.larder.start(["sync"], in: "nest")
      let wait = Int.random(in: 0...500, using: &generator)
      Thread.sleep(forTimeInterval: Double(wait) / 1000)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      try nest.expectRecovery("killed after \(wait) ms")
    }
    try nest.expectAllThere()
  }
}
