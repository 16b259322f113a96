import LarderStore

/// `larder tidy`: packs the history, in a process of its own that nobody waits for.
enum TidyCommand {
  static let command = Command(
    "tidy", summary: "Pack the history, so that it takes little room",
    discussion: """
      A command that commits starts it by itself, behind it, once the loose objects of the repository \
      take much room; 'larder git -- config gc.auto 0' tells it not to. It may be stopped at any time.
      """,
    group: "Files", isHidden: true
  ) { invocation in
    try invocation.withStore { store in
      guard try !store.tidy() else { return }
      invocation.output.note("another process is packing the history already")
    }
  }

  /// Starts it behind a command that has committed, where it is due.
  ///
  /// The command has done what it was to do, so that nothing here makes it fail.
  static func startIfDue(for store: Store, _ invocation: Invocation) {
    let output = invocation.output
    do {
      guard store.hasCommitted, try store.isUntidy() else { return }
      try OwnProgram.startBehind(["-C", store.root, command.name], invocation.environment)
      output.note("packing the history in the background, so that it takes less room")
    } catch {
      output.warn("can't start packing the history; 'larder git -- gc' does the same")
    }
  }
}
