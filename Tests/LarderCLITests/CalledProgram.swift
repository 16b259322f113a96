import Foundation
import LarderKit
import TestSupport

@testable import LarderCLI
import Libc

extension CommandRunner {
  /// A runner that calls the program's code in the process of the tests, instead of starting it.
  ///
  /// Three things belong to the whole process. The folder it is in: each call has a thread of its own,
  /// which is in a folder of its own. The variables that git reads: `Tests/SystemSteps` sets them for all
  /// calls. What to do at a signal. So some runs are processes all the same: one with variables of its
  /// own, one that becomes git, one that waits for signals, and one that talks to the cloud, which
  /// other threads work for.
  static func calling(now: String = "2026-11-21T12:00:00Z") throws -> CommandRunner {
    try CommandRunner(now: now, call: CalledProgram.call)
  }

  /// Returns the outcome of a call, and the processor time of its thread.
  func timed(
    _ words: [String], in place: String
  ) throws -> (outcome: Outcome, seconds: Double)? {
    let run = CalledProgram.run(self, words, folder(place), "")
    return run.outcome.map { ($0, run.seconds) }
  }
}

/// The program as a call of its code.
private enum CalledProgram {
  private static let needProcess: Set<String> = ["git", "watch", "serve", "cloud"]

  @Sendable static func call(
    _ larder: CommandRunner, _ words: [String], _ folder: String, _ input: String
  ) throws -> CommandRunner.Outcome? {
    guard larder.variables.isEmpty, needProcess.isDisjoint(with: words) else { return nil }
    return run(larder, words, folder, input).outcome
  }

  static func run(
    _ larder: CommandRunner, _ words: [String], _ folder: String, _ input: String
  ) -> Run {
    let run = Run(larder, words, folder, input)
    // A thread of its own is in a folder of its own.
    let thread = Thread { run.start() }
    thread.stackSize = 8 << 20
    thread.start()
    guard run.isOver(within: CommandRunner.patience) else {
      fatalError("larder \(words.joined(separator: " ")) hangs")
    }
    return run
  }

  final class Run: @unchecked Sendable {
    private let larder: CommandRunner
    private let words: [String]
    private let folder: String
    private let input: String
    private let end = DispatchSemaphore(value: 0)
    /// Nil where the thread could not go to the folder alone.
    private(set) var outcome: CommandRunner.Outcome?
    private(set) var seconds = 0.0

    init(_ larder: CommandRunner, _ words: [String], _ folder: String, _ input: String) {
      self.larder = larder
      self.words = words
      self.folder = folder
      self.input = input
    }

    func isOver(within seconds: Double) -> Bool { end.wait(timeout: .now() + seconds) == .success }

    func start() {
      defer { end.signal() }
      guard isAlone() else { return }
      let output = Recorder()
      let errors = Recorder()
      let answers = Answers(input)
      let program = Program(
        root: Root.command, version: Root.version,
        environment: Environment(
          larder.environment, program: CommandRunner.program.path(percentEncoded: false)),
        terminal: .none,
        standardInput: LineSource(
          readLine: { answers.next() }, readHiddenLine: { answers.next() }),
        standardOutput: output.sink, standardError: errors.sink,
        describe: { await MessageWords.errorWords(for: $0, of: $1) },
        tried: TriedWords(environment: Environment(larder.environment)).meaning,
        expand: { [environment = larder.environment] in
          Aliases.expanded($0, Root.command, Environment(environment))
        },
        mends: AutoSync.asks(for:of:))
      var code: Int32 = 0
      seconds = processorSeconds { code = program.run(words) }
      outcome = CommandRunner.Outcome(code: code, output: output.text, errors: errors.text)
    }

    /// Goes to the folder with this thread alone.
    private func isAlone() -> Bool {
      #if canImport(Darwin)
        Self.changeFolder.map { $0(folder) == 0 } ?? false
      #else
        Self.unshare.map { $0(Self.cloneFS) == 0 && chdir(folder) == 0 } ?? false
      #endif
    }

    // Swift has neither of them. The latter needs no right, but may be forbidden in a container.
    #if canImport(Darwin)
      private static let changeFolder = dlsym(dlopen(nil, RTLD_NOW), "pthread_chdir_np").map {
        unsafeBitCast($0, to: (@convention(c) (UnsafePointer<CChar>) -> Int32).self)
      }
    #else
      private static let cloneFS: Int32 = 0x200
      private static let unshare = dlsym(nil, "unshare").map {
        unsafeBitCast($0, to: (@convention(c) (Int32) -> Int32).self)
      }
    #endif
  }
}

extension Answers {
  /// The lines of a text.
  fileprivate convenience init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    self.init(lines)
  }
}
