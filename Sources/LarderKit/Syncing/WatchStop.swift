internal import Foundation

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
