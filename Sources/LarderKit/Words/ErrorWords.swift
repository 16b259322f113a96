/// What to tell people about an error: a sentence, all mistakes that were found, and what to do next.
///
/// ``init(_:root:isShallow:isPartial:)`` makes the words of any error of the libraries. The hints
/// name commands of the program `larder`.
public struct ErrorWords: Error, Sendable, Equatable {
  public var kind: ErrorKind
  /// The failure and its reason, without a full stop.
  public var message: String
  /// All mistakes that were found.
  public var problems: [Problem]
  /// The next steps, one sentence each.
  public var hints: [String]
  /// The unknown names, if they are the only problem; an app may offer to make these things.
  public var unknownNames: [String] = []
  /// Whether the error is about a broken or refused file, so a warning about that file is not needed.
  package var tellsOfUntakenFile = false

  /// Creates the words for an error.
  ///
  /// With the household's folder, a mistake in a file has its line. In a shallow or a partial clone,
  /// something missing may only be missing here. Passwords and tokens in addresses are left out.
  public init(
    _ error: any Error, root: String? = nil, isShallow: Bool = false, isPartial: Bool = false
  ) {
    self =
      MessageWords(root: root, isShallow: isShallow, isPartial: isPartial)
      .errorWords(for: error).withoutSecrets
  }

  /// Creates the words of a message with what to do next.
  package init(
    _ kind: ErrorKind, _ message: String, _ hints: String..., problems: [Problem] = []
  ) {
    self.init(kind, message, problems: problems, hints: hints)
  }

  package init(
    _ kind: ErrorKind, _ message: String, problems: [Problem] = [], hints: [String]
  ) {
    self.kind = kind
    self.message = message
    self.problems = problems
    self.hints = hints
  }

  /// A copy that is marked as an error about a broken or refused file.
  var tellingOfUntakenFile: ErrorWords {
    var error = self
    error.tellsOfUntakenFile = true
    return error
  }

  /// The words without the passwords and tokens in URLs that people typed.
  package var withoutSecrets: ErrorWords {
    var error = self
    error.message = Larder.withoutSecrets(message)
    for index in problems.indices {
      error.problems[index].message = Larder.withoutSecrets(problems[index].message)
    }
    error.hints = hints.map(Larder.withoutSecrets)
    return error
  }
}

/// An error whose words need nothing of the household.
package protocol HasErrorWords: Error {
  var errorWords: ErrorWords { get }
}

extension ErrorWords: HasErrorWords {
  package var errorWords: ErrorWords { self }
}

/// The kind of a failure, for programs.
///
/// The raw value is the stable name in JSON.
public enum ErrorKind: String, Sendable, CaseIterable {
  case failed
  /// What was asked for can't be read, or makes no sense.
  case usage
  case notFound
  /// A name could be several things.
  case ambiguous
  case notAllowed
  /// The household's data, or what others gave, is broken.
  case invalidData
  /// A remote or the cloud can't be reached.
  case unreachable
  /// Another process is at work.
  case locked
  /// A commit of others is refused.
  case refused
}

/// A single problem, with its position if it is in a file.
public struct Problem: Sendable, Equatable {
  /// The severity; errors and warnings make a check fail.
  public enum Severity: String, Sendable {
    case error
    case warning
    /// Possibly correct; no command fails for it.
    case note
  }

  /// The file, relative to the household's folder.
  public var path: String?
  /// The line, from 1.
  public var line: Int?
  /// The column, from 1, counted in Unicode scalars.
  public var column: Int?
  public var message: String
  /// The line of the file, without its line ending.
  public var sourceLine: String?
  public var severity: Severity

  package init(
    _ message: String, path: String? = nil, line: Int? = nil, column: Int? = nil,
    sourceLine: String? = nil, severity: Severity = .error
  ) {
    self.message = message
    self.path = path
    self.line = line
    self.column = column
    self.sourceLine = sourceLine
    self.severity = severity
  }

  /// The position as `path:line:column`, as far as it is known; nil without a path.
  public var place: String? {
    guard let path else { return nil }
    let numbers = [line, line == nil ? nil : column].compactMap { $0 }
    return ([path] + numbers.map(String.init)).joined(separator: ":")
  }
}
