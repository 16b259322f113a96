extension Transport {
  /// The network: HTTP/2 or 1.1 over what the system has for it, with connections kept open between
  /// requests, certificates checked against the system's, and the system's proxies used.
  ///
  /// A request fails with `timedOut` where connecting takes as long as `patience`, or nothing comes or
  /// goes for that long; it counts in whole seconds, one at least.
  public static func network(patience: Duration = .seconds(30)) -> Transport {
    let seconds = Int(max(1, min(patience.components.seconds, 86_400)))
    #if canImport(Glibc)
      return curl(seconds: seconds)
    #else
      return urlSession(seconds: seconds)
    #endif
  }
}
