import LarderCLI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

exit(runLarder())
