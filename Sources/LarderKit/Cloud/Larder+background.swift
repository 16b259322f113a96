internal import LarderModel
internal import LarderStore

/// The exchange with the project behind other calls, which the setting `autoSync` asks for.
extension Larder {
  /// The number of seconds for which the project's last answer counts as new.
  private static let freshness = 60.0

  /// Whether other calls are to exchange with the project by themselves.
  public var exchangesByItself: Bool {
    get throws(StoreError) {
      guard try store.syncsByItself else { return false }
      guard try !store.isLocalOnly else { return false }
      return try store.cloudURL != nil
    }
  }

  /// Whether an exchange is due behind a call that has written, or has read what may be old.
  ///
  /// The caller then starts one; until it is due again, nobody else does.
  public func takesBackgroundExchange() throws -> Bool {
    guard let folder = store.deviceFolder, try exchangesByItself else { return false }
    let asked = FileState(of: folder + "/asked").map { Double($0.modified) / 1_000_000_000 } ?? 0
    let now = Double(Instant.current.milliseconds) / 1000
    guard store.hasCommitted || now - asked > Self.freshness else { return false }
    try store.writeDeviceFile("asked", [])
    return true
  }

  /// Exchanges with the project if somebody is signed in; failures stay pending for the next exchange.
  public func exchangeInBackground() throws {
    guard let connection = try CloudConnection.signedIn(of: store, context) else { return }
    do {
      _ = try connection.exchange { try await $0.sync() }
    } catch {
      // The project's state tells what is pending.
    }
  }

  /// Brings what is new in the project, because something asked for is not here, and returns whether
  /// to look again.
  ///
  /// Gives up at once if the project can't be reached.
  public func asksForMissing() -> Bool {
    do {
      guard try exchangesByItself,
        let connection = try CloudConnection.signedIn(of: store, context, isPatient: false)
      else { return false }
      _ = try connection.exchange { try await $0.pull() }
    } catch {
      // Something else may have brought it meanwhile.
    }
    return true
  }
}
