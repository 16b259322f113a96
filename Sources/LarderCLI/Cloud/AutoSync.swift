import Foundation
import LarderCloud
import LarderKit
import LarderModel
import LarderStore

/// What `larder config autoSync yes` does behind commands: nobody waits for it but who asks for
/// something that is not here.
enum AutoSync {
  /// How long what the cloud said last is taken for new.
  private static let freshness = 60.0

  static let command = Command(
    "auto", summary: "Exchange with the cloud in the background",
    discussion: """
      Commands start it behind them where 'larder config autoSync yes' says so. It says nothing, \
      also where the project can't be reached: what is pending waits, and 'larder cloud status' tells.
      """,
    isHidden: true
  ) { invocation in
    try invocation.withStore { store in
      guard let connection = try CloudConnection.signedIn(of: store, invocation) else { return }
      do {
        _ = try invocation.exchange(connection, store) { try await $0.sync() }
      } catch {
        // Nobody reads it here; what is pending waits, and the next exchange tells.
      }
    }
  }

  /// Starts an exchange behind a command that has written, or that has read what may be old.
  static func startIfDue(for store: Store, _ invocation: Invocation) {
    do {
      guard let folder = store.deviceFolder, try isWanted(store, invocation) else { return }
      let mark = folder + "/asked"
      let asked = FileBytes.modified(mark).map { Double($0.milliseconds) / 1000 } ?? 0
      guard store.hasCommitted || Date().timeIntervalSince1970 - asked > freshness else { return }
      try store.writeDeviceFile("asked", [])
      try OwnProgram.startBehind(
        ["-C", store.root, CloudCommand.command.name, command.name], invocation.environment)
    } catch {
      // The command has done what it was to do.
      invocation.output.warn("can't start asking the cloud; 'larder sync' does the same")
    }
  }

  /// Asks the cloud where something was asked for that is not here, and says whether to look again:
  /// it may be here by now, whoever brought it.
  @Sendable static func asks(for error: any Error, of invocation: Invocation) -> Bool {
    guard (error as? CommandError)?.kind == .notFound || error is NamingError else { return false }
    do {
      let store = try Store.open(
        from: invocation.directory, context: try invocation.storeContext())
      guard try isWanted(store, invocation),
        let connection = try CloudConnection.signedIn(of: store, invocation, isPatient: false)
      else { return false }
      _ = try invocation.exchange(connection, store) { try await $0.pull() }
    } catch {
      // What is not here is told as not found, as it is without a cloud.
    }
    return true
  }

  private static func isWanted(_ store: Store, _ invocation: Invocation) throws -> Bool {
    guard try store.syncsByItself, try !store.isLocalOnly, try store.cloudURL != nil else {
      return false
    }
    // These ask the cloud themselves.
    return !invocation.path.contains(CloudCommand.command.name)
      && !invocation.path.contains(SyncCommand.command.name)
  }
}
