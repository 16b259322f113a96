public import LarderModel

/// An event that a watch reports.
public enum WatchEvent {
  /// The watch has begun; `isLooking` says that it polls the files, because the system does not
  /// report changes.
  case began(isLooking: Bool)
  /// The system no longer reports changes, so the watch polls the files from now on.
  case looking
  /// Edits by hand or commits of plain git were adopted.
  case adopted(Writing.Adoption, Household)
  /// An obstacle prevents adopting; reported once, and the watch waits for it to go away.
  case waiting(for: any Error)
  /// Adopting failed; reported once, and the next change starts another attempt.
  case failed(any Error)
  /// A sync by git received or sent something, or is the first successful one.
  case synced(SyncOutcome)
  /// An exchange with the project received, sent or refused something, or is the first successful
  /// one.
  case exchanged(CloudOutcome)
  /// A sync or an exchange failed; `again` is the time until the next attempt, and each reason is
  /// reported once.
  case syncFailed(any Error, again: Duration)
}
