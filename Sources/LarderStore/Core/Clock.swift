internal import Libc

/// Returns the machine's clock in nanoseconds since 1970, for comparison with file times.
func wallClock() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Returns the time of the start of the system, in nanoseconds since 1970.
func systemStart() -> Int64 {
  var time = timespec()
  #if canImport(Darwin)
    clock_gettime(CLOCK_MONOTONIC, &time)
  #else
    clock_gettime(CLOCK_BOOTTIME, &time)
  #endif
  return wallClock() - Int64(time.tv_sec) * 1_000_000_000 - Int64(time.tv_nsec)
}

func pause(milliseconds: Int64) {
  usleep(UInt32(milliseconds * 1000))
}

/// Returns a path without symbolic links, or the unchanged path if the system can't resolve it.
func realPath(_ path: String) -> String {
  guard let resolved = realpath(path, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved)
}
