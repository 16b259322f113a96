internal import LarderModel
internal import LarderStore

/// The exchange with the project after other calls, which the setting `autoSync` turns on.
extension Larder {
  /// The number of seconds for which the project's last answer counts as new.
  private static let freshness = 60.0

  /// Whether other calls exchange with the project automatically.
  public var exchangesByItself: Bool {
    get throws(StoreError) {
      guard try store.syncsByItself else { return false }
      guard try !store.isLocalOnly else { return false }
      return try store.cloudURL != nil
    }
  }

  /// Whether an exchange is due, after a call that wrote, or that read data that may be old.
  ///
  /// If it is due, the caller must start it; other callers then get false until the next one is
  /// due.
  public func takesBackgroundExchange() throws -> Bool {
    guard let folder = store.deviceFolder, try exchangesByItself else { return false }
    let asked = FileState(of: folder + "/asked").map { Double($0.modified) / 1_000_000_000 } ?? 0
    let now = Double(Instant.current.milliseconds) / 1000
    guard store.hasCommitted || now - asked > Self.freshness else { return false }
    try store.writeDeviceFile("asked", [])
    return true
  }

  /// Exchanges with the project if a user is signed in; failed changes stay pending for the next
  /// exchange.
  public func exchangeInBackground() throws {
    guard let connection = try CloudConnection.signedIn(of: store, context) else { return }
    do {
      _ = try connection.exchange { try await $0.sync() }
    } catch {
      // The project's state shows what is pending.
    }
  }

  /// Fetches new changes from the project because something was not found here, and returns whether
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
      // Another exchange may have fetched it meanwhile.
    }
    return true
  }
}
