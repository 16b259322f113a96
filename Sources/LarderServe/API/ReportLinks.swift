internal import Synchronization

/// Links to the report, each for one look within a minute: a page that is opened beside the app can't
/// send the phone's token.
final class ReportLinks: Sendable {
  private let keys = Mutex<[String: ContinuousClock.Instant]>([:])

  func link() -> String {
    let key = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
    keys.withLock { keys in
      keys = keys.filter { $0.value > .now }
      keys[key] = .now + .seconds(60)
    }
    return "/report/\(key)"
  }

  func take(_ key: String) -> Bool {
    keys.withLock { keys in keys.removeValue(forKey: key).map { $0 > .now } ?? false }
  }
}
