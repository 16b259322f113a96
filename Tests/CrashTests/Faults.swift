import Foundation
import TestSupport

/// What happens to a process at one of its steps.
enum Fault: Hashable, CustomStringConvertible {
  /// Who is killed at a step of a program: the process that takes it, the larder that was started
  /// first, or every process.
  enum Victim: String { case one, parent, all }

  case kill(Victim)
  /// Half of what is to be written is, before the kill.
  case halfWrite
  /// The step fails, and the next ones don't.
  case failure(Int32)
  /// From the step on, everything fails.
  case failures(Int32)

  var isKill: Bool {
    switch self {
    case .kill, .halfWrite: true
    case .failure, .failures: false
    }
  }

  var description: String {
    switch self {
    case .kill(let victim): "kill \(victim.rawValue)"
    case .halfWrite: "half a write, then a kill"
    case .failure(let code): "one failure: \(String(cString: strerror(code)))"
    case .failures(let code): "failures from then on: \(String(cString: strerror(code)))"
    }
  }

  fileprivate var variables: [String: String] {
    switch self {
    case .kill(let victim): ["FAULTS_KIND": "kill", "FAULTS_WHOM": victim.rawValue]
    case .halfWrite: ["FAULTS_KIND": "half", "FAULTS_WHOM": "one"]
    case .failure(let code): ["FAULTS_KIND": "error", "FAULTS_ERRNO": "\(code)"]
    case .failures(let code): ["FAULTS_KIND": "errors", "FAULTS_ERRNO": "\(code)"]
    }
  }
}

/// A change that a process made, or was about to make, to a file.
struct Step: CustomStringConvertible {
  /// The place among the changes of all processes, from 1.
  let number: Int
  let program: String
  let call: String
  let path: String

  var description: String { "\(program): \(call) \(path)" }
}

/// The small library that is loaded before the C library and counts the changes a program makes.
struct Faults {
  /// Why there is none; nil where there is.
  static let missing: String? = library == nil ? "no C compiler made the library of faults" : nil

  private static let folder: Folder? = try? Folder()
  private static let library: String? = compiled()

  private static func compiled() -> String? {
    #if !canImport(Darwin)
      guard let folder else { return nil }
      let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "faults.c")
      let library = folder("faults.so")
      for compiler in ["cc", "clang", "gcc"] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
          compiler, "-shared", "-fPIC", "-O1", "-o", library, source.path(), "-ldl",
        ]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { continue }
        process.waitUntilExit()
        if process.terminationStatus == 0 { return library }
      }
    #endif
    return nil
  }

  /// Runs larder with a fault at one of its steps, which begin with 1; without one, only lists them.
  ///
  /// Comes back when all that it started is gone too.
  static func run(
    _ words: [String], in place: String, of world: World, _ fault: Fault? = nil, at step: Int = 0
  ) throws -> (outcome: CommandRunner.Outcome, steps: [Step]) {
    try run(words, in: place, world.larder, below: World.places + World.made, fault, at: step)
  }

  /// Does it for any folders of a runner, whose changes count: those of one program, or of all.
  ///
  /// Several programs of git work at once, so the order of all steps differs from run to run.
  static func run(
    _ words: [String], in place: String, _ larder: CommandRunner, below places: [String],
    by program: String? = nil, _ fault: Fault? = nil, at step: Int = 0
  ) throws -> (outcome: CommandRunner.Outcome, steps: [Step]) {
    let drafts = try Folder()
    let counter = drafts("counter")
    try Data(count: 4096).write(to: URL(filePath: counter))
    try drafts.write("", to: "log")
    var larder = larder
    let root = larder.folder.path
    let variables = [
      "LD_PRELOAD": library ?? "", "FAULTS_FILE": counter, "FAULTS_LOG": drafts("log"),
      "FAULTS_ROOTS": places.map { "\(root)/\($0)" }.joined(separator: ":"),
      "FAULTS_AT": "\(step)",
    ].merging(fault?.variables ?? [:]) { $1 }
    larder.variables.merge(variables) { $1 }
    larder.variables["FAULTS_OF"] = program
    let outcome = try larder.run(words, in: place)
    waitForOthers(counter)
    let steps = try drafts.read("log").split(separator: "\n").map { line in
      let words = line.split(separator: "\t", maxSplits: 3).map(String.init)
      return Step(
        number: Int(words[0]) ?? 0, program: words[1], call: words[2],
        path: words[3].replacing(root + "/", with: ""))
    }
    // Two processes may write to the log in another order.
    return (outcome, steps.sorted { $0.number < $1.number })
  }

  /// Returns a runner whose programs think that the system was started again, as what a file says.
  static func restarted(_ larder: CommandRunner, bootID file: String) -> CommandRunner {
    var larder = larder
    larder.variables.merge(["LD_PRELOAD": library ?? "", "FAULTS_BOOT": file]) { $1 }
    return larder
  }

  /// Every process that has the library holds a lock on the counter.
  private static func waitForOthers(_ counter: String) {
    #if !canImport(Darwin)
      let descriptor = open(counter, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      close(descriptor)
    #endif
  }
}
