extension CloudError {
  /// The code of a refusal.
  var code: String? { if case .rejected(let refusal) = self { refusal.code } else { nil } }

  /// The code and the server's message, for the outbox; it never includes the row.
  var shortText: String {
    switch self {
    case .rejected(let refusal):
      [refusal.code ?? String(refusal.status), refusal.message].compactMap(\.self)
        .joined(separator: ": ")
    case .conflict(let code, let message), .forbidden(let code, let message),
      .schemaMismatch(let code, let message):
      "\(code): \(message)"
    case .server(let status, let code, _): code ?? String(status)
    case .malformedAnswer(.tooLong): "the project has more of it than a file may hold"
    case .malformedAnswer: "what the project has of it is nothing that a file may be"
    default: "no answer"
    }
  }
}
