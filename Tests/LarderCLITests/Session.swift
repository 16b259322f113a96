import Foundation
import TestSupport

/// A file of `Tests/Sessions`: what somebody writes and types, and what larder says to it.
///
/// The form is that of CONTRIBUTING, "A session".
struct Session {
  static let folder = Checkout.root.appending(path: "Tests/Sessions")

  /// What is done, and what it says or has in it.
  struct Step {
    enum Kind {
      /// Sentences for the reader.
      case words
      /// All steps of another session, before this one begins.
      case include(String)
      case file(String)
      case command(String)
    }

    let kind: Kind
    /// The lines as they are in the file.
    var head: [String]
    /// A file's content, or a command's answer, with the end of its last line.
    var body = ""
  }

  let name: String
  let text: String
  let steps: [Step]

  init(_ name: String) throws {
    self.name = name
    text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    steps = Self.steps(of: text)
  }

  /// The names of all sessions, or of those that begin like the variable `SESSIONS`.
  static let names: [String] = {
    let wanted = ProcessInfo.processInfo.environment["SESSIONS"] ?? ""
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path())) ?? []
    return paths.filter { $0.hasSuffix(".txt") && $0.hasPrefix(wanted) }.sorted()
  }()

  /// The session as it is written.
  static func text(of steps: [Step]) -> String {
    var text = ""
    var isApart = true
    for step in steps {
      if case .command = step.kind {} else if !isApart { text += "\n" }
      text += step.head.map { $0 + "\n" }.joined() + step.body
      isApart = if case .command = step.kind { !step.body.isEmpty } else { true }
      if isApart { text += "\n" }
    }
    while text.hasSuffix("\n\n") { text.removeLast() }
    return text
  }

  private static func steps(of text: String) -> [Step] {
    var steps: [Step] = []
    var former = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let kind = kind(of: line, after: former) {
        steps.append(Step(kind: kind, head: [line]))
      } else if let last = steps.indices.last {
        steps[last].take(line)
      }
      former = line
    }
    return steps.map { $0.withoutRoom() }
  }

  private static func kind(of line: String, after former: String) -> Step.Kind? {
    if line.hasPrefix("$ ") { return .command(String(line.dropFirst(2))) }
    if let file = line.wholeMatch(of: /-- (\S+) --/) { return .file(String(file.output.1)) }
    guard former.isEmpty else { return nil }
    if line.hasPrefix("# ") { return .words }
    return line.wholeMatch(of: /include (\S+)/).map { .include(String($0.output.1)) }
  }
}

extension Session.Step {
  /// What a command gets to read: the lines behind `> `, without the last one, which ends them.
  var input: String {
    head.dropFirst().dropLast().map { $0.dropFirst(2) + "\n" }.joined()
  }

  fileprivate mutating func take(_ line: String) {
    let belongsToHead =
      switch kind {
      case .words: line.hasPrefix("#")
      case .command: body.isEmpty && line.hasPrefix(">")
      case .include, .file: false
      }
    if belongsToHead { head.append(line) } else { body += line + "\n" }
  }

  /// The step without the empty lines before the next one, which are the form's own.
  fileprivate func withoutRoom() -> Self {
    var step = self
    while step.body.hasSuffix("\n\n") { step.body.removeLast() }
    if step.body == "\n" { step.body = "" }
    return step
  }
}
