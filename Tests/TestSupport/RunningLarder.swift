public import Foundation

/// A `larder` that goes on running, such as a watch, until it is told to end.
public final class RunningLarder {
  private let process: Process
  private let drafts: Folder

  fileprivate init(_ process: Process, _ drafts: Folder) {
    self.process = process
    self.drafts = drafts
  }

  deinit {
    if !hasExited { kill(process.processIdentifier, SIGKILL) }
  }

  public var processIdentifier: Int32 { process.processIdentifier }

  /// Whether it has ended, though programs that it has started may still run.
  public var hasExited: Bool {
    guard process.isRunning else { return true }
    var information = siginfo_t()
    // What is waited for stays there for Foundation to find.
    let options = WEXITED | WNOHANG | WNOWAIT
    let status = waitid(P_PID, id_t(process.processIdentifier), &information, options)
    return status != 0 || information.si_signo != 0
  }

  /// What it has written to standard error so far.
  public func errors() throws -> String { try drafts.read("err") }

  /// Waits until a line holds a text so many times; false where it never does.
  public func says(_ text: String, times: Int = 1, within seconds: Double = 40) throws -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      if try errors().ranges(of: text).count >= times { return true }
      guard !hasExited else { break }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return try errors().ranges(of: text).count >= times
  }

  /// Sends a signal and gives the exit code; -1 where it takes no notice, and is killed.
  public func end(_ signal: Int32 = SIGTERM) -> Int32 {
    if !hasExited { kill(process.processIdentifier, signal) }
    let end = Date(timeIntervalSinceNow: 30)
    while !hasExited, Date() < end { Thread.sleep(forTimeInterval: 0.02) }
    if !hasExited { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}

extension CommandRunner {
  /// Starts larder on words and leaves it running.
  public func start(_ words: String..., in place: String = "") throws -> RunningLarder {
    let drafts = try Folder()
    let process = try process(words, in: place, drafts: drafts)
    try process.run()
    return RunningLarder(process, drafts)
  }
}
