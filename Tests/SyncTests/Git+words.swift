import Foundation
import Libc
import TestSupport

extension Git {
  struct WordsFailure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs git in a folder, as `run` does, with a list of words.
  ///
  /// Foundation's `Process` takes some hundred milliseconds to notice that a child has ended, and
  /// the random tests run thousands.
  @discardableResult
  static func run(words: [String], in folder: String, at date: String? = nil) throws -> String {
    var environment = environment
    if let date {
      environment["GIT_AUTHOR_DATE"] = date
      environment["GIT_COMMITTER_DATE"] = date
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw WordsFailure(description: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var git = ChildProcess(["git", "-C", folder] + words)
    git.input = .nothing
    git.output = .descriptor(ends[1])
    git.complaint = .descriptor(ends[1])
    git.environment = environment.map { "\($0.key)=\($0.value)" }
    let child = try? git.start()
    close(ends[1])
    let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    guard let child else { throw WordsFailure(description: "git can't be started") }
    guard ChildProcess.end(of: child) == 0 else {
      throw WordsFailure(description: "git \(words.joined(separator: " ")): \(text)")
    }
    return text
  }
}
