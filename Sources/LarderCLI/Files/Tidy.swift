import LarderKit

/// `larder tidy`: packs the history in a background process.
enum TidyCommand {
  static let command = Command("tidy", group: "Files", isHidden: true) { invocation in
    try invocation.withLarder { larder in
      guard try !larder.pack() else { return }
      invocation.output.note("another process is packing the history already")
    }
  }

  /// Starts it in the background if it is due after a commit.
  ///
  /// The command has already succeeded, so a failure here is only a warning.
  static func startIfDue(for larder: Larder, _ invocation: Invocation) {
    let output = invocation.output
    do {
      guard larder.hasCommitted, try larder.isPackingDue else { return }
      try OwnProgram.startBehind(["-C", larder.root, command.name], invocation.environment)
      output.note("packing the history in the background, so that it takes less room")
    } catch {
      output.warn("can't start packing the history; 'larder git -- gc' does the same")
    }
  }
}
