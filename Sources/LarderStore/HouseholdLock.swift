#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The lock across processes for writing; the system releases it when the process ends.
package struct HouseholdLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, waiting up to `patience` milliseconds for another holder.
  init(folder: String, name: String = "lock", patience: Int64) throws(StoreError) {
    // Creates only this folder: a repository that somebody removed is not created again.
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw SystemFile.failure("make the folder", folder)
    }
    let path = folder + "/" + name
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemFile.failure("lock", path) }
    let began = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        let failure = SystemFile.failure("lock", path)
        close(descriptor)
        throw failure
      }
      guard ContinuousClock.now - began < Duration.milliseconds(patience) else {
        close(descriptor)
        throw .locked(milliseconds: patience)
      }
      usleep(UInt32.random(in: 5_000...25_000))
    }
    self.descriptor = descriptor
  }

  package func release() {
    close(descriptor)
  }
}
