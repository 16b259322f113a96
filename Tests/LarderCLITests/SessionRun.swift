import Foundation
import LarderModel
import TestSupport
import Testing

/// A household in which a session happens, with a clock that goes on by a minute with each command.
struct SessionRun {
  private(set) var nest: Nest
  /// The folder in which the next command is typed, below that of all files.
  private var place = "nest"
  private var isIncluded = false

  init(fault: CacheFault = .none) throws {
    nest = Nest(larder: try CommandRunner.calling(), fault: fault)
    try FileManager.default.copyItem(
      atPath: Self.template.larder.folder("nest"), toPath: nest.larder.folder("nest"))
  }

  /// Made once: starting a household anew for every session would only cost time.
  private static let template: Nest = {
    do {
      return try Nest()
    } catch {
      fatalError("no household to test with: \(error)")
    }
  }()

  /// Does all of a session, and gives it with the answers that came.
  mutating func replay(_ session: Session) throws -> String {
    var steps = session.steps
    for index in steps.indices {
      switch steps[index].kind {
      case .words: break
      case .include(let name):
        isIncluded = true
        _ = try replay(Session(name))
        isIncluded = false
      case .file(let path): try write(steps[index].body, to: path)
      case .command(let line):
        let answer = try answer(to: line, steps[index])
        steps[index].body = try normalized(answer)
      }
    }
    return Session.text(of: steps)
  }

  /// Writes a file as a person would, before the next command.
  private func write(_ text: String, to path: String) throws {
    let file = "\(place)/\(path)"
    try nest.larder.folder.write(text, to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Self.date(nest.larder.now)],
      ofItemAtPath: nest.larder.folder(file))
  }

  private static func date(_ instant: String) throws -> Date {
    let now = try #require(Instant(instant))
    return Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
  }

  private mutating func answer(to line: String, _ step: Session.Step) throws -> String {
    if let folder = line.wholeMatch(of: /cd (\S+)/)?.output.1 {
      let path = ("/\(place)/\(folder)" as NSString).standardizingPath
      place = String(path.dropFirst())
      // Another device's household is in a folder that has the device's name.
      nest.larder.device = ["nest", ""].contains(place) ? "laptop" : place
      return ""
    }
    if let set = line.wholeMatch(of: /export (\w+)=(\S*)/)?.output {
      nest.larder.set(String(set.1), String(set.2))
      return ""
    }
    // What is included may grow, and changes no time of what comes after it.
    if !isIncluded { nest.larder.now = try nest.after(1) }
    let outcome =
      if let call = Call(line) { try run(call, step.input) } else { try shell(step) }
    var answer = outcome.output + outcome.errors
    if !answer.isEmpty, !answer.hasSuffix("\n") { answer += "\n(no end of the line)\n" }
    if outcome.code != 0 { answer += "(exit code \(outcome.code))\n" }
    return answer
  }

  private func run(_ call: Call, _ input: String) throws -> CommandRunner.Outcome {
    try nest.fault.happen(in: nest.larder.folder("nest/.git/larder"))
    var larder = nest.larder
    for (name, value) in call.variables { larder.set(name, value) }
    return try larder.run(call.words, in: place, input: input)
  }

  /// Lets the shell do what is no plain call of larder, with git's real program.
  private func shell(_ step: Session.Step) throws -> CommandRunner.Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let lines = step.head.map { $0.count > 1 ? String($0.dropFirst(2)) : "" }
    process.arguments = ["-c", lines.joined(separator: "\n")]
    let programs = CommandRunner.program.deletingLastPathComponent().path()
    var environment = Git.environment.merging(nest.larder.environment) { $1 }
    environment["PATH"] = programs + ":" + (environment["PATH"] ?? "")
    environment["GIT_AUTHOR_DATE"] = nest.larder.now
    environment["GIT_COMMITTER_DATE"] = nest.larder.now
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: nest.larder.folder(place))
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return CommandRunner.Outcome(code: process.terminationStatus, output: text, errors: "")
  }

  /// An answer without what differs between runs.
  private func normalized(_ answer: String) throws -> String {
    var text = nest.normalized(answer)
      // How long a connection took is the machine's.
      .replacing(#/after \d+ ms/#, with: "after 0 ms")
    guard text.contains(/\b[0-9a-f]{7}\b/) else { return text }
    let commits = try Git.run(
      "rev-list", "--all", "--reflog", in: nest.larder.folder("nest"))
    for commit in commits.split(separator: "\n") {
      text = text.replacing(commit.prefix(7), with: "COMMIT")
    }
    return text
  }
}

/// A line that only calls larder: with variables before it, and at most a text to read.
private struct Call {
  var variables: [(name: String, value: String)] = []
  let words: [String]

  init?(_ line: String) {
    var rest = Substring(line)
    while let set = rest.prefixMatch(of: #/([A-Z_]+)=(\S*) /#) {
      variables.append((String(set.output.1), String(set.output.2)))
      rest = rest[set.range.upperBound...]
    }
    rest.trimPrefix("larder")
    guard rest.isEmpty || rest.hasPrefix(" "), rest.count < line.count else { return nil }
    if rest.hasSuffix(" <<END") { rest = rest.dropLast(6) }
    var quote: Character?
    for character in rest {
      if character == quote {
        quote = nil
      } else if quote == nil, "'\"".contains(character) {
        quote = character
      } else if quote == nil, "|<>;&*$".contains(character) {
        return nil
      }
    }
    words = shellWords(String(rest))
  }
}

extension CommandRunner {
  /// Sets a variable of the next runs.
  fileprivate mutating func set(_ name: String, _ value: String) {
    switch name {
    case "LARDER_NOW": now = value
    case "LARDER_DEVICE": device = value
    default: variables[name] = value
    }
  }
}
