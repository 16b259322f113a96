import LarderKit

/// What `--verbose` and `LARDER_LOG` tell of, layer by layer.
enum LogLayer: String, CaseIterable {
  /// The household's files and commits.
  case store
  /// Remotes of git.
  case git
  /// What exchanges with the project read and send.
  case cloud
  /// Each request to the project.
  case http

  /// The layers that are asked for: a list of their names, or `all`.
  static func wanted(_ text: String?, isVerbose: Bool) -> Set<LogLayer> {
    if isVerbose || text == "all" || text == "1" { return Set(allCases) }
    return Set((text ?? "").split(separator: ",").compactMap { LogLayer(rawValue: String($0)) })
  }
}

extension Invocation {
  /// Says on standard error what a layer does, where that was asked for.
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
      ?? note.error.map { Prose().commandError(for: $0).message } ?? "no answer"
    log(.http, "\(note.method.rawValue) \(note.path): \(outcome), \(milliseconds) ms")
  }
}
