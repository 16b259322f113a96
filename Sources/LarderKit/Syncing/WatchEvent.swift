public import LarderModel

/// Something that a watch tells.
public enum WatchEvent {
  /// The watch has begun. `isLooking` says that it looks at the files again and again, because the
  /// system does not tell of changes.
  case began(isLooking: Bool)
  /// The system tells of changes no longer, so that the files are looked at from now on.
  case looking
  /// Edits by hand or commits of plain git were adopted.
  case adopted(Writing.Adoption, Household)
  /// Something is in the way of adopting; told once, and waited for.
  case waiting(for: any Error)
  /// Adopting failed; told once, and tried again when something changes.
  case failed(any Error)
  /// A sync by git brought or sent something, or is the first that went well.
  case synced(SyncOutcome)
  /// An exchange with the project brought, sent or refused something, or is the first that went well.
  case exchanged(CloudOutcome)
  /// A sync or an exchange failed, and the next is tried in so long; told once for each reason.
  case syncFailed(any Error, again: Duration)
}
