import LarderKit

/// The automatic exchange after commands, which `larder config autoSync yes` turns on.
///
/// It runs in the background; a command waits only if it did not find what it looked for.
enum AutoSync {
  static let command = Command(
    "auto", summary: "Exchange with the cloud in the background",
    discussion: """
      With 'larder config autoSync yes', commands start it in the background. It prints nothing, \
      even if the project can't be reached: pending changes wait, and 'larder cloud status' shows \
      them.
      """,
    isHidden: true
  ) { invocation in
    try invocation.withLarder { larder in try larder.exchangeInBackground() }
  }

  /// Starts an exchange in the background if one is due, after a command that wrote, or that read
  /// data that may be old.
  static func startIfDue(for larder: Larder, _ invocation: Invocation) {
    do {
      guard !asksItself(invocation), try larder.takesBackgroundExchange() else { return }
      try OwnProgram.startBehind(
        ["-C", larder.root, CloudCommand.command.name, command.name], invocation.environment)
    } catch {
      // The command itself has already succeeded.
      invocation.output.warn("can't start asking the cloud; 'larder sync' does the same")
    }
  }

  /// Asks the cloud for what a command did not find, and returns whether to run the command again.
  @Sendable static func asks(for error: any Error, of invocation: Invocation) -> Bool {
    guard (error as? CommandError)?.kind == .notFound || error is NamingError else { return false }
    do {
      guard !asksItself(invocation), !invocation.has(Rehearsal.option) else { return false }
      return try invocation.open().asksForMissing()
    } catch {
      // The command then reports that nothing was found, as it does without a cloud.
      return false
    }
  }

  private static func asksItself(_ invocation: Invocation) -> Bool {
    invocation.path.contains(CloudCommand.command.name)
      || invocation.path.contains(SyncCommand.command.name)
  }
}
