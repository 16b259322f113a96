import Foundation
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
    let child = spawn(["git", "-C", folder] + words, environment, output: ends[1])
    close(ends[1])
    let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    guard let child else { throw WordsFailure(description: "git can't be started") }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      throw WordsFailure(description: "git \(words.joined(separator: " ")): \(text)")
    }
    return text
  }

  private static func spawn(
    _ words: [String], _ environment: [String: String], output: Int32
  ) -> pid_t? {
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    for descriptor in Int32(3)...40 where descriptor != output {
      guard fcntl(descriptor, F_GETFD) >= 0 else { continue }
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    posix_spawn_file_actions_addclose(&actions, output)
    var child: pid_t = 0
    return posix_spawnp(&child, "git", &actions, nil, &arguments, &variables) == 0 ? child : nil
  }
}
