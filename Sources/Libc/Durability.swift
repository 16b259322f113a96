internal import Cposix

/// Makes what was written to an open file or folder durable, and returns what `fsync` does.
///
/// On Darwin, `fsync` leaves it in the memory of the disk, which a power cut empties.
package func makeDurable(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    // The file systems of networks do not know it.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    return fsync(descriptor)
  #else
    return fsync(descriptor)
  #endif
}

/// Makes the bytes of an open file durable, without its times, and returns what `fdatasync` does.
package func makeBytesDurable(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    return makeDurable(descriptor)
  #else
    return fdatasync(descriptor)
  #endif
}

/// Makes all that was written to the file system of an open file durable; returns 0, or -1 with `errno`.
package func makeFileSystemDurable(_ descriptor: Int32) -> Int32 { larder_sync(descriptor) }

/// Starts to write the bytes of an open file to the disk, without waiting for it.
///
/// File systems with a journal then never keep the file's name without its bytes, in practice: a
/// name that is given from now on is written later. Networks and unknown file systems are waited for.
/// Returns 0, or -1 with `errno` if the system refuses, as it does for a full disk.
package func startWriting(_ descriptor: Int32) -> Int32 {
  guard larder_keeps_folder_times(descriptor) else { return makeDurable(descriptor) }
  if larder_start_writing(descriptor) == 0 { return 0 }
  return [ENOSPC, EDQUOT, EIO].contains(errno) ? -1 : makeDurable(descriptor)
}

/// Does it for a file at a path; a missing file is not an error.
package func startWriting(at path: String) {
  let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  _ = startWriting(descriptor)
  close(descriptor)
}
