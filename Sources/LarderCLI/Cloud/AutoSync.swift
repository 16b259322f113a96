import LarderKit

/// What `larder config autoSync yes` does behind commands: nobody waits for it but who asks for
/// something that is not here.
enum AutoSync {
  static let command = Command(
    "auto", summary: "Exchange with the cloud in the background",
    discussion: """
      Commands start it behind them where 'larder config autoSync yes' says so. It says nothing, \
      also where the project can't be reached: what is pending waits, and 'larder cloud status' tells.
      """,
    isHidden: true
  ) { invocation in
    try invocation.withLarder { larder in try larder.exchangeInBackground() }
  }

  /// Starts an exchange behind a command that has written, or that has read what may be old.
  static func startIfDue(for larder: Larder, _ invocation: Invocation) {
    do {
      guard !asksItself(invocation), try larder.takesBackgroundExchange() else { return }
      try OwnProgram.startBehind(["-C", larder.root, CloudCommand.command.name, command.name])
    } catch {
      // The command has done what it was to do.
      invocation.output.warn("can't start asking the cloud; 'larder sync' does the same")
    }
  }

  /// Asks the cloud for what a command did not find, and returns whether to run it again.
  @Sendable static func asks(for error: any Error, of invocation: Invocation) -> Bool {
    guard (error as? CommandError)?.kind == .notFound || error is NamingError else { return false }
    do {
      guard !asksItself(invocation) else { return false }
      return try Larder.open(from: invocation.directory, invocation.context()).asksForMissing()
    } catch {
      // What is not here is told as not found, as it is without a cloud.
      return false
    }
  }

  private static func asksItself(_ invocation: Invocation) -> Bool {
    invocation.path.contains(CloudCommand.command.name)
      || invocation.path.contains(SyncCommand.command.name)
  }
}
