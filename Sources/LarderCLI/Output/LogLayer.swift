import LarderKit

/// A layer that `--verbose` and `LARDER_LOG` can log.
enum LogLayer: String, CaseIterable {
  /// The household's files and commits.
  case store
  /// Fetches and pushes of git.
  case git
  /// The exchanges with the project.
  case cloud
  /// Each request to the project.
  case http

  /// Returns the requested layers from a list of names, or from `all`.
  static func wanted(_ text: String?, isVerbose: Bool) -> Set<LogLayer> {
    if isVerbose || text == "all" || text == "1" { return Set(allCases) }
    return Set((text ?? "").split(separator: ",").compactMap { LogLayer(rawValue: String($0)) })
  }
}

extension Invocation {
  /// Logs a layer's action on standard error if that was requested.
  func log(_ layer: LogLayer, _ text: @autoclosure () -> String) {
    let wanted = LogLayer.wanted(environment["LARDER_LOG"], isVerbose: has(GlobalOption.verbose))
    guard wanted.contains(layer) else { return }
    output.note("\(layer): \(text())")
  }

  func log(_ note: RequestNote) {
    let (seconds, attoseconds) = note.duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let outcome =
      note.answer.map { "\($0.status), \(counted($0.bytes, "byte"))" }
      ?? note.error.map { MessageWords().commandError(for: $0).message } ?? "no answer"
    log(.http, "\(note.method.rawValue) \(note.path): \(outcome), \(milliseconds) ms")
  }
}
