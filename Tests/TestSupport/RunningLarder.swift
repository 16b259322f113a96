public import Foundation

/// A `larder` that keeps running, such as a watch, until it is ended.
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

  /// Whether the process has ended, even if programs that it started are still running.
  public var hasExited: Bool {
    guard process.isRunning else { return true }
    var information = siginfo_t()
    // WNOWAIT keeps the status for Foundation.
    let options = WEXITED | WNOHANG | WNOWAIT
    let status = waitid(P_PID, id_t(process.processIdentifier), &information, options)
    return status != 0 || information.si_signo != 0
  }

  /// Returns its standard error so far.
  public func errors() throws -> String { try drafts.read("err") }

  /// Waits until standard error contains a text this many times; false if it never does.
  public func says(_ text: String, times: Int = 1, within seconds: Double = 40) throws -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      if try errors().ranges(of: text).count >= times { return true }
      guard !hasExited else { break }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return try errors().ranges(of: text).count >= times
  }

  /// Sends a signal and returns the exit code; -1 if the process ignores it and is killed.
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
  /// Starts larder with arguments and leaves it running.
  public func start(_ words: String..., in place: String = "") throws -> RunningLarder {
    let drafts = try Folder()
    let process = try process(words, in: place, drafts: drafts)
    try process.run()
    return RunningLarder(process, drafts)
  }
}
