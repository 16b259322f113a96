extension Transport {
  /// Returns a transport by the system's network library: HTTP/2 or 1.1, connections that stay open
  /// between requests, the system's certificates and the system's proxies.
  ///
  /// A request fails with `timedOut` if connecting takes as long as `patience`, or if no data is
  /// transferred for that time. It counts in whole seconds, at least one.
  public static func network(patience: Duration = .seconds(30)) -> Transport {
    let seconds = Int(max(1, min(patience.components.seconds, 86_400)))
    #if canImport(Glibc)
      return curl(seconds: seconds)
    #else
      return urlSession(seconds: seconds)
    #endif
  }
}
