/// One thing wrong, with its place where a file is at fault.
struct Problem: Sendable, Equatable {
  /// Whether it makes a command fail.
  enum Severity: String, Sendable {
    case error
    case warning
    /// Nothing need be wrong at all; no command fails for it.
    case note
  }

  /// The file, relative to the household's folder.
  var path: String?
  /// From 1.
  var line: Int?
  /// From 1, counted in Unicode scalars.
  var column: Int?
  var message: String
  /// The line at fault as it is in the file, without its line ending.
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

  /// The place as `path:line:column`, as far as it is known; nil without a path.
  var place: String? {
    guard let path else { return nil }
    let numbers = [line, line == nil ? nil : column].compactMap { $0 }
    return ([path] + numbers.map(String.init)).joined(separator: ":")
  }
}
