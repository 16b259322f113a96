import Foundation
public import Testing

/// Returns the processor time that this thread takes for something; other threads don't count.
public func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  try body()
  return now() - start
}

/// Holds the processor time of something, named in the failure, against four times as much of it.
///
/// Four times as much may take six times as long, and not sixteen times.
public func expectLinear(
  _ size: Int, _ name: String = "", at location: SourceLocation = #_sourceLocation,
  seconds: (Int) throws -> Double
) rethrows {
  var ratio = Double.infinity
  // A collector or a cold cache may spoil one run, not three.
  for _ in 0..<3 where ratio > 9 {
    let small = try seconds(size)
    ratio = try seconds(4 * size) / small
  }
  #expect(
    ratio <= 9, "4 times as much took \(ratio) times as long: \(name)", sourceLocation: location)
}
