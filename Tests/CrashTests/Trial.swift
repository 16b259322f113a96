import Foundation
import TestSupport
import Testing

/// One run of a scenario with a fault at one step, and what has to hold afterwards.
struct Trial {
  let rehearsal: Rehearsal
  let fault: Fault
  let step: Int
  private let world: World
  private let outcome: CommandRunner.Outcome
  /// The step with the fault; nil if this run had fewer of them.
  ///
  /// Git's processes run side by side, so it may be another one than in the rehearsal.
  private let hit: Step?
  /// The steps after it.
  private let rest: [Step]

  private var scenario: Scenario { rehearsal.scenario }
  private var place: String { scenario.household }

  init(_ rehearsal: Rehearsal, _ fault: Fault, at step: Int) throws {
    self.rehearsal = rehearsal
    self.fault = fault
    self.step = step
    world = try rehearsal.world.copied()
    let scenario = rehearsal.scenario
    let run = try Faults.run(scenario.words, in: scenario.place, of: world, fault, at: step)
    outcome = run.outcome
    hit = run.steps.first { $0.number == step }
    rest = run.steps.filter { $0.number > step }
  }

  private var name: Comment {
    """
    \(scenario.name); \(fault.description) at step \(step) of \(rehearsal.steps.count): \
    \(hit?.description ?? "not reached")
    """
  }

  @discardableResult
  private func expect(_ condition: Bool, _ what: @autoclosure () -> String) -> Bool {
    #expect(condition, "\(name)\n\(what())")
    return condition
  }

  /// The step fails after the commit is made: the command says so, and that it is not to be repeated.
  func runAfterCommit() throws {
    expect(outcome.code == 1, "exit code \(outcome.code)")
    expect(
      outcome.errors.contains("error: it is done and committed as "), outcome.errors)
    expect(outcome.errors.contains("hint: don't repeat it"), outcome.errors)
    try next(["check"])
    expect(try world.picture(place) == rehearsal.after, "the next command did not finish it")
    try complete()
  }

  /// The step fails when nothing more can go wrong: the command is done.
  func runToTheEnd() throws {
    expect(outcome.code == 0, "exit code \(outcome.code): \(outcome.errors)")
    expect(try world.picture(place) == rehearsal.after, "not done")
    try complete()
  }

  /// The process is killed; whichever command comes next, reading or writing, finds the household as
  /// it was or as it was to become, and the same command again brings it there once.
  func runKilled() throws {
    // A git that is killed alone is a failure to its larder.
    if let hit, hit.program == "larder" || ![.kill(.one), .halfWrite].contains(fault) {
      expect(outcome.code == 128 + SIGKILL, "it was not killed: \(outcome)")
    }
    if scenario.words[0] != "join" { try next(step.isMultiple(of: 2) ? ["check"] : ["adopt"]) }
    try expectWhole()
    try complete()
  }

  /// A step or all from then on fail; a failure says so and leaves nothing, and afterwards all works.
  func runFailing() throws {
    expect((0...7).contains(outcome.code), "exit code \(outcome.code): \(outcome.errors)")
    let isDone = try world.picture(place) == rehearsal.after
    if outcome.code == 0 {
      if scenario.words[0] != "sync" { expect(isDone, "said to be done: \(outcome)") }
    } else {
      expect(isClear(outcome.errors), "unclear: \(outcome.errors)")
      let isCommitted = outcome.errors.contains("committed as")
      if !scenario.talksToRemote, !isCommitted {
        expect(try world.picture(place) == rehearsal.before, "half done: \(outcome.errors)")
      }
    }
    if scenario.words[0] != "join" { try next(["check"]) }
    try expectWhole()
    try complete()
  }

  private func isClear(_ errors: String) -> Bool {
    guard case .failures(let code) = fault, !scenario.talksToRemote else {
      return errors.contains("error: ") && errors.count > 20
    }
    return errors.contains("error: ") && errors.contains(String(cString: strerror(code)))
  }

  /// Runs a command that has to succeed now that nothing fails any more.
  ///
  /// A lock that git left, and only such a one, may be named by an error, and is removed then as it
  /// says.
  private func next(_ words: [String], in place: String? = nil) throws {
    var outcome = try world(place ?? self.place, words)
    for _ in 0..<5 where outcome.code != 0 {
      guard try removeNamedLock(outcome.errors) else { break }
      outcome = try world(place ?? self.place, words)
    }
    expect(outcome.code == 0, "larder \(words): exit \(outcome.code)\n\(outcome.errors)")
    if words == ["check"] {
      expect(outcome.output.isEmpty, "check: \(outcome.output)\(outcome.errors)")
    }
  }

  private func removeNamedLock(_ errors: String) throws -> Bool {
    guard isGits,
      let lock = errors.firstMatch(of: /remove (\/\S+\.lock)/)?.1
    else { return false }
    guard FileManager.default.fileExists(atPath: String(lock)) else { return false }
    try FileManager.default.removeItem(atPath: String(lock))
    return true
  }

  private func expectWhole() throws {
    let picture = try world.picture(place)
    guard picture != rehearsal.before, picture != rehearsal.after else { return }
    let paths = Set(picture.keys).union(rehearsal.after.keys).sorted()
    let other = paths.filter { picture[$0] != rehearsal.after[$0] }
    expect(
      false,
      "neither old nor new: "
        + other.map { "\($0): \(picture[$0] ?? "is not there")" }.joined(separator: "\n"))
  }

  /// Runs the command once more, unless it is done and would be done twice, and looks at everything.
  private func complete() throws {
    let isDone = try world.picture(place) == rehearsal.after
    if scenario.isRepeatable || !isDone { try next(scenario.words, in: scenario.place) }
    try next(["check"])
    expect(try world.picture(place) == rehearsal.after, "not what it was to become")
    if scenario.talksToRemote {
      try next(["sync"])
      let heads = try [place, "hub.git"].map {
        try Git.run("rev-parse", "refs/heads/main", in: world.root($0))
      }
      expect(heads[0] == heads[1], "the remote has another commit")
    }
    let status = try Git.run("status", "--porcelain", in: world.root(place))
    expect(status.isEmpty, "git status: \(status)")
    let names = try FileManager.default.contentsOfDirectory(atPath: world.larder.folder.path)
    expect(!names.contains { $0.hasSuffix(".larder-new") }, "left: \(names)")
    if isGits,
      leftovers(place).union(leftovers("hub.git")).contains(where: { $0.hasSuffix(".lock") })
    {
      // A lock that git left nobody has met yet: the next who needs it is told, and goes on.
      try next(["stock", "put", "Milk", "1"])
      try next(["sync"])
    }
    for place in Set([place, "hub.git"]) {
      let damage = try Git.run("fsck", "--no-dangling", "--no-progress", in: world.root(place))
      expect(damage.isEmpty, "git fsck: \(damage)")
      let left = leftovers(place)
      expect(left.isEmpty, "left: \(left), after the steps \(rest.prefix(5))")
    }
  }

  /// Whether the step was a step of git's.
  private var isGits: Bool { hit?.program.hasPrefix("git") ?? false }
  private var failedCall: String { hit?.call ?? "" }

  private func leftovers(_ place: String) -> Set<String> {
    let paths = FileManager.default.enumerator(atPath: world.root(place))?.compactMap {
      $0 as? String
    }
    let left = (paths ?? []).filter { path in
      let name = path.split(separator: "/").last ?? ""
      // What git and libgit2 keep objects in while they are written is theirs; git's gc removes it.
      let isObjects =
        name.hasPrefix("tmp_") || name.hasPrefix("pack_git2_")
        || path.contains("/tmp_objdir-")
      if isObjects, isGits || fault.isKill || ["unlink", "link", "rmdir"].contains(failedCall) {
        return false
      }
      // A git that may not remove its lock leaves it.
      if isGits, failedCall == "unlink" { return false }
      // Read by nobody and written over by the next cache.
      if path == ".git/larder/cache.new", fault.isKill {
        return false
      }
      return name.hasSuffix(".lock") || name.hasSuffix(".larder-new") || name.hasSuffix(".new")
        || name.contains(".larder-") || name.hasPrefix("tmp_")
        || name.contains(".conflict-")
    }
    return Set(left)
  }
}
