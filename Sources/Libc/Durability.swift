/// Makes what was written to an open file or folder durable, and returns what `fsync` does.
///
/// On Darwin, `fsync` leaves it in the memory of the disk, which a power cut empties.
package func makeDurable(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    // The file systems of networks do not know it.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
  #endif
  return fsync(descriptor)
}
