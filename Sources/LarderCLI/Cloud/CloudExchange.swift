import LarderKit
import Libc

/// `larder cloud push`, `pull` and `retry`: one direction at a time.
enum CloudExchange {
  static let limit = Option("limit", value: "N", help: "send N things at most")
  static let operation = Option(
    "operation", value: "O", values: .suggested(PendingOperation.allCases.map(\.word)),
    isRepeatable: true, help: "send only this kind of change: \(PendingOperation.words)")

  static let push = Command(
    "cloud push", options: [limit, operation], records: [Column.named.form()]
  ) { invocation in
    let most = try invocation.most(limit)
    let operations = try invocation.all(operation).map { word in
      guard let meant = PendingOperation(typed: word) else {
        throw invocation.unreadable(
          word, for: operation.spelling, "one of \(PendingOperation.words) is needed")
      }
      return meant
    }
    try await invocation.withCloud { cloud in
      let outcome = try await cloud.push(
        limit: most, operations: operations.isEmpty ? nil : Set(operations))
      try CloudWords.report(outcome, invocation.output)
    }
  }
  .explained("{tries}", "\(Outbox.mostRefusals)")

  static let expiring = Option(
    "expiring", value: "DAYS", implied: "14",
    help: "only what expires within DAYS days; quick on a new device, once a day")
  static let again = Option("again", help: "with --expiring: even if it was already done today")

  static let pull = Command(
    "cloud pull", options: [expiring, again], records: [Column.named.form()]
  ) { invocation in
    let days = try invocation.daysAhead(expiring)
    try await invocation.withCloud { cloud in
      guard let days else { return CloudWords.report(try await cloud.pull(), invocation.output) }
      CloudWords.report(
        try await cloud.pull(expiringWithinDays: days, again: invocation.has(again)),
        invocation.output)
    }
  }

  static let retry = Command("cloud retry", records: [Column.named.form()]) { invocation in
    try await invocation.withCloud { cloud in
      try await CloudWords.report(try cloud.retry(), invocation.output)
    }
  }
}

extension Invocation {
  /// Runs `body` with the household's project.
  func withCloud<Value: Sendable>(
    _ body: @Sendable (Cloud) async throws -> Value
  ) async throws -> Value {
    try await withLarder { larder in try await body(try larder.connectedCloud()) }
  }
}

extension PendingOperation {
  /// The word that people type for it.
  fileprivate var word: String { self == .consume ? "use" : rawValue }

  fileprivate static let words = allCases.map(\.word).joined(separator: ", ")

  /// Creates the operation of a typed word, or of its name in `--json`.
  fileprivate init?(typed word: String) {
    guard let found = Self.allCases.first(where: { [$0.word, $0.rawValue].contains(word) })
    else { return nil }
    self = found
  }
}

/// The automatic sync after commands, which `larder config autoSync yes` turns on.
///
/// It runs in the background; a command waits only if it did not find what it looked for in the cloud.
enum AutoSync {
  static let command = Command("cloud auto", isHidden: true) { invocation in
    // Without a terminal, nothing can ask there, and closing it ends nothing.
    setsid()
    try await invocation.withLarder { larder in
      try await larder.syncInBackground()
    }
  }

  /// Starts a sync in the background if one is due, after a command that wrote, or that read
  /// data that may be old; tells of the last one if it failed.
  static func startIfDue(for larder: isolated Larder, _ invocation: Invocation) {
    do {
      guard !syncsItself(invocation) else { return }
      if invocation.path.last != StatusCommand.command.name {
        let untold = try larder.takeUntoldSyncFailures()
        let time = untold.isEmpty ? nil : LocalTime(of: try larder.committed())
        for sentence in untold.compactMap({ standing in time.flatMap(standing.sentence) }) {
          invocation.output.warn("\(sentence); 'larder sync' tries again")
        }
      }
      guard try larder.takesBackgroundSync() else { return }
      try OwnProgram.startBehind(
        ["-C", larder.root, CloudCommand.command.name, command.name], invocation.environment)
    } catch {
      // The command itself has already succeeded.
      invocation.output.warn("can't start a sync in the background; 'larder sync' does the same")
    }
  }

  /// Asks the cloud for what a command did not find, and returns whether to run the command again.
  @Sendable static func asks(for error: any Error, of invocation: Invocation) async -> Bool {
    guard (error as? ErrorWords)?.kind == .notFound || error is NamingError else { return false }
    do {
      guard !syncsItself(invocation), !invocation.has(Rehearsal.option) else { return false }
      return try await invocation.open().asksForMissing()
    } catch {
      // The command then reports that nothing was found, as it does without a cloud.
      return false
    }
  }

  private static func syncsItself(_ invocation: Invocation) -> Bool {
    invocation.path.contains(CloudCommand.command.name)
      || invocation.path.contains(SyncCommand.command.name)
  }
}
