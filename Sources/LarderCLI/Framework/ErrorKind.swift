/// The kind of a command's failure, for scripts.
///
/// The raw value is the stable name in JSON output.
enum ErrorKind: String, Sendable, CaseIterable {
  case failed
  case usage
  case notFound
  case ambiguous
  case notAllowed
  case invalidData
  case unreachable
  case locked
  /// A commit of others is refused.
  case refused

  /// The process's exit code.
  var exitCode: Int32 {
    switch self {
    case .failed: 1
    case .usage: 2
    case .notFound, .ambiguous: 3
    case .notAllowed: 4
    case .invalidData: 5
    case .unreachable: 6
    case .locked: 7
    case .refused: 8
    }
  }
}
