import LarderKit
import Libc

/// The automatic sync after commands, which `larder config autoSync yes` turns on.
///
/// It runs in the background; a command waits only if it did not find what it looked for in the cloud.
enum AutoSync {
  static let command = Command("cloud auto", isHidden: true) { invocation in
    // Without a terminal, nothing can ask there, and closing it ends nothing.
    setsid()
    try invocation.withLarder { larder in
      do {
        try larder.syncInBackground()
      } catch StoreError.locked {
        // Another sync is at work.
      } catch {
        let failure = MessageWords(about: larder).commandError(for: error).withoutSecrets
        try larder.noteBackgroundFailure(failure.message)
      }
    }
  }

  /// Starts a sync in the background if one is due, after a command that wrote, or that read
  /// data that may be old; tells of the last one if it failed.
  static func startIfDue(for larder: Larder, _ invocation: Invocation) {
    do {
      guard !syncsItself(invocation) else { return }
      if invocation.path.last != StatusCommand.command.name,
        let failure = try larder.takeUntoldBackgroundFailure()
      {
        invocation.output.warn(sentence(about: failure))
      }
      guard try larder.takesBackgroundSync() else { return }
      try OwnProgram.startBehind(
        ["-C", larder.root, CloudCommand.command.name, command.name], invocation.environment)
    } catch {
      // The command itself has already succeeded.
      invocation.output.warn("can't start a sync in the background; 'larder sync' does the same")
    }
  }

  /// The sentence of the next command and of `status`.
  static func sentence(about failure: String) -> String {
    "the last sync in the background failed: \(failure); 'larder sync' tries again"
  }

  /// Asks the cloud for what a command did not find, and returns whether to run the command again.
  @Sendable static func asks(for error: any Error, of invocation: Invocation) -> Bool {
    guard (error as? CommandError)?.kind == .notFound || error is NamingError else { return false }
    do {
      guard !syncsItself(invocation), !invocation.has(Rehearsal.option) else { return false }
      return try invocation.open().asksForMissing()
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
