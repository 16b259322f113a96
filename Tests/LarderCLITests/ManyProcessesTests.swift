import Foundation
import TestSupport
import Testing

/// Eight programs at one household; `LARDER_LOAD_SECONDS=30` lets them go on for longer.
@Suite("Many processes at one household")
struct ManyProcessesTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["LARDER_LOAD_SECONDS"].flatMap(Double.init) ?? 5

  @Test(
    "of writers, syncs, a watch, a hand and plain git, everything acknowledged is there, once")
  func load() throws {
    let nest = try HouseholdFixture([
      "stock/milk.json": Written.item(1, "Milk", "\"quantityInStock\": 1000")
    ])
    try nest.addOrigin()
    try #require(try nest("sync").code == 0)
    let load = Load(nest, seconds: Self.seconds)
    let watch = try load.larder.start("watch", "--every", "1s", in: "home/nest")
    load.run([
      { load, round in load.write("stock", "use", "milk", "1", request: "a\(round)") },
      { load, round in load.write("stock", "put", "milk", "2", request: "b\(round)") },
      { load, round in load.write("stock", "use", "milk", "3", request: "c\(round)") },
      { load, round in load.shop("thing-\(round)") },
      { load, _ in load.command("sync") },
      { load, round in load.save("hand \(round)") },
      { load, round in load.commit("note \(round)") },
    ])
    #expect(watch.end() == 0)
    try check(load, nest)
    #expect(load.failures == [], "after \(load.counts)")
    // A plain git that commits between a commit of ours and its index leaves the new file out, which
    // is warned about, and mended from the work tree.
    let said = try watch.errors()
    #expect(!said.contains("sync failed"), "\(said)")
    print("many processes: \(load.counts), slowest \(load.slowest)")
  }

  private func check(_ load: Load, _ nest: HouseholdFixture) throws {
    let last = try load.larder("sync", in: "home/nest")
    #expect(last.code == 0, "\(last.errors)")
    let check = try load.larder("check", in: "home/nest")
    #expect(check.code == 0, "\(check.output)\(check.errors)")
    let status = try nest.git("status", "--porcelain")
    #expect(status == "")
    let requests = try nest.git(
      "log", "--format=%(trailers:key=Larder-Request,valueonly,separator=)"
    )
    .split(separator: "\n").map(String.init)
    #expect(requests.sorted() == load.requests.sorted())
    let notes = try nest.git("log", "--format=%s").split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("note ") }
    #expect(notes.sorted() == load.notes.sorted())
    let used = load.requests.reduce(into: 0) { sum, request in
      sum += ["a": -1, "b": 2, "c": -3][request.prefix(1)] ?? 0
    }
    _ = try load.larder("join", "origin.git", "phone", in: "home")
    for device in ["nest", "phone"] {
      let items = try load.larder("stock", "list", "--json", "--all", in: "home/\(device)")
        .array("items")
      let milk = items.first { $0["name"] as? String == "Milk" }
      #expect((milk?["quantityInStock"] as? NSNumber)?.intValue == 1000 + used, "\(device)")
      let hands = items.compactMap { $0["name"] as? String }.filter { $0.hasPrefix("hand ") }
      #expect(hands.sorted() == load.saved.sorted(), "\(device)")
      let entries = try load.larder("shop", "list", "--json", "--all", in: "home/\(device)")
        .array("items").compactMap { $0["name"] as? String }
      #expect(entries.sorted() == load.things.sorted(), "\(device)")
    }
  }
}

/// What several programs do to one household at the same time, and what was acknowledged.
private final class Load: @unchecked Sendable {
  let larder: CommandRunner
  private let nest: HouseholdFixture
  private let end: Date
  private let lock = NSLock()
  private(set) var requests: [String] = []
  private(set) var things: [String] = []
  private(set) var notes: [String] = []
  private(set) var saved: [String] = []
  private(set) var failures: [String] = []
  private(set) var counts: [String: Int] = [:]
  private(set) var slowest: [String: Double] = [:]

  init(_ nest: HouseholdFixture, seconds: Double) {
    self.nest = nest
    var larder = nest.larder
    larder.now = ""
    self.larder = larder
    end = Date(timeIntervalSinceNow: seconds)
  }

  /// Runs each in a thread of its own, again and again until the time is over.
  func run(_ tasks: [@Sendable (Load, Int) -> Void]) {
    let group = DispatchGroup()
    for task in tasks {
      group.enter()
      Thread.detachNewThread { [self] in
        var round = 0
        while Date() < end {
          round += 1
          task(self, round)
        }
        group.leave()
      }
    }
    group.wait()
  }

  func write(_ words: String..., request: String) {
    if command(words + ["--request-id", request]) { lock.withLock { requests.append(request) } }
  }

  func shop(_ thing: String) {
    if command(["shop", "buy", thing]) { lock.withLock { things.append(thing) } }
  }

  func command(_ words: String...) { command(words) }

  @discardableResult
  private func command(_ words: [String]) -> Bool {
    let name = words.prefix(2).joined(separator: " ")
    let began = Date()
    let outcome = Result { try larder.run(words, in: "home/nest") }
    let time = Date().timeIntervalSince(began)
    return lock.withLock {
      counts[name, default: 0] += 1
      slowest[name] = max(slowest[name] ?? 0, time)
      switch outcome {
      case .success(let outcome):
        if outcome.code == 0 { return true }
        failures.append("\(words) ended with \(outcome.code): \(outcome.errors)")
      case .failure(let error): failures.append("\(words): \(error)")
      }
      return false
    }
  }

  /// Saves a file as an editor does.
  func save(_ name: String) {
    Thread.sleep(forTimeInterval: 0.2)
    let path = "\(nest.root)/stock/\(name).json"
    do {
      try Data("{ \"name\": \"\(name)\" }\n".utf8).write(to: URL(filePath: path), options: .atomic)
      lock.withLock { saved.append(name) }
    } catch {
      lock.withLock { failures.append("saving \(name): \(error)") }
    }
  }

  /// Commits a file with git, which gives up where somebody else is at work, and tries again then.
  func commit(_ subject: String) {
    Thread.sleep(forTimeInterval: 0.3)
    for _ in 0..<100 {
      do {
        try nest.write(subject + "\n", to: "notes.md")
        try nest.git("add", "notes.md")
        try nest.git("commit", "-qm", subject)
        return lock.withLock {
          notes.append(subject)
          counts["git commit", default: 0] += 1
        }
      } catch {
        lock.withLock { counts["git gave up", default: 0] += 1 }
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
    lock.withLock { failures.append("\(subject) could not be committed") }
  }
}
