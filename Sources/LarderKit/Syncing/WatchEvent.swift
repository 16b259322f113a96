import Foundation
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

/// A request to end a watch.
public final class WatchStop: Sendable {
  private let pipe: Pipe?
  let descriptor: Int32

  /// Creates a request that ``stop()`` makes.
  public init() {
    let pipe = Pipe()
    self.pipe = pipe
    descriptor = pipe.fileHandleForReading.fileDescriptor
  }

  /// Creates a request that is made when a file descriptor becomes readable, such as the end of a
  /// pipe that a signal handler writes to.
  public init(readable descriptor: Int32) {
    pipe = nil
    self.descriptor = descriptor
  }

  /// Ends the watch, from any thread; does nothing if the request uses another descriptor.
  public func stop() {
    pipe?.fileHandleForWriting.write(Data([0]))
  }
}
