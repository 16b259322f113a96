internal import Foundation

/// The wish that a watch should end.
public final class WatchStop: Sendable {
  private let pipe: Pipe?
  let descriptor: Int32

  /// A wish that ``stop()`` makes.
  public init() {
    let pipe = Pipe()
    self.pipe = pipe
    descriptor = pipe.fileHandleForReading.fileDescriptor
  }

  /// A wish that is made once a file descriptor can be read, such as the end of a pipe that a signal's
  /// handler writes to.
  public init(readable descriptor: Int32) {
    pipe = nil
    self.descriptor = descriptor
  }

  /// Ends the watch, from any thread; does nothing for a descriptor of somebody else's.
  public func stop() {
    pipe?.fileHandleForWriting.write(Data([0]))
  }
}
