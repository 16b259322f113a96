/// A single problem, with its position if it is in a file.
struct Problem: Sendable, Equatable {
  /// The severity; errors and warnings make a check fail.
  enum Severity: String, Sendable {
    case error
    case warning
    /// Possibly correct; no command fails for it.
    case note
  }

  /// The file, relative to the household's folder.
  var path: String?
  /// The line, from 1.
  var line: Int?
  /// The column, from 1, counted in Unicode scalars.
  var column: Int?
  var message: String
  /// The line of the file, without its line ending.
  var sourceLine: String?
  var severity: Severity

  init(
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
  var place: String? {
    guard let path else { return nil }
    let numbers = [line, line == nil ? nil : column].compactMap { $0 }
    return ([path] + numbers.map(String.init)).joined(separator: ":")
  }
}
